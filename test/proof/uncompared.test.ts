import { expect, it } from '@jest/globals';
import type { Account } from '../../src/features/accounts/account.ts';
import { findingsOf } from '../../src/features/cutover/parity/findings.ts';
import { judged, parityWords, summaryOf, verdictOf } from '../../src/features/cutover/parity/judging.ts';
import type {
  Acceptance,
  AlikeReads,
  Comparison,
  Uncompared,
} from '../../src/features/cutover/parity/model.ts';
import { Masking } from '../../src/features/samples/masking.ts';
import type { KeptSample } from '../../src/features/samples/packed.ts';
import type { SampledRequest } from '../../src/features/samples/sample.ts';
import type { ReadAnswer } from '../../src/features/writes/settling/reads.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Asking } from '../../src/proof/parity/asking.ts';
import { Comparing } from '../../src/proof/parity/comparing.ts';
import type { UsedReads } from '../../src/proof/parity/never-sampled.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { deliveredMapping } from '../support/mapping.ts';

const methods = new Map(deliveredMapping().methods.map((method) => [method.id, method]));
const text = '<Response><Status>OK</Status><StaffList><Staff><ID>1</ID></Staff></StaffList></Response>';
const read: ReadAnswer = {
  ...{ answer: 'read', source: 'v3', contentType: 'text/xml', text, root: readDocument(text) },
};
const refused: ReadAnswer = { answer: 'refused', words: 'it is not there' };
const refusedKeys: ReadAnswer = { answer: 'failed', words: 'it answered 403', status: 403 };
const away: ReadAnswer = { answer: 'failed', words: 'it answered 503', status: 503 };
const tooLong: ReadAnswer = {
  ...{ answer: 'failed', words: 'the reply is too long', code: 'upstreamAnswer', isTooLong: true },
};
const unreadable: ReadAnswer = {
  ...{ answer: 'failed', words: 'its reply is not well-formed XML', code: 'upstreamAnswer' },
  isUnreadable: true,
};
const partial: ReadAnswer = {
  ...{ answer: 'failed', words: 'it counts more than it gives', code: 'upstreamAnswer', isLasting: true },
};
const unknown: ReadAnswer = { answer: 'failed', words: 'Unknown method', code: 'unknownMethod' };

