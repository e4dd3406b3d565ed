import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpoolFolder } from '../../src/features/writes/documents/spool.ts';
import { Failure } from '../../src/lib/failure.ts';
import { sealedAs } from '../../src/tokens/sealing/sealed.ts';
import type { StreamedBody, V1Endpoint } from '../../src/upstream/model.ts';
import { eventually } from '../support/clock.ts';
import { ask, callOf, closeWorlds, ok, refusal, world, type CallOptions, type World } from './world.ts';

/** Documents that go to V1 leave while they are read; the ledger knows them by their beginning until they are read. */

const LINE = 'POST job.api/document';
const PIECE = 64 * 1024;
const MEGABYTE = 1024 * 1024;

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-spool-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
afterEach(closeWorlds);

const spools = (most = 10 * MEGABYTE): SpoolFolder => new SpoolFolder(folder, most);

interface Counted {
  given: number;
  taken: number;
  most: number;
}

/** A document of that many pieces behind its names; `last` is what it ends with. */
function document(
  count: number,
  { last = 'END', held, stopsAfter = Infinity }: { last?: string; held?: Counted; stopsAfter?: number } = {},
): NonNullable<CallOptions['pieces']> {
  const head = Buffer.from(
    '<Document><Job>J1</Job><Title>Plan</Title><FileName>plan.pdf</FileName><Content>',
  );
  const piece = Buffer.alloc(PIECE, 'QUFB');
  const end = Buffer.from(`${last}</Content></Document>`);
  return {
    length: head.length + count * PIECE + end.length,
    of: (async function* () {
      for (const [at, one] of [head, ...Array<Buffer>(count).fill(piece), end].entries()) {
        if (at > stopsAfter) throw new Failure('badRequest', { text: 'The message ended too early' });
        if (held !== undefined) {
          held.given += one.length;
          held.most = Math.max(held.most, held.given - held.taken);
        }
        yield one;
      }
    })(),
  };
}

const streamOf = ({ body }: Parameters<V1Endpoint['pass']>[0]): StreamedBody => {
  if (body === undefined || Buffer.isBuffer(body)) throw new Error('the body is held');
  return body;
};

/** As undici reads a body, and what undici says when that fails. */
async function taken(request: Parameters<V1Endpoint['pass']>[0], held?: Counted): Promise<string> {
  let end = '';
  try {
    for await (const piece of streamOf(request).pieces()) {
      end = (end + piece.toString('latin1')).slice(-100);
      if (held !== undefined) held.taken += piece.length;
    }
    return end;
  } catch (error) {
    throw new Failure('outcomeUnknown', { cause: error });
  }
}

const rowOf = async ({ store }: World, id = 'r') => store.writes.find(id);

