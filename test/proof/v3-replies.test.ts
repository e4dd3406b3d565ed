import { expect, it } from '@jest/globals';
import { buffer } from 'node:stream/consumers';
import type { Account } from '../../src/features/accounts/account.ts';
import type { LegacyReads, ReadAnswer } from '../../src/features/writes/settling/reads.ts';
import type { KeptSample } from '../../src/features/samples/packed.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import { Asking } from '../../src/proof/parity/asking.ts';
import { Comparing } from '../../src/proof/parity/comparing.ts';
import { V3Replies } from '../../src/proof/parity/v3-replies.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import type { Destination, Upstream } from '../../src/upstream/model.ts';
import { deliveredMapping } from '../support/mapping.ts';

const to: Destination = {
  ...{ accountId: 'a', product: 'standard', application: 'default', grantId: 'g', organisationId: 'o' },
};
const request = { verb: 'GET' as const, segments: ['staff.api', 'list'], query: [] };

/** V3 with these pages, in pieces. */
function repliesOf(...pages: readonly (readonly string[])[]): V3Replies {
  const waiting = [...pages];
  const send = async () => {
    const page = waiting.shift() ?? [];
    const body = (async function* () {
      for (const piece of page) yield Buffer.from(piece);
    })();
    return { status: 200, contentType: 'text/xml', headers: {}, body, millis: 0 };
  };
  return new V3Replies({ send } as unknown as Upstream);
}

it('the replies of V3 to one account are kept as they came, page by page, and only once', async () => {
  const replies = repliesOf(['<Response>', 'a</Response>'], ['<Response/>']);
  const signal = new AbortController().signal;
  for (let page = 0; page < 2; page += 1) await buffer((await replies.send(to, { ...request, signal })).body);
  expect(replies.take('b')).toEqual([]);
  expect(replies.take('a')).toEqual(['<Response>a</Response>', '<Response/>']);
  expect(replies.take('a')).toEqual([]);
});

it('the second reader reads what V3 sent, not what the bridge wrote of it', async () => {
  const replies = repliesOf(['<Response>only the second reader understands this</Response>']);
  const written = '<Response><Status>OK</Status><StaffList /></Response>';
  const answer: ReadAnswer = {
    ...{ answer: 'read', source: 'v3', contentType: 'text/xml', text: written, root: readDocument(written) },
  };
  const moved = {
    async read() {
      const { body } = await replies.send(to, { ...request, signal: new AbortController().signal });
      await buffer(body);
      return answer;
    },
  } as unknown as LegacyReads;
  const asking = new Asking({
    ...{ v1: { read: async () => answer } as unknown as LegacyReads, moved },
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
  expect(comparison.groups).toMatchObject([
    { method: 'staff.list', cause: 'readers', example: 'Response: text' },
  ]);
});