/** One read of staff without a baseline, as V1 and V3 answer it. */
async function compared(
  v1: ReadAnswer,
  moved: ReadAnswer,
  isWithheld = false,
  used: UsedReads = new Map(),
): Promise<Comparison> {
  const asking = { hasV1: true, v1: async () => v1, moved: async () => moved } as unknown as Asking;
  const seal = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`));
  const comparing = new Comparing(
    { asking, methods, seal, disagreement: async () => undefined, pageSizes: [], now: () => 1 },
    { id: 'a' } as Account,
  );
  const request = { segments: ['staff.api', 'list'], query: [], ...(isWithheld && { isWithheld }) };
  const sample: KeptSample = {
    ...{ purpose: 'baseline', method: 'staff.list', request, at: 0, source: 'v1', key: '' },
    reply: undefined,
  };
  return (await comparing.run([sample, sample], used, () => undefined)).comparison;
}

const acceptance = (difference: string, signature: string): Acceptance => ({
  ...{ accountId: undefined, difference, signature, name: 'Kim', reason: 'known', at: 0 },
});

/** The verdict, with what was accepted. */
function judgement(comparison: Comparison, accepted: readonly Acceptance[] = []) {
  const summary = summaryOf(comparison);
  const groups = summary.groups.map((group) => judged(group, accepted));
  return { groups, verdict: verdictOf(summary, groups), words: parityWords(summary, groups) };
}

it.each([
  ['V1 and V3 both refuse', refused, refused, false, 'alike', '2 of 2 reads alike'],
  ['only V1 refuses', refused, read, false, 'incomplete', '2 reads not compared, to be accepted'],
  ['the request is not kept', read, read, true, 'incomplete', '2 reads not compared, to be accepted'],
  ['V1 is away for now', away, read, false, 'unfinished', '2 reads not compared yet'],
  ['V3 is away for now', read, away, false, 'unfinished', '2 reads not compared yet'],
  ['the reply of V1 is too long', tooLong, read, false, 'incomplete', '2 reads not compared, to be accepted'],
  [
    'the reply of V1 is refused',
    unreadable,
    read,
    false,
    'incomplete',
    '2 reads not compared, to be accepted',
  ],
  ['the reply of V3 is too long', read, tooLong, false, 'incomplete', '2 reads not compared, to be accepted'],
  ['only V3 does not have it', read, unknown, false, 'different', '1 difference to be accepted or resolved'],
  ['V3 gives a part of it', read, partial, false, 'different', '1 difference to be accepted or resolved'],
  ['V1 refuses it, V3 does not have it', refused, unknown, false, 'incomplete', '2 reads not compared'],
  [
    ...([
      'V1 does not know the keys',
      { answer: 'failed', words: 'it answered 403', status: 403 },
      read,
    ] as const),
    ...([false, 'incomplete', '2 reads not compared, to be accepted'] as const),
  ],
] as const)(
  'a read that was not compared is judged by the cause: %s',
  async (_, v1, moved, isWithheld, verdict, words) => {
    expect(judgement(await compared(v1, moved, isWithheld))).toMatchObject({
      verdict,
      words: expect.stringContaining(words) as unknown,
    });
  },
);

it('an uncompared read is accepted with its reason, and the acceptance does not cover another reason', async () => {
  const comparison = await compared(refused, read);
  const [{ key, signature } = { key: '', signature: '' }] = judgement(comparison).groups;
  const accepted = [acceptance(key, signature)];
  expect(judgement(comparison, accepted)).toMatchObject({
    verdict: 'accepted',
    words: '0 of 0 reads alike; 2 reads without a comparison accepted by Kim on 1970-01-01: known',
  });
  expect(judgement(await compared(read, read, true), accepted)).toMatchObject({
    ...{ verdict: 'incomplete', groups: [{ accepted: undefined, isVoid: true }] },
  });
  const later = await compared(away, read);
  expect(judgement(later, accepted)).toMatchObject({ verdict: 'unfinished', groups: [{ isVoid: false }] });
});

it('a used read without a sample is accepted by name, however often it is used; a write is not', async () => {
  const use = (calls: number, last: string): UsedReads =>
    new Map(['job.current', 'job.add', 'staff.list'].map((id) => [id, { calls, last: Date.parse(last) }]));
  const comparison = await compared(read, read, false, use(12, '2026-11-20'));
  expect(findingsOf(comparison)).toMatchObject([
    { method: 'job.current', example: 'used 12 times, last on 2026-11-20, never compared: no sample' },
  ]);
  const found = judgement(comparison);
  expect(found).toMatchObject({
    ...{ verdict: 'incomplete', words: '2 of 2 reads alike; 1 read not compared, to be accepted' },
  });
  const [{ key, signature } = { key: '', signature: '' }] = found.groups;
  const later = judgement(await compared(read, read, false, use(13, '2026-11-21')), [
    acceptance(key, signature),
  ]);
  expect(later.verdict).toBe('accepted');
});

it('a read whose reply from V1 is refused names the method and the cause', async () => {
  expect(findingsOf(await compared(unreadable, read))).toMatchObject([
    {
      key: 'staff.list not-compared',
      example: 'V1 answers it, but its reply is not well-formed XML',
    },
  ]);
});

it('the reads of the generic rule are accepted like other uncompared reads; its writes are not', async () => {
  const used: UsedReads = new Map([
    ['generic', { calls: 12, last: Date.parse('2026-11-20') }],
    ['generic-write', { calls: 3, last: Date.parse('2026-11-20') }],
  ]);
  const comparison = await compared(read, read, false, used);
  expect(findingsOf(comparison)).toMatchObject([
    {
      key: 'generic not-compared',
      example: 'used 12 times, last on 2026-11-20, served by the generic rule, never compared',
    },
  ]);
  const [{ signature } = { signature: '' }] = judgement(comparison).groups;
  expect(judgement(comparison).verdict).toBe('incomplete');
  expect(judgement(comparison, [acceptance('generic not-compared', signature)]).verdict).toBe('accepted');
});

it('a read that was alike is taken over without a call, and counts as compared', async () => {
  const asked: string[] = [];
  const answers = async (_: unknown, { segments }: SampledRequest): Promise<ReadAnswer> => {
    asked.push(segments[2] ?? '');
    return segments[2] === '2' ? away : read;
  };
  const asking = { hasV1: true, v1: answers, moved: answers } as unknown as Asking;
  const seal = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`));
  const parts = { asking, methods, seal, disagreement: async () => undefined, pageSizes: [], now: () => 1 };
  const samples = ['1', '2', '3'].map((id): KeptSample => ({
    ...{ purpose: 'baseline', method: 'staff.get', at: 0, source: 'v1', key: '', reply: undefined },
    request: { segments: ['staff.api', 'get', id], query: [] },
  }));
  const next = (earlier?: AlikeReads) =>
    new Comparing(parts, { id: 'a' } as Account).run(samples, new Map(), () => undefined, earlier);
  const first = await next();
  expect(first.comparison).toMatchObject({ reads: 3, alike: 2, live: 2 });
  asked.length = 0;
  const second = await next(first.comparison.alikeReads);
  expect(asked).toEqual(['2', '2']);
  expect(second).toMatchObject({ taken: 2, comparison: { reads: 3, alike: 2, live: 2 } });
  expect(second.comparison.alikeReads).toEqual(first.comparison.alikeReads);
});

