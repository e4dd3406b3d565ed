import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpoolFolder } from '../../src/features/writes/documents/spool.ts';
import { FIRST_ALLOTTED } from '../../src/mapping/crosswalk/identifier.ts';
import type { StreamedBody, UpstreamRequest } from '../../src/upstream/model.ts';
import {
  ask,
  closeWorlds,
  json,
  ok,
  pair,
  refusal,
  uuid,
  world,
  type CallOptions,
  type World,
} from './world.ts';

/** Documents that go to V3 or V2 wait on the disk until they are whole, and leave from there, rewritten, piece by piece. */

const PIECE = 64 * 1024;
const MEGABYTE = 1024 * 1024;
const CLIENT = uuid('c1', 7);
const LINE = 'POST client.api/document';
const HEAD =
  '<Document><ClientID>7</ClientID><Title>Plan &amp; more</Title><FileName>plan.pdf</FileName><Content>';

let folder: string;
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'causeway-moved-'));
});
afterAll(() => {
  rmSync(folder, { recursive: true, force: true });
});
afterEach(closeWorlds);

const spools = (most = 100 * MEGABYTE): SpoolFolder => new SpoolFolder(folder, most);

interface Shape {
  readonly head?: string;
  readonly behind?: string;
  /** Told how much was given before each piece. */
  readonly giving?: (given: number) => void;
}

/** A document with so many pieces of content. */
function document(
  count: number,
  { head = HEAD, behind = 'QUI=</Content></Document>', giving = () => undefined }: Shape = {},
): NonNullable<CallOptions['pieces']> {
  const piece = Buffer.alloc(PIECE, 'QUFB');
  const all = [Buffer.from(head), ...Array<Buffer>(count).fill(piece), Buffer.from(behind)];
  return {
    length: all.reduce((sum, one) => sum + one.length, 0),
    of: (async function* () {
      let given = 0;
      for (const one of all) {
        giving(given);
        given += one.length;
        yield one;
      }
    })(),
  };
}

function streamOf(request: UpstreamRequest | undefined): StreamedBody {
  const body = request?.body;
  const inner = typeof body === 'object' && 'bytes' in body ? body.bytes : body;
  if (inner === undefined || typeof inner === 'string' || Buffer.isBuffer(inner))
    throw new Error('the body is held');
  return inner;
}

/** What leaves, and the largest piece of it. */
async function left(request: UpstreamRequest | undefined): Promise<{ text: string; most: number }> {
  const pieces: Buffer[] = [];
  for await (const piece of streamOf(request).pieces()) pieces.push(piece);
  return {
    text: Buffer.concat(pieces).toString('latin1'),
    most: Math.max(...pieces.map(({ length }) => length)),
  };
}

const rowOf = async ({ store }: World, id = 'r') => store.writes.find(id);

interface Got {
  text: string;
  most: number;
  length: number | undefined;
}

/** An account that has moved, and what its service gets. */
async function moved(
  on: 'v3' | 'v2',
  spool = spools(),
): Promise<{ readonly to: World; readonly got: Got[] }> {
  const got: Got[] = [];
  const take = async (request: UpstreamRequest): Promise<void> => {
    const { length } = streamOf(request);
    got.push({ ...(await left(request)), length });
  };
  const to = await world({
    ledger: true,
    spools: spool,
    pairs: [pair('client', 7, CLIENT)],
    complete: ['client', 'document'],
    v3: async (request) => {
      await take(request);
      return ok(`<UUID>${uuid('d1', got.length)}</UUID>`);
    },
    ...(on === 'v2' && {
      v2: async (request) => {
        await take(request);
        return json({ uuid: uuid('d1', got.length) });
      },
    }),
  });
  return { to, got };
}

