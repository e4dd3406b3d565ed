import { beforeAll, describe, expect, it } from '@jest/globals';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import type { RehearsalOrder, RehearsalOutcome, ReplayCall } from '../../src/proof/rehearsal/order.ts';
import { playCalls } from '../../src/replay/play.ts';
import { rehearse } from '../../src/replay/rehearse.ts';
import { seedFromAnswers } from '../../src/sandbox/seed/from-answers.ts';
import { deliveredMapping } from '../support/mapping.ts';

const nobody = (): void => undefined;
const clientNamed = (number: number): XmlElement =>
  readDocument(`<Response><Status>OK</Status><Client><ID>${number}</ID><Name>Ann</Name></Client></Response>`);
const answers = [
  {
    segments: ['client.api', 'list'],
    root: readDocument(
      '<Response><Status>OK</Status><Clients><Client><ID>1000001</ID><Name>Ann</Name></Client></Clients></Response>',
    ),
  },
];
const extra = readDocument('<Shade>Teal</Shade>');
/** The reply, with an element in its client that no sandbox shows. */
const withOneMore = (root: XmlElement): XmlElement => ({
  ...root,
  children: root.children.map((child) =>
    child.name === 'Client' ? { ...child, children: [...child.children, extra] } : child,
  ),
});
const getClient = (number: number, expected?: XmlElement): ReplayCall => ({
  ...{
    method: 'client.get',
    verb: 'GET',
    segments: ['client.api', 'get', String(number)],
    query: [],
    expected,
  },
});
const listClients: ReplayCall = {
  method: 'client.list',
  verb: 'GET',
  segments: ['client.api', 'list'],
  query: [],
};

/** All numbers are known. */
const known = Object.fromEntries(
  Array.from(deliveredMapping().kinds.keys(), (kind) => [kind, { numbers: [1_000_001], isComplete: true }]),
);

const rehearsed = (
  order: Pick<RehearsalOrder, 'calls' | 'product'>,
  unanswered = 0,
): Promise<RehearsalOutcome> =>
  rehearse({ answers, known, unanswered, ...order }, deliveredMapping(), nobody);

describe('a rehearsal', () => {
  /** Two calls with the replies that V1 gives. */
  let calls: readonly ReplayCall[] = [];

  beforeAll(async () => {
    const asked = [getClient(1_000_001), listClients];
    const { seed } = seedFromAnswers(answers);
    const options = { seed, product: 'standard' as const, mapping: deliveredMapping() };
    const { replies } = await playCalls(options, 'v1', asked, nobody);
    calls = asked.map((call, at) => ({ ...call, expected: replies[at]?.root }));
  }, 120_000);

  it('counts the calls that V2 itself served', async () => {
    const { words, faithful, ways } = await rehearsed({ calls, product: 'standard' });
    expect(faithful).toBe(2);
    expect(words).toContain('2 of 2 calls alike on V3, 2 of 2 calls alike on V2 (V2 served 1)');
    expect(ways.map(({ way, methods }) => [way, methods.map(({ served }) => served)])).toEqual([
      ['v3', [1, 1]],
      ['v2', [1, 0]],
    ]);
  }, 120_000);

  it('is not doubted because every reply of V1 has an element that the sandbox does not show', async () => {
    const [call = listClients] = calls;
    const expected = call.expected && withOneMore(call.expected);
    const outcome = await rehearsed({ calls: [{ ...call, expected }], product: 'standard' });
    expect(outcome).toMatchObject({
      ...{ verdict: 'ready', faithful: 0 },
      unfaithful: [{ method: 'client.get', calls: 1, why: 'missing-element at Response/Client/Shade' }],
    });
  }, 120_000);

  it('is not ready if the sandbox does not show a record that V1 shows', async () => {
    const expected = readDocument(
      '<Response><Status>OK</Status><Clients><Client><ID>77</ID><Name>Bo</Name></Client></Clients></Response>',
    );
    const outcome = await rehearsed({ calls: [{ ...listClients, expected }], product: 'standard' });
    expect(outcome.verdict).toBe('unsure');
  }, 120_000);

  it.each([
    ['the sandbox refuses its calls, which V1 answers', [77, 78], 0, 'only 0 of 2 calls'],
    ['V1 does not answer most of its reads now', [], 39, 'only 2 of 41 calls'],
  ])(
    'is not ready if %s',
    async (_, unknown, unanswered, words) => {
      const other = unknown.map((number) => getClient(number, clientNamed(number)));
      const order = { calls: other.length > 0 ? other : calls, product: 'standard' as const };
      const outcome = await rehearsed(order, unanswered);
      expect(outcome.verdict).toBe('unsure');
      expect(outcome.words).toContain(words);
    },
    120_000,
  );
});