/** A client as it is now; its sample was taken at 10:40 and has another name. */
async function againstBaseline(changedAt: string): Promise<Comparison> {
  const documentOf = (name: string): string =>
    `<Response><Status>OK</Status><Client><ID>7</ID><Name>${name}</Name></Client></Response>`;
  const answered = (told: string): ReadAnswer => ({
    ...{ answer: 'read', source: 'v3', contentType: 'text/xml', text: told, root: readDocument(told) },
  });
  const seal = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`));
  const masking = Masking.of(seal, 'a');
  if (masking === undefined) throw new Error('there is no key for hashes');
  const changes = (since: string): ReadAnswer =>
    answered(
      `<Response><Status>OK</Status><Clients>${changedAt >= since ? '<Client><ID>7</ID></Client>' : ''}</Clients></Response>`,
    );
  const moved: Asking['moved'] = async (_account, { query }) =>
    query.length > 0 ? changes(query[0]?.[1] ?? '') : answered(documentOf('New'));
  const asking = { hasV1: false, v1: async () => refusedKeys, moved } as unknown as Asking;
  const parts = { asking, methods, seal, disagreement: async () => undefined, pageSizes: [], now: () => 1 };
  const sample: KeptSample = {
    ...{ purpose: 'baseline', method: 'client.get', at: Date.parse('2026-11-20T10:40:00Z'), source: 'v1' },
    ...{ request: { segments: ['client.api', 'get', '7'], query: [] }, key: masking.key },
    reply: masking.masked(readDocument(documentOf('Old')), methods.get('client.get')),
  };
  const comparing = new Comparing(parts, { id: 'a' } as Account);
  return (await comparing.run([sample], new Map(), () => undefined)).comparison;
}

it.each([
  ['after the sample', '2026-11-20T10:41:00', { different: 0, changed: 1 }],
  ['earlier in its hour', '2026-11-20T10:10:00', { different: 1, changed: 0 }],
  ['before that', '2026-11-19T10:10:00', { different: 1, changed: 0 }],
])(
  'a value that differs from the baseline is a difference unless its record has changed since: %s',
  async (_, at, found) => {
    expect(await againstBaseline(at)).toMatchObject(found);
  },
);

it('a difference takes precedence over uncompared reads, also in a comparison of an earlier release', () => {
  const uncompared: readonly Uncompared[] = [{ method: 'staff.list', reads: 3, why: 'no baseline' }];
  const comparison: Comparison = {
    ...{ at: 0, reads: 4, alike: 0, different: 1, undecided: 0, live: 1, baseline: 0, changed: 0, noise: 0 },
    ...{ uncompared, isUnfinished: false },
    groups: [
      {
        ...{ key: 'v3 staff.list Response value', api: 'v3', method: 'staff.list', path: 'Response' },
        ...{ cause: 'value', isUndecided: false, count: 1, example: '', signature: 's' },
      },
    ],
  };
  expect(judgement(comparison)).toMatchObject({
    verdict: 'different',
    words: '0 of 1 read alike; 1 difference to be accepted or resolved; 3 reads not compared, to be accepted',
  });
  const accepted = [acceptance('v3 staff.list Response value', 's')];
  expect(judgement(comparison, accepted).verdict).toBe('incomplete');
});
