import { expect, it } from '@jest/globals';
import type { Account } from '../../src/features/accounts/account.ts';
import type { Comparison } from '../../src/features/cutover/parity/model.ts';
import { Masking } from '../../src/features/samples/masking.ts';
import type { KeptSample } from '../../src/features/samples/packed.ts';
import type { SampledRequest } from '../../src/features/samples/sample.ts';
import type { ReadAnswer } from '../../src/features/writes/settling/reads.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Asking } from '../../src/proof/parity/asking.ts';
import { Comparing } from '../../src/proof/parity/comparing.ts';
import { withStillOpen } from '../../src/proof/parity/still-open.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { deliveredMapping } from '../support/mapping.ts';

const methods = new Map(deliveredMapping().methods.map((method) => [method.id, method]));
const keys = [1, 2].map((byte) => `k${byte}:${Buffer.alloc(32, byte).toString('base64')}`);

const client = (id: string, name: string): ReadAnswer => {
  const text = `<Response><Status>OK</Status><Client><ID>${id}</ID><Name>${name}</Name></Client></Response>`;
  return { answer: 'read', source: 'v3', contentType: 'text/xml', text, root: readDocument(text) };
};

interface Round {
  /** Clients with a sample. */
  readonly of: readonly string[];
  /** Clients that V3 gives another name. */
  readonly wrong?: readonly string[];
  readonly keys?: readonly string[];
}

/** Compares `client.get` of the clients, and adds what the comparison before it left open. */
async function next(before: Comparison | undefined, round: Round): Promise<Comparison> {
  const seal = KeyRing.parse(new Secret((round.keys ?? keys.slice(0, 1)).join(',')));
  const key = Masking.of(seal, 'a')?.key ?? '';
  const asking = {
    hasV1: true,
    v1: async (_: unknown, { segments: [, , id = ''] }: SampledRequest) => client(id, 'A'),
    moved: async (_: unknown, { segments: [, , id = ''] }: SampledRequest) =>
      client(id, round.wrong?.includes(id) === true ? 'B' : 'A'),
  } as unknown as Asking;
  const comparing = new Comparing(
    { asking, methods, seal, disagreement: async () => undefined, pageSizes: [], now: () => 1 },
    { id: 'a' } as Account,
  );
  const samples = round.of.map((id): KeptSample => ({
    ...{ purpose: 'baseline', method: 'client.get', at: 0, source: 'v1', key, reply: undefined },
    request: { segments: ['client.api', 'get', id], query: [] },
  }));
  const compared = await comparing.run(samples, new Map(), () => undefined);
  return { ...compared.comparison, groups: withStillOpen(before, compared) };
}

it.each<readonly [string, boolean, readonly Round[]]>([
  ['was compared again', false, [{ of: ['1', '2'], wrong: ['1'] }, { of: ['1'] }]],
  ['was not, but another was', true, [{ of: ['1', '2'], wrong: ['1'] }, { of: ['2'] }]],
  ['was, one of two', true, [{ of: ['1', '2'], wrong: ['1', '2'] }, { of: ['2'] }]],
  ['was, one after the other', false, [{ of: ['1', '2'], wrong: ['1', '2'] }, { of: ['2'] }, { of: ['1'] }]],
  [
    'was not since another showed it too',
    true,
    [{ of: ['1'], wrong: ['1'] }, { of: ['2'], wrong: ['2'] }, { of: ['2'] }],
  ],
  [
    'was, with a new key',
    false,
    [
      { of: ['1'], wrong: ['1'] },
      { of: ['1'], keys: keys.toReversed() },
    ],
  ],
])('a difference whose read %s: it is open: %s', async (_, isOpen, rounds) => {
  let last: Comparison | undefined;
  for (const round of rounds) last = await next(last, round);
  expect(last?.groups.map(({ key }) => key)).toEqual(
    isOpen ? ['v3 client.get Response/Client/Name value'] : [],
  );
});
