import { createHash } from 'node:crypto';
import { Pool } from 'undici';
import { withServers, type Bench } from './bench.ts';
import { digits, spread, spreadOf, table } from './figures.ts';
import { accountKey, API_KEY, seed } from './seed.ts';
import { rowsOf } from './row.ts';
import { compared, inTurn } from './runs.ts';
import type { ServerProcess } from './server-process.ts';
import { startBridge, startV2Peer, startV2Upstream } from './servers.ts';
import { byHand, listed, numbersOf } from './v2-documents.ts';

const MEGABYTE = 1_000_000;
const DIFFERENT = 100_000;
const LONG = 1_000_000;
const QUICK = 10_000;

/** A long list from V2, the whole bridge beside a program that only parses and writes. */
export async function translateList(bench: Bench): Promise<string> {
  const count = bench.quick ? QUICK : DIFFERENT;
  const { text, found } = await listOf(bench, {
    count,
    runs: bench.quick ? 3 : 5,
    section: 'translate-list',
  });
  return `## List of ${count.toLocaleString('en')} clients from V2, ${digits(found.bytes / MEGABYTE)} MB of XML\n\n${text}`;
}

/** Ten times as long, with repeated clients so that the crosswalk need not be ten times as large. */
export async function translateLong(bench: Bench): Promise<string> {
  const count = bench.quick ? 10 * QUICK : LONG;
  const { text, found } = await listOf(bench, { count, runs: 1, section: 'translate-long' });
  return `## List of ${count.toLocaleString('en')} clients from V2, ${digits(found.bytes / MEGABYTE)} MB of XML\n\n${text}`;
}

interface Got {
  readonly bytes: number;
  /** Milliseconds from the request to the first byte of the list. */
  readonly firstByte: number;
  readonly hash: string;
}

async function listOf(
  { folder, quick, note }: Bench,
  { count, runs, section }: { readonly count: number; readonly runs: number; readonly section: string },
): Promise<{ readonly text: string; readonly found: Got }> {
  const different = quick ? QUICK : DIFFERENT;
  const expected = hashOf(count, different);
  return withServers(async (keep) => {
    const upstream = await keep(startV2Upstream(folder, count, different));
    const seeded = await seed({ folder, name: `v2-${count}`, accounts: 1, clients: different });
    const peer = await keep(startV2Peer(folder, upstream));
    const bridge = await keep(
      startBridge({
        folder,
        upstream,
        seeded,
        name: 'bridge, V2 with crosswalk and look-ups',
        identifiers: 'uuid',
        routes: 'client.list=v2',
      }),
    );
    const idle = new Map([peer, bridge].map((server) => [server.name, server.residentBytes()]));
    const path = `/client.api/list?detailed=true&apiKey=${API_KEY}&accountKey=${accountKey(0)}`;
    const firsts = new Map<string, number[]>();
    let found: Got | undefined;
    const ask = async (server: ServerProcess): Promise<number> => {
      const before = server.cpuSeconds();
      const got = await fetched(server.origin, path);
      const seconds = server.cpuSeconds() - before;
      if (server === bridge && got.hash !== expected) throw new Error('the list is wrong');
      if (server === bridge) found = got;
      firsts.set(server.name, [...(firsts.get(server.name) ?? []), got.firstByte]);
      return seconds * 1_000;
    };
    const subjects = [peer, bridge].map((server) => ({ name: server.name, measure: () => ask(server) }));
    const figures = await inTurn(subjects, runs);
    if (found === undefined) throw new Error('nothing was measured');
    const peakMb = new Map([peer, bridge].map((server) => [server.name, server.peakBytes() / MEGABYTE]));
    note(rowsOf(figures, { section, peer: peer.name, micros: 1_000, peakMb }));
    const memory = table(
      ['', 'first byte, ms', 'idle, MB', 'at the most, MB'],
      [peer, bridge].map((server) => [
        server.name,
        spread(spreadOf(firsts.get(server.name) ?? [])),
        digits((idle.get(server.name) ?? Number.NaN) / MEGABYTE),
        digits(server.peakBytes() / MEGABYTE),
      ]),
    );
    const ratios = compared(['program', 'CPU ms per list'], figures, [
      { name: peer.name, short: 'the limit' },
    ]);
    return { text: `${ratios}\n\n${memory}`, found };
  });
}

async function fetched(origin: string, path: string): Promise<Got> {
  const pool = new Pool(origin, { connections: 1, bodyTimeout: 0 });
  const begun = performance.now();
  const hash = createHash('sha256');
  let [bytes, firstByte] = [0, Number.NaN];
  try {
    const { body } = await pool.request({ path, method: 'GET' });
    for await (const chunk of body as AsyncIterable<Buffer>) {
      if (bytes === 0) firstByte = performance.now() - begun;
      bytes += chunk.length;
      hash.update(chunk);
    }
    return { bytes, firstByte, hash: hash.digest('hex') };
  } finally {
    await pool.close();
  }
}

/** The hash of the reply that the legacy program must get. */
function hashOf(count: number, different: number): string {
  const hash = createHash('sha256');
  const numbers = numbersOf(different);
  hash.update(
    '<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="List"><Status>OK</Status><Clients>',
  );
  for (let index = 0; index < count; index += 1)
    hash.update(byHand(listed(index % different), numbers, true));
  return hash.update('</Clients></Response>').digest('hex');
}
