import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Failure } from '../../src/lib/failure.ts';
import { LONGEST_SHARED } from '../../src/proxy/sparing/flights.ts';
import { eventually } from '../support/clock.ts';
import {
  ask,
  callOf,
  closeWorlds,
  ok,
  pair,
  pieces,
  textOf,
  uuid,
  world,
  type Played,
  type Setting,
  type World,
} from './world.ts';

const CLIENT = uuid('c1', 1);
const client = (name: string): Played => ok(`<Client><UUID>${CLIENT}</UUID><Name>${name}</Name></Client>`);

let folder: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-sharing-'));
});
afterEach(async () => {
  await closeWorlds();
  rmSync(folder, { recursive: true });
});

/** A service that answers a read only when told to, with the number of the request as the name. */
class HeldService {
  readonly #waiting: (() => void)[] = [];
  #count = 0;

  readonly answer: NonNullable<Setting['v3']> = async ({ verb, segments }) => {
    if (verb !== 'GET') return client('written');
    const name = `n${(this.#count += 1)}`;
    await new Promise<void>((resolve) => this.#waiting.push(resolve));
    return segments[1] === 'documents' ? ok() : client(name);
  };

  get asked(): number {
    return this.#count;
  }

  async asks(count: number): Promise<void> {
    await eventually(`${count} requests have come`, () => (this.#count >= count ? true : undefined));
  }

  /** Answers what waits. */
  go(): void {
    for (const resolve of this.#waiting.splice(0)) resolve();
  }
}

const setting = (v3: NonNullable<Setting['v3']>): Setting => ({
  url: `sqlite:${join(folder, 'store.db')}`,
  ledger: true,
  sparing: {},
  pairs: [pair('client', 7, CLIENT)],
  complete: ['client'],
  v3,
});

const READ = 'GET client.api/get/7';
const read = (of: World): Promise<string> => ask(of, READ);
let writes = 0;
const write = async (of: World): Promise<void> => {
  const body = '<Client><ID>7</ID><Name>changed</Name></Client>';
  const requestId = `w${(writes += 1)}`;
  const reply = await of.bridge.serve(callOf('PUT client.api/update', { body, requestId }));
  reply.delivered?.(true);
  await eventually('the ledger knows its outcome', async () =>
    (await of.store.writeMarks.look('account-1')).open.size === 0 ? true : undefined,
  );
};
const nameIn = (text: string): string | undefined => /<Name>(.*?)<\/Name>/.exec(text)?.[1];
/** Long enough for anything that does not wait for the service to have happened. */
const turns = async (): Promise<void> => {
  for (let n = 0; n < 50; n += 1) await new Promise(setImmediate);
};

describe('identical reads of an account that are in progress', () => {
  it('share one request to the service, and get the same bytes', async () => {
    const service = new HeldService();
    const all = await world(setting(service.answer));
    const replies = Array.from({ length: 10 }, () => read(all));
    await service.asks(1);
    await turns();
    service.go();
    const texts = await Promise.all(replies);
    expect(new Set(texts).size).toBe(1);
    expect(nameIn(texts[0] ?? '')).toBe('n1');
    expect([all.v3.requests.length, all.spared]).toEqual([1, Array.from({ length: 9 }, () => 'joined')]);
  });

  it('share nothing with one that has ended', async () => {
    const all = await world(setting((_, count) => client(`n${count}`)));
    expect(nameIn(await read(all))).toBe('n1');
    expect(nameIn(await read(all))).toBe('n2');
  });

  it('share nothing with one for something else', async () => {
    const service = new HeldService();
    const all = await world(setting(service.answer));
    const replies = [read(all), ask(all, 'GET client.api/documents/7')];
    await service.asks(2);
    service.go();
    await Promise.all(replies);
    expect(all.spared).toEqual([]);
  });

  it.each(['the same instance', 'another instance'])(
    'do not join one that started before a write was answered by %s',
    async (where) => {
      const service = new HeldService();
      const all = await world(setting(service.answer));
      const other = where === 'another instance' ? await world(setting(service.answer)) : all;
      const before = read(all);
      await service.asks(1);
      await write(other);
      const after = [read(all), read(all)];
      await service.asks(2);
      await turns();
      service.go();
      expect(nameIn(await before)).toBe('n1');
      expect((await Promise.all(after)).map(nameIn)).toEqual(['n2', 'n2']);
      expect(service.asked).toBe(2);
    },
  );

  it('do not join one that started while a write was in progress', async () => {
    const service = new HeldService();
    const writing = Promise.withResolvers<undefined>();
    const all = await world(
      setting(async (...request) => {
        if (request[0].verb !== 'GET') await writing.promise;
        return service.answer(...request);
      }),
    );
    const written = write(all);
    await eventually('the write has left', () => (all.v3.requests.length === 1 ? true : undefined));
    const during = read(all);
    await service.asks(1);
    writing.resolve(undefined);
    await written;
    const after = read(all);
    await service.asks(2);
    service.go();
    expect(nameIn(await during)).toBe('n1');
    expect(nameIn(await after)).toBe('n2');
  });

  it('send their own request if the one they joined fails', async () => {
    const service = new HeldService();
    const all = await world(
      setting(async (request, count) => {
        const answer = await service.answer(request, count);
        if (count === 1) throw new Failure('upstreamUnavailable');
        return answer;
      }),
    );
    const first = all.bridge.serve(callOf(READ)).catch((error: unknown) => error);
    const second = read(all);
    await service.asks(1);
    await turns();
    service.go();
    await service.asks(2);
    service.go();
    expect(await first).toMatchObject({ code: 'upstreamUnavailable' });
    expect(nameIn(await second)).toBe('n2');
  });

  it('stop waiting if their own caller leaves', async () => {
    const service = new HeldService();
    const all = await world(setting(service.answer));
    const first = read(all);
    await service.asks(1);
    const gone = new AbortController();
    const second = all.bridge
      .serve({ ...callOf(READ), signal: gone.signal })
      .catch((error: unknown) => error);
    await turns();
    gone.abort();
    expect(await second).toMatchObject({ code: 'upstreamUnavailable' });
    service.go();
    expect(nameIn(await first)).toBe('n1');
    expect(service.asked).toBe(1);
  });

  it('get a refusal of the service as if each had asked', async () => {
    const waiting = Promise.withResolvers<undefined>();
    const all = await world(
      setting(async () => {
        await waiting.promise;
        return { status: 404, body: '<Response><Status>ERROR</Status></Response>' };
      }),
    );
    const replies = [1, 2].map(() => all.bridge.serve(callOf(READ)).catch((error: unknown) => error));
    await turns();
    waiting.resolve(undefined);
    const [one, two] = await Promise.all(replies);
    expect(one).toBeInstanceOf(Failure);
    expect(two).toMatchObject({ code: (one as Failure).code, text: (one as Failure).text });
    expect(all.v3.requests).toHaveLength(1);
  });

  it('are complete although the reply is too long to be shared', async () => {
    const record = `<Client><UUID>${CLIENT}</UUID><Name>${'n'.repeat(60_000)}</Name></Client>`;
    const records = Array.from({ length: Math.ceil(LONGEST_SHARED / record.length) + 1 }, () => record);
    const waiting = Promise.withResolvers<undefined>();
    const all = await world({
      ...setting(async () => {
        await waiting.promise;
        const open = '<Response><Status>OK</Status><TotalRecords>1</TotalRecords><Clients>';
        return { body: pieces(open, ...records, '</Clients></Response>') };
      }),
      pageSize: 1_000,
    });
    const list = async (): Promise<number> =>
      (await textOf(await all.bridge.serve(callOf('GET client.api/list')))).length;
    const replies = [list(), list()];
    await turns();
    waiting.resolve(undefined);
    const [one = 0, two] = await Promise.all(replies);
    expect(one).toBeGreaterThan(LONGEST_SHARED);
    expect(two).toBe(one);
    expect(all.spared).toEqual([]);
  });

  it('share nothing while the database cannot show which writes happened', async () => {
    const service = new HeldService();
    const all = await world(setting(service.answer));
    const warm = read(all);
    await service.asks(1);
    service.go();
    await warm;
    all.outage.away = true;
    const replies = [read(all), read(all)];
    await service.asks(3);
    service.go();
    await Promise.all(replies);
    expect(all.spared).toEqual([]);
  });

  it('are not joined by the bridge’s own reads, which need the current state', async () => {
    const service = new HeldService();
    const all = await world(setting(service.answer));
    const first = read(all);
    await service.asks(1);
    const own = all.bridge.serve({ ...callOf(READ), isOwn: true });
    await service.asks(2);
    service.go();
    await Promise.all([first, own]);
    expect(all.spared).toEqual([]);
  });
});
