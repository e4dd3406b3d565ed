import { expect, it } from '@jest/globals';
import { methodOf, RecordNames } from '../../src/proof/client/tables.ts';
import { Call } from '../../src/proof/client/assets/typescript/runtime/call.ts';
import { callV3 } from '../../src/proof/client/assets/typescript/runtime/v3.ts';
import type { Shared } from '../../src/proof/client/client-tables.ts';
import type { Answer, Transport } from '../../src/proof/client/assets/typescript/runtime/transport.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { testProfile } from '../support/profile.ts';

const mapping = deliveredMapping();
const [update] = mapping.methods.filter(({ id }) => id === 'client.relationship.update');

/** The verbs that a client sends, while the service answers with these statuses in turn. */
async function verbs(...statuses: readonly number[]): Promise<readonly string[]> {
  if (update === undefined) throw new Error('the method is missing');
  const method = {
    ...methodOf(update, new RecordNames(), { mapping, profile: testProfile() }),
    records: { ChangedRelationship: { ID: { id: 'relationship' } } },
  };
  const sent: string[] = [];
  const transport = {
    send: async ({ verb }: { readonly verb: string }): Promise<Answer> => {
      sent.push(verb);
      const status = statuses[sent.length - 1] ?? 200;
      return { status, text: `<Response><Status>${status === 200 ? 'OK' : 'ERROR'}</Status></Response>` };
    },
  } as unknown as Transport;
  const around = { transport, shared: {} as Shared, now: () => 0, timeZone: undefined };
  const input = { body: { ID: 'c1000000-0000-4000-8000-000000000001' } };
  await callV3(new Call(method, input, 'v3', around, undefined)).catch(() => undefined);
  return sent;
}

it('a generated client sends a write with the other verb only after a 405', async () => {
  expect(await verbs(405)).toEqual(['POST', 'PUT']);
  expect(await verbs(404)).toEqual(['POST']);
  expect(await verbs(500)).toEqual(['POST']);
});
