import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { unmasked } from '../../src/features/samples/masking.ts';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { listLimits } from '../../src/lib/xml/limits.ts';
import { readDocumentInSteps } from '../../src/lib/xml/read.ts';
import { compare } from '../../src/proof/comparison/compare.ts';
import { seedFromAnswers, type SeedOfAnswers } from '../../src/sandbox/seed/from-answers.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const ORIGINAL = 'B0000000000000000000000000000001';
const COPY = 'B0000000000000000000000000000002';
const always = 'from=19000101&to=20991231&detailed=true';
const calls = [
  ...['staff.api/list', 'supplier.api/list?detailed=true', 'task.api/list', 'cost.api/list'],
  ...['category.api/list', 'lead.api/categories', 'template.api/list', 'clientgroup.api/list'],
  ...['client.api/list?detailed=true', `job.api/list?${always}`, `time.api/list?${always}`],
  ...[`lead.api/list?${always}`, `invoice.api/list?${always}`, `quote.api/list?${always}`],
  ...[`purchaseorder.api/list?${always}`, 'client.api/get/1000001', 'client.api/documents/1000001'],
  ...['job.api/get/J100001', 'job.api/costs/J100001', 'client.api/get/1000000/customfield'],
];
/** The service makes them anew. */
const ignored = new Set(['URL', 'UUID']);

let sandbox: RunningSandbox;
let made: SeedOfAnswers;
const before = new Map<string, XmlElement>();

async function ask(call: string, accountKey: string): Promise<XmlElement> {
  const mark = call.includes('?') ? '&' : '?';
  const answer = await fetch(`${sandbox.url}/v1/${call}${mark}apiKey=sample&accountKey=${accountKey}`);
  const root = await readDocumentInSteps([await answer.text()], listLimits);
  if (root === undefined) throw new Error(`${call} is answered with nothing`);
  return root;
}

describe('a seed made from replies of V1', () => {
  beforeAll(async () => {
    sandbox = await RunningSandbox.start({ redirectUris: [] });
    await sandbox.control('POST', 'seed', { size: 6 });
    // The sample organisation has definitions without a number of their own in answers; they come first.
    for (const call of ['customfield.api/definition', ...calls]) before.set(call, await ask(call, ORIGINAL));
    const answers = Array.from(before, ([call, root]) => ({
      segments: (call.split('?')[0] ?? '').split('/'),
      root,
    }));
    made = seedFromAnswers(answers);
    await sandbox.control('POST', 'seed', {
      organisations: [{ name: 'Copy', accountKey: COPY, apiKeys: ['sample'], ...withoutUuids(made.seed) }],
    });
  });

  afterAll(() => sandbox.close());

  it('omits nothing', () => {
    expect([...made.leftOut]).toEqual([]);
    expect(made.counts).toMatchObject({ clients: 6, jobs: 3, invoices: 5 });
  });

  it.each(calls)('makes the sandbox answer %s as V1 did', async (call) => {
    const [one, two] = [before.get(call), await ask(call, COPY)];
    if (one === undefined) throw new Error('it was not asked');
    expect(compare(unmasked(one), unmasked(two), { pageSizes: [], ignored })).toEqual([]);
  });

  it('has no record that the calls themselves created', () => {
    const root = before.get('client.api/list?detailed=true');
    if (root === undefined) throw new Error('it was not asked');
    const { counts } = seedFromAnswers([{ segments: ['client.api', 'list'], root }], new Set(['1000001']));
    expect(counts.clients).toBe(5);
  });
});

/** Both organisations stand in one sandbox, and a UUID belongs to one record. */
const withoutUuids = (seed: SeedOfAnswers['seed']): object => ({
  ...seed,
  customFieldDefinitions: (seed.customFieldDefinitions as readonly object[]).map((definition) => ({
    ...definition,
    uuid: undefined,
  })),
});
