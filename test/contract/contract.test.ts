import { isDeepStrictEqual } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { keptMethods } from '../../src/proxy/sparing/kept-answers.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { BOTH_LANE, KEEPING_LANE, lanes, V2_LANE, type OpenLane } from './lanes.ts';
import { fits, LossRecord, reportedOf, withoutToV3 } from './losses.ts';
import type { Line } from './program.ts';
import { clientGroups } from './tables/clientGroups.ts';
import { clients } from './tables/clients.ts';
import { costs } from './tables/costs.ts';
import { customFields } from './tables/customFields.ts';
import { documents } from './tables/documents.ts';
import { gone } from './tables/gone.ts';
import { habits } from './tables/habits.ts';
import { invoices } from './tables/invoices.ts';
import { jobLists } from './tables/jobLists.ts';
import { jobParts } from './tables/jobParts.ts';
import { jobs } from './tables/jobs.ts';
import { jobWrites } from './tables/jobWrites.ts';
import { leads } from './tables/leads.ts';
import { lists } from './tables/lists.ts';
import { practices } from './tables/practice.ts';
import { manyGone } from './tables/manyGone.ts';
import { manyOrders, purchaseOrders } from './tables/purchaseOrders.ts';
import { quotes } from './tables/quotes.ts';
import { rare } from './tables/rare.ts';
import { staffMembers } from './tables/staff.ts';
import { suppliers } from './tables/suppliers.ts';
import { times } from './tables/times.ts';
import { chance, defaults, later, madeByV2, practice, same, unplayed, type Unshown } from './unshown.ts';

/**
 * The main job, once: a program that changes its base address and nothing else gets the same answers, from the
 * service's own V1, from the bridge in pass-through, from the bridge in front of V3 (with UUIDs there, and with the
 * numbers of V1), and from the bridge in front of V2, but for what the loss report names; where V3 stands in for V2, for
 * less.
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
  gone,
  rare,
  manyGone,
];

const mapping = deliveredMapping();

/** What the service itself answered, which is what every other lane has to answer. */
const original = new Map<string, readonly Line[]>();

/** The methods of which calls took the fast path, by lane. */
const fast = new Map(lanes.map(({ name }) => [name, new Set<string>()]));

/** The reads that were answered by what was kept of others. */
const kept = new Set<string>();

/** What the loss report says, and an answer of V2 has shown. */
const shown = new Set<string>();

/** The list that takes many pages, by lane. */
const PAGES: Readonly<Record<string, string>> = {
  'the bridge in forward': 'GET /3.0/client.api/list',
  [V2_LANE]: 'GET /v2/clients',
};

it('the contract covers every method of the specification', () => {
  const made = tables.flatMap(({ cases }) => cases.flatMap(({ calls }) => calls));
  const uncalled = mapping.methods.filter(({ legacy }) =>
    legacy.some((pattern) => !made.some(({ verb, path }) => fits(pattern, verb, path))),
  );
  expect(mapping.methods.filter(({ source }) => source.startsWith('XML specification, '))).toHaveLength(35);
  expect(uncalled.map(({ id }) => id)).toEqual([]);
});

describe.each(lanes)('$answering', (way) => {
  describe.each(tables)('$title', (table) => {
    const repository =
      way.name === BOTH_LANE
        ? new LossRecord(mapping, withoutToV3(mapping, table))
        : new LossRecord(mapping, table, shown);
    let lane: OpenLane;

    beforeAll(async () => {
      lane = await way.open(table);
    });

    afterAll(async () => {
      if (way.name === KEEPING_LANE) for (const read of lane.kept()) kept.add(read);
      for (const method of await lane.fast()) fast.get(way.name)?.add(method);
      const pages = (await lane.upstream()).filter((call) => call === PAGES[way.name]);
      await lane.close();
      if (table === lists && way.name in PAGES) expect(pages.length).toBeGreaterThan(10);
      expect(lane.complaints()).toEqual([]);
    });

    it.each(table.cases)('$says', async (one) => {
      const lines = await lane.program.run(one);
      const key = `${table.title}: ${one.says}`;
      if (way.name === lanes[0]?.name) original.set(key, lines);
      if (![V2_LANE, BOTH_LANE].includes(way.name)) {
        expect(lines).toEqual(original.get(key));
        return;
      }
      const others = original.get(key) ?? [];
      const compared = repository
        .compare(one.says, lines, others)
        // What V3 answers needs no excuse.
        .filter((_, at) => way.name === V2_LANE || !isDeepStrictEqual(lines[at], others[at]));
      expect(compared.map(({ seen }) => seen)).toEqual(compared.map(({ expected }) => expected));
    });

    if (way.name === V2_LANE)
      it('mentions no loss that is missing from the report or that none of its cases shows', () => {
        expect(repository.unfounded).toEqual([]);
        expect(repository.needless).toEqual([]);
      });
  });
});

/** Reads whose reply is one record. */
const RECORDS = [
  ...[
    'client.get',
    'client.contact.get',
    'clientgroup.get',
    'cost.get',
    'invoice.get',
    'job.get',
    'lead.get',
  ],
  ...[
    'purchaseorder.get',
    'quote.get',
    'staff.get',
    'supplier.contact.get',
    'supplier.get',
    'task.get',
    'time.get',
  ],
];
const READS = mapping.methods.flatMap(({ id, legacy }) =>
  legacy.some(({ verbs }) => verbs.includes('GET')) ? [id] : [],
);

describe('the fast path', () => {
  it.each([
    ['the bridge in pass-through', READS],
    [KEEPING_LANE, READS],
    ['the bridge in forward', RECORDS],
    // A practice organisation has no V2.
    [V2_LANE, RECORDS],
    [BOTH_LANE, RECORDS],
  ])('serves reads of %s, and nothing else', (lane, allowed) => {
    const seen = [...(fast.get(lane) ?? [])];
    expect(allowed).toEqual(expect.arrayContaining(seen));
    // The others have few calls in this suite, and the first ones of an account take the general path.
    expect(seen).toEqual(
      expect.arrayContaining(lane === 'the bridge in forward' ? ['client.get', 'job.get'] : ['client.get']),
    );
  });
});

it('every method whose replies can be cached is answered from the cache, and no other', () => {
  const kinds = [...Object.keys(keptMethods), 'client.list'];
  expect([...kept].map((read) => read.replace('.api/', '.')).toSorted()).toEqual(kinds.toSorted());
});

it('every row of the loss report is shown by a difference, or has a reason why none shows it', () => {
  const rowsOf = (unshown: Unshown): readonly string[] =>
    Object.entries(unshown).flatMap(([words, methods]) => methods.map((method) => `${method}: ${words}`));
  const byChance = rowsOf(chance);
  const missing = mapping.methods
    .flatMap(reportedOf)
    .filter((row) => !shown.has(row) && !byChance.includes(row));
  const said = [same, practice, defaults, later, madeByV2, unplayed].flatMap(rowsOf);
  expect(missing.filter((row) => !said.includes(row))).toEqual([]);
  expect(said.filter((row) => !missing.includes(row))).toEqual([]);
});
