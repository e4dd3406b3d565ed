import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Store } from '../../../src/app/store.ts';
import { DocumentBody } from '../../../src/features/writes/documents/document-body.ts';
import { SpoolFolder } from '../../../src/features/writes/documents/spool.ts';
import { WriteLedger } from '../../../src/features/writes/ledger.ts';
import { Leaving, type WriteCall, type WriteReply } from '../../../src/features/writes/write-call.ts';
import { Failure } from '../../../src/lib/failure.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { KeyKeeper } from '../../../src/tokens/sealing/key-rotation.ts';
import { KeyRing } from '../../../src/tokens/sealing/keyring.ts';
import { newAccount, NOW } from '../../db/records.ts';
import { eventually } from '../../support/clock.ts';
import { openMemoryStore } from '../../support/store.ts';

const [OLD, NEW] = [1, 2].map((byte) => `k${byte}:${Buffer.alloc(32, byte).toString('base64')}`);
const ringOf = (...lines: readonly (string | undefined)[]): KeyRing =>
  KeyRing.parse(new Secret(lines.join(',')));
const [old, both] = [ringOf(OLD), ringOf(NEW, OLD)];

let folder: string;
let store: Store;
let accountId: string;
let sent: number;

beforeEach(async () => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-new-key-'));
  store = await openMemoryStore();
  ({ id: accountId } = await store.accounts.add(newAccount()));
  sent = 0;
});

afterEach(async () => {
  await store.close();
  rmSync(folder, { recursive: true });
});

const call = (changes: Partial<WriteCall>): WriteCall => ({
  ...{ id: randomUUID(), accountId, method: 'client.add', route: 'v3', verb: 'POST' },
  ...{ segments: ['client.api', 'add'], query: [], bytes: Buffer.from('<Client><Name>Anna</Name></Client>') },
  ...{ key: undefined, makes: { kind: 'client' } },
  ...{ signal: new AbortController().signal, leaving: new Leaving() },
  ...changes,
});

/** A document of more than its head, as a caller sends it. */
async function documentCall(): Promise<WriteCall> {
  async function* pieces(): AsyncGenerator<Buffer> {
    for (const fill of ['<Document><Title>Lease</Title>', ...Array<string>(9).fill('QUJD'.repeat(4096))])
      yield Buffer.from(fill);
  }
  const document = new DocumentBody(pieces(), undefined, new SpoolFolder(folder, 1_000_000), accountId);
  return call({ bytes: await document.head(), document, makes: undefined });
}

/** Sends it by a bridge with these keys; `lost`: the answer does not arrive. */
function perform(seal: KeyRing, write: WriteCall, fate: 'answered' | 'lost'): Promise<WriteReply> {
  let looks = 0;
  const ledger = new WriteLedger({
    ...{ writes: store.writes, seal, log: silentLog, owner: randomUUID(), alone: true, joinMs: 1_000 },
    clock: { now: () => NOW + 100 * (looks += 1) },
    isStopping: () => false,
  });
  return ledger.perform(write, async () => {
    write.leaving.leaves();
    sent += 1;
    if (write.document !== undefined)
      for await (const piece of write.document.pieces()) expect(piece).toBeDefined();
    if (fate === 'lost') throw new Failure('outcomeUnknown');
    const body = `<Response><Status>OK</Status><Client><ID>${sent}</ID></Client></Response>`;
    return { status: 200, source: 'v3', contentType: 'text/xml', body };
  });
}

const rotate = async (): Promise<void> => {
  const terms = { clock: { now: () => NOW }, pauses: store.pauses, since: NOW, writesKept: 0 };
  const parity = { underEarlierKeys: () => Promise.resolve(0) };
  await new KeyKeeper({ repository: store.sealed, ring: both, parity, ...terms }).rotate();
};

describe('a repeat of a write from before a new encryption key came first', () => {
  it.each([
    { when: 'before', work: async () => undefined },
    { when: 'after', work: rotate },
  ])('gets its answer by its Idempotency-Key $when the values were resealed', async ({ work }) => {
    const write = call({ key: 'order-4711' });
    const first = await perform(old, write, 'answered');
    first.delivered?.(true);
    await eventually('it is over', async () =>
      (await store.writes.find(write.id))?.caller === 'told' ? true : undefined,
    );
    await work();
    const repeat = await perform(both, call({ key: 'order-4711' }), 'answered');
    expect(repeat.body).toBe(first.body);
    expect(repeat.headers).toEqual({ 'X-Causeway-Joined': write.id });
    expect(sent).toBe(1);
  });

  it('is refused if its Idempotency-Key came with another request', async () => {
    await perform(old, call({ key: 'order-4711' }), 'answered');
    await rotate();
    const other = perform(both, call({ key: 'order-4711', bytes: Buffer.from('<Client/>') }), 'answered');
    await expect(other).rejects.toMatchObject({ code: 'refused' });
  });

  it.each([
    { what: 'the same bytes', write: async () => call({}) },
    { what: 'the same document', write: documentCall },
  ])('joins it by $what, if the answer was lost', async ({ write }) => {
    await expect(perform(old, await write(), 'lost')).rejects.toMatchObject({ code: 'outcomeUnknown' });
    await rotate();
    await expect(perform(both, await write(), 'answered')).rejects.toMatchObject({ code: 'outcomeUnknown' });
    expect(sent).toBe(1);
  });
});
