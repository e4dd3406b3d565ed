import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { join } from 'node:path';
import { loadMapping } from '../../src/bridge/mapping/compile.ts';
import type { CallPattern } from '../../src/bridge/mapping/model.ts';
import { lanes, type OpenLane } from './lanes.ts';
import type { Line } from './program.ts';
import { clientGroups } from './tables/clientGroups.ts';
import { clients } from './tables/clients.ts';
import { costs } from './tables/costs.ts';
import { customFields } from './tables/customFields.ts';
import { documents } from './tables/documents.ts';
import { habits } from './tables/habits.ts';
import { invoices } from './tables/invoices.ts';
import { jobLists } from './tables/jobLists.ts';
import { jobParts } from './tables/jobParts.ts';
import { jobs } from './tables/jobs.ts';
import { jobWrites } from './tables/jobWrites.ts';
import { leads } from './tables/leads.ts';
import { lists } from './tables/lists.ts';
import { practices } from './tables/practice.ts';
import { manyOrders, purchaseOrders } from './tables/purchaseOrders.ts';
import { quotes } from './tables/quotes.ts';
import { staffMembers } from './tables/staff.ts';
import { suppliers } from './tables/suppliers.ts';
import { times } from './tables/times.ts';

/**
 * The main job, once: a program that changes its base address and nothing else gets the same answers, from the
 * service's own V1, from the bridge in pass-through, and from the bridge in front of V3 (with UUIDs there, and with the
 * numbers of V1).
 */
const tables = [
  clients,
  documents,
  practices,
  customFields,
  habits,
  lists,
  invoices,
  quotes,
  purchaseOrders,
  manyOrders,
  staffMembers,
  jobs,
  jobWrites,
  jobParts,
  jobLists,
  clientGroups,
  costs,
  leads,
  times,
  suppliers,
];

/** What the service itself answered, which is what every other lane has to answer. */
const original = new Map<string, readonly Line[]>();

it('calls every method of the specification', () => {
  const made = tables.flatMap(({ cases }) => cases.flatMap(({ calls }) => calls));
  const mapping = loadMapping(join(import.meta.dirname, '..', '..', 'mappings'));
  const uncalled = mapping.methods.filter(({ legacy }) =>
    legacy.some((pattern) => !made.some(({ verb, path }) => fits(pattern, verb, path))),
  );
  expect(mapping.methods.filter(({ source }) => source.startsWith('001_'))).toHaveLength(35);
  expect(uncalled.map(({ id }) => id)).toEqual([]);
});

function fits({ verbs, segments }: CallPattern, verb: string, path: string): boolean {
  const given = (path.split('?')[0] ?? '').split('/');
  return (
    verbs.includes(verb) &&
    given.length === segments.length &&
    segments.every((segment, at) => !('literal' in segment) || segment.literal === given[at])
  );
}

describe.each(lanes)('$name', (way) => {
  describe.each(tables)('$title', (table) => {
    let lane: OpenLane;

    beforeAll(async () => {
      lane = await way.open(table);
    });

    afterAll(async () => {
      const pages = (await lane.upstream()).filter((call) => call === 'GET /3.0/client.api/list');
      await lane.close();
      if (table === lists && way.name === lanes.at(-1)?.name) expect(pages.length).toBeGreaterThan(10);
      expect(lane.complaints()).toEqual([]);
    });

    it.each(table.cases)('$says', async (one) => {
      const lines = await lane.program.run(one);
      const key = `${table.title}: ${one.says}`;
      if (way.name === lanes[0]?.name) original.set(key, lines);
      expect(lines).toEqual(original.get(key));
    });
  });
});