describe('a long document of an account that has moved', () => {
  it('is streamed: of 50 MB at most two pieces wait for the disk, and it is sent in pieces', async () => {
    const spool = spools();
    let most = 0;
    const giving = (given: number): void => {
      if (given > PIECE) most = Math.max(most, given - spool.held);
    };
    const { to, got } = await moved('v3', spool);
    await ask(to, LINE, { pieces: document(800, { giving }) });
    expect(got[0]?.text.length).toBeGreaterThan(50 * MEGABYTE);
    expect(most).toBeLessThanOrEqual(2 * PIECE + HEAD.length);
    expect(got[0]?.most).toBeLessThanOrEqual(PIECE);
    expect(spool.held).toBe(0);
  });

  it('is sent with V3 identifiers, unchanged content, and its length in advance', async () => {
    const { to, got } = await moved('v3');
    await ask(to, LINE, { pieces: document(3) });
    const [one] = got;
    expect(one?.text).toContain(`<ClientUUID>${CLIENT}</ClientUUID>`);
    expect(one?.text).toContain('<Title>Plan &amp; more</Title>');
    expect(one?.text).toContain(`<Content>${'QUFB'.repeat((3 * PIECE) / 4)}QUI=</Content>`);
    expect(one?.length).toBe(one?.text.length);
  });

  it('becomes a form with the file for V2, with its length in advance', async () => {
    const { to, got } = await moved('v2');
    await ask(to, LINE, { pieces: document(3) });
    const [one] = got;
    expect(one?.text).toContain('filename="plan.pdf"');
    expect(one?.text).toContain(`\r\n\r\n${'AAA'.repeat((3 * PIECE) / 4)}AB\r\n--`);
    expect(one?.length).toBe(one?.text.length);
  });

  it.each(['v3', 'v2'] as const)('can have elements after its content on %s', async (on) => {
    const { to, got } = await moved(on);
    const head = '<Document><Title>T</Title><ClientID>7</ClientID><Content>';
    const behind = '\r\n</Content><FileName>late.pdf</FileName></Document>';
    await ask(to, LINE, { pieces: document(3, { head, behind }) });
    expect(got[0]?.text).toContain('late.pdf');
  });

  it.each(['v3', 'v2'] as const)('that is malformed after its content is not sent to %s', async (on) => {
    const { to, got } = await moved(on);
    const { code } = await refusal(to, LINE, { pieces: document(3, { behind: '</Content></Dokument>' }) });
    expect([code, got.length, await rowOf(to)]).toEqual(['malformedXml', 0, undefined]);
  });

  it.each(['QUI</Content></Document>', '=QUI</Content></Document>', 'QUI=QUI=</Content></Document>'])(
    'whose content is not base64 (%s) is not sent to V2',
    async (behind) => {
      const { to, got } = await moved('v2');
      const { text } = await refusal(to, LINE, { pieces: document(3, { behind }) });
      expect([text, got.length]).toEqual(['The content of the document is not base64', 0]);
    },
  );

  it('with its content in another encoding is read completely', async () => {
    const bodies: unknown[] = [];
    const to = await world({
      ledger: true,
      spools: spools(),
      pairs: [pair('client', 7, CLIENT)],
      complete: ['client', 'document'],
      v3: ({ body }) => {
        bodies.push(body);
        return ok(`<UUID>${uuid('d1', 1)}</UUID>`);
      },
    });
    const head = `${HEAD}<![CDATA[`;
    await ask(to, LINE, { pieces: document(3, { head, behind: ']]></Content></Document>' }) });
    expect(String(bodies[0])).toContain(`<Content>${'QUFB'.repeat((3 * PIECE) / 4)}</Content>`);
  });

  it('is in the ledger with its names, its length and its fingerprint before anything is sent', async () => {
    const rows: unknown[] = [];
    const to: World = await world({
      ledger: true,
      spools: spools(),
      pairs: [pair('client', 7, CLIENT)],
      complete: ['client', 'document'],
      v3: async () => {
        const row = await rowOf(to);
        rows.push([row?.state, row?.length, row?.fingerprint === 'unfinished']);
        return ok(`<UUID>${uuid('d1', 1)}</UUID>`);
      },
    });
    const pieces = document(3);
    await ask(to, LINE, { pieces });
    expect(rows).toEqual([['open', pieces.length, false]]);
  });

  it('goes to V3 from the disk if V1 has received it and refuses the keys', async () => {
    let v1 = 0;
    let v3 = '';
    const to = await world({
      stage: 'consented',
      ledger: true,
      spools: spools(),
      pairs: [pair('client', 7, CLIENT)],
      complete: ['client', 'document'],
      v1: async ({ body }) => {
        if (body === undefined || Buffer.isBuffer(body)) throw new Error('the body is held');
        for await (const piece of body.pieces()) v1 += piece.length;
        return { status: 401 };
      },
      v3: async (request) => {
        v3 = (await left(request)).text;
        return ok(`<UUID>${uuid('d1', 1)}</UUID>`);
      },
    });
    const pieces = document(3);
    const reply = await ask(to, LINE, { pieces });
    expect(v1).toBe(pieces.length);
    expect(v3).toContain(`<ClientUUID>${CLIENT}</ClientUUID>`);
    const row = await rowOf(to);
    expect(reply).toContain(`<ID>${row?.allotted ?? ''}</ID>`);
    expect(row?.allotted).toBeGreaterThanOrEqual(FIRST_ALLOTTED);
  });

  it('is refused while the disk has its maximum number, and nothing of it is sent', async () => {
    const { to, got } = await moved('v3', spools(PIECE));
    expect((await refusal(to, LINE, { pieces: document(3) })).code).toBe('busy');
    expect(got).toEqual([]);
  });
});