describe('a long document for V1', () => {
  it('is streamed: of 50 MB at most three pieces are in memory at once', async () => {
    const held: Counted = { given: 0, taken: 0, most: 0 };
    const to = await world({
      stage: 'legacy',
      ledger: true,
      spools: spools(),
      v1: async (request) => {
        await taken(request, held);
        return ok();
      },
    });
    await ask(to, LINE, { pieces: document(800, { held }) });
    expect(held.given).toBeGreaterThan(50 * MEGABYTE);
    expect(held.taken).toBe(held.given);
    expect(held.most).toBeLessThanOrEqual(3 * PIECE);
  });

  it('is in the ledger with names and length before anything is sent, and its fingerprint before its end', async () => {
    const seen: unknown[] = [];
    const to: World = await world({
      stage: 'legacy',
      ledger: true,
      spools: spools(),
      v1: async (request) => {
        for await (const piece of streamOf(request).pieces()) {
          const row = await rowOf(to);
          seen.push([piece.includes('END'), row?.state, row?.fingerprint === 'unfinished', row?.length]);
        }
        return ok();
      },
    });
    const pieces = document(3);
    await ask(to, LINE, { pieces });
    expect(seen[0]).toEqual([false, 'open', true, pieces.length]);
    expect(seen.at(-1)).toEqual([true, 'open', false, pieces.length]);
    const row = await rowOf(to);
    const facts = to.seal.open(row?.factsSealed ?? '', 'r', sealedAs.writeFacts).reveal();
    expect(JSON.parse(facts)).toMatchObject({ values: { Job: 'J1', Title: 'Plan', FileName: 'plan.pdf' } });
  });

  it('whose end cannot be recorded is not sent completely, and is reported as not stored', async () => {
    let got = '';
    const to = await world({
      stage: 'legacy',
      ledger: true,
      spools: spools(),
      v1: async (request) => {
        for await (const piece of streamOf(request).pieces()) got += piece.toString('latin1').slice(-100);
        return ok();
      },
    });
    to.store.writes.identify = () => Promise.reject(new Failure('outcomeUnknown'));
    const refused = await refusal(to, LINE, { pieces: document(3) });
    expect(refused).toMatchObject({
      code: 'upstreamUnavailable',
      text: expect.stringContaining('not stored'),
    });
    expect(got).not.toContain('END');
    expect(await rowOf(to)).toBeUndefined();
  });

  it('whose caller stops in the middle was not stored, and leaves no row', async () => {
    const to = await world({
      stage: 'legacy',
      ledger: true,
      spools: spools(),
      v1: async (request) => {
        await taken(request);
        return ok();
      },
    });
    const refused = await refusal(to, LINE, { pieces: document(4, { stopsAfter: 2 }) });
    expect(refused).toMatchObject({ code: 'upstreamUnavailable' });
    expect(await rowOf(to)).toBeUndefined();
  });

  it('of a dead process was not stored if that died in the middle, and is unknown if it died at the end', async () => {
    const reached = [Promise.withResolvers<undefined>(), Promise.withResolvers<undefined>()] as const;
    const to = await world({
      stage: 'legacy',
      ledger: true,
      spools: spools(),
      v1: async (request) => {
        const isFirst = to.v1.requests.length === 1;
        if (!isFirst) await taken(request);
        else await streamOf(request).pieces()[Symbol.asyncIterator]().next();
        reached[isFirst ? 0 : 1].resolve(undefined);
        return new Promise(() => undefined);
      },
    });
    for (const [at, requestId] of ['middle', 'end'].entries()) {
      void to.bridge.serve(callOf(LINE, { requestId, pieces: document(3, { last: requestId }) }));
      await reached[at]?.promise;
    }
    await to.store.writes.declareDead('this process', 1);
    expect(await rowOf(to, 'middle')).toBeUndefined();
    expect(await rowOf(to, 'end')).toMatchObject({ state: 'unknown' });
  });

  /** Loses the answer to the first, and keeps what the others end with. */
  async function unanswered(most?: number): Promise<{ to: World; held: SpoolFolder; ends: string[] }> {
    const held = spools(most);
    const ends: string[] = [];
    const to = await world({
      stage: 'legacy',
      ledger: true,
      spools: held,
      v1: async (request) => {
        ends.push(await taken(request));
        if (ends.length === 1) throw new Failure('outcomeUnknown');
        return ok();
      },
    });
    expect(await refusal(to, LINE, { pieces: document(3) })).toMatchObject({ code: 'outcomeUnknown' });
    return { to, held, ends };
  }

  it('that repeats one of unknown outcome joins it, and is not sent', async () => {
    const { to, held, ends } = await unanswered();
    const again = await refusal(to, LINE, { requestId: 'again', pieces: document(3) });
    expect(again.code).toBe('outcomeUnknown');
    expect(ends).toHaveLength(1);
    expect(held.held).toBe(0);
  });

  it('that starts like one of unknown outcome and ends differently is sent from the spool', async () => {
    const { to, held, ends } = await unanswered();
    await ask(to, LINE, { requestId: 'other', pieces: document(3, { last: 'OTHER' }) });
    expect(ends[1]).toContain('OTHER</Content></Document>');
    expect(held.held).toBe(0);
  });

  it('that may be a repeat is refused with a message if too many documents wait', async () => {
    const { to, ends } = await unanswered(2 * PIECE);
    const again = await refusal(to, LINE, { requestId: 'again', pieces: document(3) });
    expect(again).toMatchObject({
      code: 'busy',
      text: expect.stringContaining('nothing was sent'),
      retryAfter: 30,
    });
    expect(ends).toHaveLength(1);
  });

  it('is released if it is refused before its end', async () => {
    const { to } = await unanswered(2 * PIECE);
    let isLeft = false;
    const { length, of } = document(3);
    const watched = async function* (): AsyncGenerator<Buffer> {
      try {
        yield* of;
      } finally {
        isLeft = true;
      }
    };
    await refusal(to, LINE, { requestId: 'again', pieces: { length, of: watched() } });
    await eventually('it is let go', () => isLeft || undefined);
  });

  it('follows its Idempotency-Key: the same one gets the same reply, another one is refused', async () => {
    const ends: string[] = [];
    const to = await world({
      stage: 'legacy',
      ledger: true,
      spools: spools(),
      v1: async (request) => {
        ends.push(await taken(request));
        return ok('<ID>7</ID>');
      },
    });
    const key = 'plan 1';
    const first = await ask(to, LINE, { key, pieces: document(3) });
    expect(await ask(to, LINE, { requestId: 'again', key, pieces: document(3) })).toBe(first);
    const other = document(3, { last: 'OTHER' });
    expect((await refusal(to, LINE, { requestId: 'other', key, pieces: other })).code).toBe('refused');
    expect(ends).toHaveLength(1);
  });

  it('with a key is not mistaken for another one while the first is still arriving', async () => {
    const gate = Promise.withResolvers<undefined>();
    const to = await world({
      stage: 'legacy',
      ledger: true,
      spools: spools(),
      v1: async (request) => {
        await gate.promise;
        await taken(request);
        return ok();
      },
    });
    const first = ask(to, LINE, { key: 'k', pieces: document(3) });
    await eventually('it has left', () => to.v1.requests.length === 1 || undefined);
    const again = await refusal(to, LINE, { requestId: 'again', key: 'k', pieces: document(3) });
    expect(again.code).toBe('busy');
    gate.resolve(undefined);
    expect(await first).toContain('OK');
  });
});

describe('a spooled document', () => {
  it('is sealed, has no name, and is read in large pieces, however it arrived', async () => {
    const held = spools();
    const spool = await held.create('account-1');
    for (const text of ['CANARY one', 'CANARY two']) await spool.append(Buffer.from(text));
    await spool.finish();
    expect(readdirSync(folder)).toEqual([]);
    const open = readdirSync('/proc/self/fd').filter((fd) => {
      try {
        return readlinkSync(`/proc/self/fd/${fd}`).startsWith(folder);
      } catch {
        return false;
      }
    });
    expect(open).toHaveLength(1);
    expect(readFileSync(`/proc/self/fd/${open[0] ?? ''}`).includes('CANARY')).toBe(false);
    for (const pieces of [[], []] as string[][]) {
      for await (const piece of spool.pieces()) pieces.push(piece.toString());
      expect(pieces).toEqual(['CANARY oneCANARY two']);
    }
    await spool.close();
    expect(held.held).toBe(0);
  });

  it('of a dead process is removed at the start, and nothing else is', async () => {
    for (const name of ['dead.spool', 'other.txt']) writeFileSync(join(folder, name), '');
    await spools().clear();
    expect(readdirSync(folder)).toEqual(['other.txt']);
    rmSync(join(folder, 'other.txt'));
  });
});
