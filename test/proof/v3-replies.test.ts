import { expect, it } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import type { Account } from '../../src/features/accounts/account.ts';
import type { LegacyReads, ReadAnswer } from '../../src/features/writes/settling/reads.ts';
import type { KeptSample } from '../../src/features/samples/packed.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import { LONGEST_REPLY } from '../../src/lib/xml/second/second-reader-thread.ts';
import { Asking } from '../../src/proof/parity/asking.ts';
import { Comparing } from '../../src/proof/parity/comparing.ts';
import { V3Replies, type Received } from '../../src/proof/parity/v3-replies.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import type { Destination, Upstream } from '../../src/upstream/model.ts';
import { deliveredMapping } from '../support/mapping.ts';

const to: Destination = {
  ...{ accountId: 'a', product: 'standard', application: 'default', grantId: 'g', organisationId: 'o' },
};
const request = { verb: 'GET' as const, segments: ['staff.api', 'list'], query: [] };

/** Receives the next page whole, as a route does. */
const receive = async (replies: V3Replies): Promise<unknown> =>
  buffer((await replies.send(to, { ...request, signal: new AbortController().signal })).body);

/** V3 with these pages, in pieces. */
function repliesOf(pages: readonly (readonly string[])[], most?: number): V3Replies {
  const waiting = [...pages];
  const send = async () => {
    const page = waiting.shift() ?? [];
    const body = (async function* () {
      for (const piece of page) yield Buffer.from(piece);
    })();
    return { status: 200, contentType: 'text/xml', headers: {}, body, millis: 0 };
  };
  return new V3Replies({ send } as unknown as Upstream, most);
}

const textsOf = (received: Received): unknown => (received === 'too-long' ? received : received.map(String));

it('the replies of V3 to one account are kept as they came, page by page, and only once', async () => {
  const replies = repliesOf([['<Response>', 'a</Response>'], ['<Response/>']]);
  for (let page = 0; page < 2; page += 1) await receive(replies);
  expect(replies.take('b')).toEqual([]);
  expect(textsOf(replies.take('a'))).toEqual(['<Response>a</Response>', '<Response/>']);
  expect(replies.take('a')).toEqual([]);
});

it('the replies of V3 to one read have one limit, beyond which none of them is kept', async () => {
  const replies = repliesOf([['12345'], ['678', '90'], ['1'], ['next']], 10);
  for (let page = 0; page < 2; page += 1) await receive(replies);
  expect(textsOf(replies.take('a'))).toEqual(['12345', '67890']);
  const longer = repliesOf([['12345'], ['678', '901'], ['next']], 10);
  for (let page = 0; page < 2; page += 1) await receive(longer);
  expect(longer.take('a')).toBe('too-long');
  await receive(longer);
  expect(textsOf(longer.take('a'))).toEqual(['next']);
});

/** Compares one read of a list that V1 answers so, and that V3 answers so after sending these bytes. */
async function compared(v1: string, v3: string, replies: V3Replies) {
  const answerOf = (text: string): ReadAnswer => ({
    ...{ answer: 'read', source: 'v3', contentType: 'text/xml', text, root: readDocument(text) },
  });
  const moved = {
    async read() {
      await receive(replies);
      return answerOf(v3);
    },
  } as unknown as LegacyReads;
  const asking = new Asking({
    ...{ v1: { read: async () => answerOf(v1) } as unknown as LegacyReads, moved },
    ...{ inUse: () => 0, perMinute: 60, pause: async () => undefined },
    received: (accountId) => replies.take(accountId),
  });
  const sample: KeptSample = {
    ...{ purpose: 'baseline', method: 'staff.list', at: 0, source: 'v1', key: '', reply: undefined },
    request: { segments: request.segments, query: [] },
  };
  const comparing = new Comparing(
    {
      ...{ asking, methods: new Map(deliveredMapping().methods.map((method) => [method.id, method])) },
      seal: KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`)),
      disagreement: async (reply) => (reply.includes('only the second') ? 'Response: text' : undefined),
      ...{ pageSizes: [], now: () => 1 },
    },
    { id: 'a' } as Account,
  );
  const { comparison } = await comparing.run([sample], new Map(), () => undefined);
  return comparison;
}

const listOf = (name: string): string =>
  `<Response><Status>OK</Status><StaffList><Staff><ID>1</ID><Name>${name}</Name></Staff></StaffList></Response>`;

it('the second reader reads what V3 sent, not what the bridge wrote of it', async () => {
  const replies = repliesOf([['<Response>only the second reader understands this</Response>']]);
  const { groups } = await compared(listOf('Ana'), listOf('Ana'), replies);
  expect(groups).toMatchObject([{ method: 'staff.list', cause: 'readers', example: 'Response: text' }]);
});

it.each([
  ['than the bridge keeps', ['only the second reader'], 10],
  ['than the second reader reads', [`only the second reader${' '.repeat(LONGEST_REPLY)}`], undefined],
])('a reply longer %s is not compared, and no difference of the readers', async (_, page, most) => {
  const { groups, uncompared } = await compared(listOf('Ana'), listOf('Ana'), repliesOf([page], most));
  expect(groups).toEqual([]);
  expect(uncompared).toMatchObject([
    {
      ...{ method: 'staff.list', reads: 1, isTemporary: false },
      why: 'no difference was found, but the reply is too long for the second XML reader',
    },
  ]);
});

it('a reply that is too long for the second reader still shows its differences', async () => {
  const { groups, uncompared } = await compared(listOf('Ana'), listOf('Bob'), repliesOf([['long']], 1));
  expect(groups).toMatchObject([{ method: 'staff.list', cause: 'value' }]);
  expect(uncompared).toEqual([]);
});
