import { afterEach, describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { mock } from 'node:test';
import type { Store } from '../../../src/app/store.ts';
import { openMemoryStore } from '../../support/store.ts';
import { WriteLedger, type LedgerParts } from '../../../src/features/writes/ledger.ts';
import { Leaving, type WriteCall, type WriteReply } from '../../../src/features/writes/write-call.ts';
import { MINUTE, systemClock } from '../../../src/lib/time/clock.ts';
import { Failure } from '../../../src/lib/failure.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { KeyRing } from '../../../src/tokens/sealing/keyring.ts';
import { eventually, setBackFor } from '../../support/clock.ts';
import { newAccount, NOW } from '../../db/records.ts';

const ring = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 7).toString('base64')}`));
const stores: Store[] = [];
afterEach(async () => {
  mock.restoreAll();
  for (const store of stores.splice(0)) await store.close();
});

const numbered = (number: number): WriteReply => ({
  status: 200,
  source: 'v3',
  contentType: 'text/xml',
  body: `<Response><Status>OK</Status><Client><ID>${number}</ID></Client></Response>`,
});

const textOf = ({ body }: WriteReply): string => (typeof body === 'string' ? body : '');

/** A service that makes a record for each request that reaches it. */
class Service {
  made = 0;

  /** `lost`: the answer does not arrive. */
  readonly send =
    (call: WriteCall, fate: 'answered' | 'lost' | 'unsent' | Promise<void> = 'answered') =>
    async (): Promise<WriteReply> => {
      if (fate === 'unsent') throw new Failure('upstreamUnavailable');
      call.leaving.leaves();
      this.made += 1;
      const reply = numbered(this.made);
      if (fate instanceof Promise) await fate;
      if (fate === 'lost') throw new Failure('outcomeUnknown');
      return reply;
    };
}

interface Scene {
  readonly store: Store;
  readonly service: Service;
  readonly ledger: WriteLedger;
  readonly call: (changes?: Partial<WriteCall>) => WriteCall;
  readonly process: (parts?: Partial<LedgerParts>) => WriteLedger;
}

async function scene(): Promise<Scene> {
  const store = await openMemoryStore();
  stores.push(store);
  const account = await store.accounts.add(newAccount());
  // Each look takes a tenth of the time that a repeat waits for the first: one that waits in vain ends.
  let looks = 0;
  const process = (parts: Partial<LedgerParts> = {}): WriteLedger =>
    new WriteLedger({
      writes: store.writes,
      seal: ring,
      clock: { now: () => NOW + 100 * (looks += 1) },
      log: silentLog,
      owner: randomUUID(),
      alone: true,
      joinMs: 1_000,
      isStopping: () => false,
      ...parts,
    });
  const call = (changes: Partial<WriteCall> = {}): WriteCall => ({
    id: randomUUID(),
    accountId: account.id,
    method: 'client.add',
    route: 'v3',
    verb: 'POST',
    segments: ['client.api', 'add'],
    query: [],
    bytes: Buffer.from('<Client><Name>Anna</Name></Client>'),
    key: undefined,
    makes: { kind: 'client' },
    signal: new AbortController().signal,
    leaving: new Leaving(),
    ...changes,
  });
  return { store, service: new Service(), ledger: process(), call, process };
}

/** As the server does once the reply is out. */
const told = async ({ store }: Scene, reply: WriteReply, { id }: WriteCall): Promise<void> => {
  reply.delivered?.(true);
  const caller = await eventually('what came of it is written down', async () => {
    const written = (await store.writes.find(id))?.caller;
    return written === 'waits' ? undefined : written;
  });
  expect(caller).toBe('told');
};

describe('a write in the ledger', () => {
  it('is recorded before any of it is sent', async () => {
    const { ledger, call, store } = await scene();
    const write = call();
    let before: unknown;
    await ledger.perform(write, async () => {
      before = await store.writes.find(write.id);
      return numbered(1);
    });
    expect(before).toMatchObject({ state: 'open', caller: 'waits' });
  });

  it('is done, with its number, once its caller has the reply', async () => {
    const all = await scene();
    const write = all.call();
    await told(all, await all.ledger.perform(write, all.service.send(write)), write);
    expect(await all.store.writes.find(write.id)).toMatchObject({ state: 'done', made: '1' });
  });

  it('cuts off a reply that is still arriving and that nobody will read', async () => {
    const { ledger, call } = await scene();
    const write = call();
    const endless = async function* (): AsyncGenerator<Buffer> {
      for (;;) yield Buffer.alloc(100_000);
    };
    const send = async (): Promise<WriteReply> => {
      write.leaving.leaves();
      return { ...numbered(1), status: 500, body: endless() };
    };
    await expect(ledger.perform(write, send)).rejects.toMatchObject({ code: 'outcomeUnknown' });
    expect(write.leaving.signal.aborted).toBe(true);
  });

  it('leaves no row if nothing of it was sent', async () => {
    const { ledger, call, store, service } = await scene();
    const write = call();
    await expect(ledger.perform(write, service.send(write, 'unsent'))).rejects.toMatchObject({
      code: 'upstreamUnavailable',
    });
    expect(await store.writes.find(write.id)).toBeUndefined();
  });

  it('is a new record if it is repeated after the first caller had its reply', async () => {
    const all = await scene();
    for (const number of [1, 2]) {
      const write = all.call();
      const reply = await all.ledger.perform(write, all.service.send(write));
      expect(textOf(reply)).toContain(`<ID>${number}</ID>`);
      await told(all, reply, write);
    }
    expect(all.service.made).toBe(2);
  });

  it('is a new record if it is repeated after the first caller learned the settled outcome', async () => {
    const all = await scene();
    const answer = Promise.withResolvers<undefined>();
    const first = all.call();
    const waiting = all.ledger.perform(first, all.service.send(first, answer.promise));
    await eventually('it has left', () => all.service.made === 1 || undefined);
    const { owner = '' } = (await all.store.writes.find(first.id)) ?? {};
    await all.store.writes.declareDead(owner, NOW);
    await all.store.writes.settle(first.id, { settlement: 'done', made: '1', note: '', now: NOW });
    answer.resolve(undefined);
    (await waiting).delivered?.(true);
    await eventually(
      'that its caller was told is written down',
      async () => (await all.store.writes.find(first.id))?.caller === 'told' || undefined,
    );
    const second = all.call();
    expect(textOf(await all.ledger.perform(second, all.service.send(second)))).toContain('<ID>2</ID>');
  });

  it('is a record of its own while the first caller waits', async () => {
    const { ledger, call, service } = await scene();
    const answer = Promise.withResolvers<undefined>();
    const [first, second] = [call(), call()];
    const waiting = ledger.perform(first, service.send(first, answer.promise));
    await eventually('it has left', () => service.made === 1 || undefined);
    expect(textOf(await ledger.perform(second, service.send(second)))).toContain('<ID>2</ID>');
    answer.resolve(undefined);
    expect(textOf(await waiting)).toContain('<ID>1</ID>');
  });

  it('is a record of its own while the first caller waits for the outcome', async () => {
    const { process, call, service, store } = await scene();
    const looked = Promise.withResolvers<undefined>();
    const find = (id: string) => looked.promise.then(() => store.writes.find(id));
    const ledger = process({ settler: { watch: find, lookAt: find } });
    const [first, second] = [call(), call()];
    const waiting = ledger.perform(first, service.send(first, 'lost'));
    await eventually(
      'it is unknown',
      async () => (await store.writes.find(first.id))?.state === 'unknown' || undefined,
    );
    expect(textOf(await ledger.perform(second, service.send(second)))).toContain('<ID>2</ID>');
    looked.resolve(undefined);
    await expect(waiting).rejects.toMatchObject({ code: 'outcomeUnknown' });
    expect(await store.writes.find(first.id)).toMatchObject({ caller: 'untold' });
  });

  it('waits no longer for one with its key because the clock was set back', async () => {
    const { store, process, call } = await scene();
    const ledger = process({ clock: systemClock, joinMs: 0 });
    const answer = Promise.withResolvers<WriteReply>();
    const sent = Promise.withResolvers<undefined>();
    const first = ledger.perform(call({ key: 'k' }), () => {
      sent.resolve(undefined);
      return answer.promise;
    });
    await sent.promise;
    const find = store.writes.find.bind(store.writes);
    mock.method(store.writes, 'find', (id: string) => {
      setBackFor(0);
      return find(id);
    });
    await expect(ledger.perform(call({ key: 'k' }), () => answer.promise)).rejects.toMatchObject({
      code: 'outcomeUnknown',
    });
    answer.resolve(numbered(1));
    await first;
  });

  it('joins an identical one whose outcome is unknown to the caller, and sends nothing', async () => {
    const { ledger, call, service, store } = await scene();
    const first = call();
    await expect(ledger.perform(first, service.send(first, 'lost'))).rejects.toMatchObject({
      code: 'outcomeUnknown',
    });
    const repeat = call();
    await expect(ledger.perform(repeat, service.send(repeat))).rejects.toMatchObject({
      code: 'outcomeUnknown',
    });
    expect(service.made).toBe(1);
    expect(await store.writes.find(first.id)).toMatchObject({ state: 'unknown', caller: 'untold' });
  });

  it('returns the reply that its caller did not wait for to a repeat, with the same number', async () => {
    const { ledger, call, service } = await scene();
    const caller = new AbortController();
    const answer = Promise.withResolvers<undefined>();
    const first = call({ signal: caller.signal });
    const left = ledger.perform(first, service.send(first, answer.promise));
    await eventually('it has left', () => service.made === 1 || undefined);
    caller.abort();
    const repeat = call();
    const joined = ledger.perform(repeat, service.send(repeat));
    answer.resolve(undefined);
    await expect(left).rejects.toBeInstanceOf(Failure);
    const reply = await joined;
    expect(textOf(reply)).toContain('<ID>1</ID>');
    expect(reply.headers).toMatchObject({ 'X-Causeway-Joined': first.id });
    expect(service.made).toBe(1);
  });

  it('is unknown after its process died, and a repeat joins it', async () => {
    const { ledger, call, service, process, store } = await scene();
    const first = call();
    const never = new Promise<void>(() => undefined);
    void ledger.perform(first, service.send(first, never));
    await eventually('it has left', () => service.made === 1 || undefined);
    const repeat = call();
    await expect(process().perform(repeat, service.send(repeat))).rejects.toMatchObject({
      code: 'outcomeUnknown',
    });
    expect(service.made).toBe(1);
    expect(await store.writes.find(first.id)).toMatchObject({ state: 'unknown', caller: 'untold' });
  });

  it('has one reply for one Idempotency-Key, and the key is refused to another body', async () => {
    const all = await scene();
    const { ledger, call, service } = all;
    const first = call({ key: 'order 7' });
    await told(all, await ledger.perform(first, service.send(first)), first);
    const again = call({ key: 'order 7' });
    expect(textOf(await ledger.perform(again, service.send(again)))).toContain('<ID>1</ID>');
    const other = call({ key: 'order 7', bytes: Buffer.from('<Client><Name>Ada</Name></Client>') });
    await expect(ledger.perform(other, service.send(other))).rejects.toMatchObject({ code: 'refused' });
    expect(service.made).toBe(1);
  });

  it.each(['budgetExhausted', 'upstreamUnavailable', 'consentNeeded', 'notPermitted', 'busy'] as const)(
    'is sent again with its Idempotency-Key after a refusal that passes (%s)',
    async (code) => {
      const { ledger, call, service } = await scene();
      const first = call({ key: 'order 10' });
      const refused = async (): Promise<WriteReply> => {
        first.leaving.leaves();
        throw new Failure(code);
      };
      await expect(ledger.perform(first, refused)).rejects.toMatchObject({ code });
      const again = call({ key: 'order 10' });
      expect(textOf(await ledger.perform(again, service.send(again)))).toContain('<ID>1</ID>');
      const third = call({ key: 'order 10' });
      expect(textOf(await ledger.perform(third, service.send(third)))).toContain('<ID>1</ID>');
    },
  );

  it.each([401, 403, 429])('is sent again with its Idempotency-Key after a %d of V1', async (status) => {
    const { ledger, call, service } = await scene();
    const first = call({ key: 'order 11' });
    const send = async (): Promise<WriteReply> => {
      first.leaving.leaves();
      return { ...numbered(0), status, body: '<Response><Status>ERROR</Status></Response>' };
    };
    expect(await ledger.perform(first, send)).toMatchObject({ status });
    const again = call({ key: 'order 11' });
    expect(textOf(await ledger.perform(again, service.send(again)))).toContain('<ID>1</ID>');
  });

  it('is sent again with its Idempotency-Key if V1 said after which time', async () => {
    const { ledger, call, service } = await scene();
    const first = call({ key: 'order 13' });
    const send = async (): Promise<WriteReply> => {
      first.leaving.leaves();
      const body = '<Response><Status>ERROR</Status></Response>';
      return { ...numbered(0), status: 409, headers: { 'Retry-After': '5' }, body };
    };
    expect(await ledger.perform(first, send)).toMatchObject({ status: 409 });
    const again = call({ key: 'order 13' });
    expect(textOf(await ledger.perform(again, service.send(again)))).toContain('<ID>1</ID>');
  });

  it.each(['{"status":200,"failure":"budgetExhausted","body":""}', '{"status":429,"body":""}'])(
    'is sent again if 1.0.0-rc.1 stored a refusal that passes (%s)',
    async (stored) => {
      const { ledger, call, service } = await scene();
      const first = call({ key: 'order 14' });
      const refused = async (): Promise<WriteReply> => {
        first.leaving.leaves();
        throw new Failure('refused');
      };
      await expect(ledger.perform(first, refused)).rejects.toMatchObject({ code: 'refused' });
      const open = mock.method(ring, 'open', () => new Secret(stored));
      const again = call({ key: 'order 14' });
      const reply = await ledger.perform(again, service.send(again)).finally(() => {
        open.mock.restore();
      });
      expect(textOf(reply)).toContain('<ID>1</ID>');
    },
  );

  it('gets the same refusal with its Idempotency-Key if the refusal lies in the call', async () => {
    const { ledger, call, service } = await scene();
    const first = call({ key: 'order 12' });
    const refused = async (): Promise<WriteReply> => {
      first.leaving.leaves();
      throw new Failure('refused', { text: 'The name is missing' });
    };
    await expect(ledger.perform(first, refused)).rejects.toMatchObject({ code: 'refused' });
    const again = call({ key: 'order 12' });
    await expect(ledger.perform(again, service.send(again))).rejects.toMatchObject({
      text: 'The name is missing',
      joined: first.id,
    });
    expect(service.made).toBe(0);
  });

  it('gets the 405 of V1 again with the verbs that V1 allows', async () => {
    const { ledger, call, service } = await scene();
    const first = call({ key: 'order 15' });
    const send = async (): Promise<WriteReply> => {
      first.leaving.leaves();
      return { ...numbered(0), status: 405, source: 'v1', headers: { Allow: 'GET, PUT' } };
    };
    expect(await ledger.perform(first, send)).toMatchObject({ status: 405 });
    const again = call({ key: 'order 15' });
    const reply = await ledger.perform(again, service.send(again));
    expect(reply).toMatchObject({
      status: 405,
      headers: { Allow: 'GET, PUT', 'X-Causeway-Joined': first.id },
    });
  });

  it('gets the refusal of its verb again with the verbs that are allowed', async () => {
    const { ledger, call, service } = await scene();
    const first = call({ key: 'order 16' });
    const refused = async (): Promise<WriteReply> => {
      first.leaving.leaves();
      throw new Failure('wrongVerb', { allow: ['GET', 'PUT'] });
    };
    await expect(ledger.perform(first, refused)).rejects.toMatchObject({ code: 'wrongVerb' });
    const again = call({ key: 'order 16' });
    await expect(ledger.perform(again, service.send(again))).rejects.toMatchObject({
      ...{ code: 'wrongVerb', allow: ['GET', 'PUT'], joined: first.id },
    });
  });

  it('is sent again if a later version stored its refusal under a code of its own', async () => {
    const { ledger, call, service, store } = await scene();
    const first = call({ key: 'order 8' });
    const refused = async (): Promise<WriteReply> => {
      first.leaving.leaves();
      throw new Failure('refused');
    };
    await expect(ledger.perform(first, refused)).rejects.toMatchObject({ code: 'refused' });
    const open = mock.method(ring, 'open', () => new Secret('{"failure":"outOfOrder","body":""}'));
    const again = call({ key: 'order 8' });
    const reply = await ledger.perform(again, service.send(again));
    open.mock.restore();
    expect(textOf(reply)).toContain('<ID>1</ID>');
    expect(await store.writes.find(again.id)).toMatchObject({ repeats: first.id });
  });

  it('repeats no step under one Idempotency-Key, even after a repeat of which nothing was sent', async () => {
    const { ledger, call } = await scene();
    const part = { says: 'a part', isLast: false } as const;
    const steps = [
      { ...part, key: 'job', state: 'done' },
      { ...part, key: 'note', state: 'not-done' },
    ] as const;
    const performed = async (how: (leaving: Leaving) => Promise<WriteReply>): Promise<readonly string[]> => {
      const write = call({ key: 'order 9' });
      await expect(ledger.perform(write, () => how(write.leaving))).rejects.toBeInstanceOf(Failure);
      return (write.leaving.steps?.earlier ?? []).map(({ key }) => key);
    };
    const unsent = () => Promise.reject(new Failure('budgetExhausted'));
    const first = await performed(async (leaving) => {
      leaving.leaves();
      await leaving.steps?.keep(steps);
      throw new Failure('outcomeUnknown');
    });
    expect(first).toEqual([]);
    expect([await performed(unsent), await performed(unsent)]).toEqual([
      ['job', 'note'],
      ['job', 'note'],
    ]);
  });

  it('is unknown if its reply is cut off', async () => {
    const { ledger, call, store } = await scene();
    const write = call();
    const cut = async function* (): AsyncGenerator<Buffer> {
      yield Buffer.from('<Response><Status>OK');
      throw new Failure('upstreamAnswer');
    };
    const send = async (): Promise<WriteReply> => {
      write.leaving.leaves();
      return { ...numbered(1), body: cut() };
    };
    await expect(ledger.perform(write, send)).rejects.toMatchObject({ code: 'outcomeUnknown' });
    expect(await store.writes.find(write.id)).toMatchObject({ state: 'unknown' });
  });

  it('is not sent if its process stood still until it may count as not done', () => {
    const [soon, late] = [new Leaving(), new Leaving()];
    expect([soon.leaves(), soon.hasLeft]).toEqual([true, true]);
    const now = performance.now.bind(performance);
    performance.now = () => now() + 5 * MINUTE + 1_000;
    try {
      expect([late.leaves(), late.hasLeft]).toEqual([false, false]);
    } finally {
      performance.now = now;
    }
  });

  it('is sent if its message took long to arrive, but not long after it was recorded', async () => {
    const { ledger, call } = await scene();
    const write = call();
    const now = performance.now.bind(performance);
    let later = 6 * MINUTE;
    performance.now = () => now() + later;
    try {
      const leaves: boolean[] = [];
      await ledger.perform(write, async () => {
        leaves.push(write.leaving.leaves());
        later *= 2;
        leaves.push(write.leaving.leaves());
        return numbered(1);
      });
      expect(leaves).toEqual([true, false]);
    } finally {
      performance.now = now;
    }
  });

  it('is joined by a repeat that arrives while another repeat is being sent', async () => {
    const { ledger, call, store, service } = await scene();
    const lost = call();
    await expect(ledger.perform(lost, service.send(lost, 'lost'))).rejects.toMatchObject({
      code: 'outcomeUnknown',
    });
    const made = service.made;
    const now = NOW + MINUTE;
    await store.writes.settle(lost.id, { settlement: 'not-done', by: 'operator', note: '', now });
    const answer = Promise.withResolvers<undefined>();
    const answered = answer.promise.then(() => undefined);
    const [sent, late] = [call(), call()];
    const first = ledger.perform(sent, service.send(sent, answered)).then((reply) => {
      reply.delivered?.(true);
      return reply;
    });
    await eventually('the repeat is on its way', async () => (service.made === made + 1 ? true : undefined));
    const second = ledger.perform(late, service.send(late));
    answer.resolve(undefined);
    const replies = await Promise.all([first, second]);
    expect(service.made).toBe(made + 1);
    expect(replies.map(({ headers }) => headers?.['X-Causeway-Joined'])).toEqual([undefined, sent.id]);
  });

  it('is stored with its message sealed', async () => {
    const { ledger, call, store, service } = await scene();
    const write = call();
    await ledger.perform(write, service.send(write));
    expect(JSON.stringify(await store.writes.find(write.id))).not.toContain('Anna');
  });
});
