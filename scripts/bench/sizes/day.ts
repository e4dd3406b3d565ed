import { setTimeout as pause } from 'node:timers/promises';
import { Pool } from 'undici';
import { accountKey, API_KEY } from '../seed.ts';

/** A call of a legacy program; `%` in it stands for an increasing number. */
interface Kind {
  readonly method: string;
  /** Its share in twenty. */
  readonly share: number;
  readonly path: string;
  readonly verb?: 'PUT' | 'POST';
  readonly body?: string;
}

/**
 * The mix of calls in this measurement: an assumption, like the number of calls a day. Three quarters are reads of
 * single records and small searches, a fifth are lists, one in twenty writes.
 */
export const mix: readonly Kind[] = [
  { method: 'client.get', share: 5, path: 'client.api/get/10000%' },
  { method: 'job.get', share: 5, path: 'job.api/get/J1000%' },
  { method: 'client.search', share: 2, path: 'client.api/search?query=ha' },
  { method: 'staff.list', share: 3, path: 'staff.api/list' },
  { method: 'job.current', share: 2, path: 'job.api/current' },
  { method: 'time.list', share: 1, path: 'time.api/list?from=20260301&to=20260307' },
  { method: 'client.list', share: 1, path: 'client.api/list' },
  {
    method: 'client.update',
    share: 1,
    path: 'client.api/update',
    verb: 'PUT',
    // A different telephone number each time, because an identical write would first be compared with the earlier one.
    body: '<Client><ID>1000001</ID><Name>Example &amp; Sons</Name><Phone>%</Phone></Client>',
  },
];

const deck = mix.flatMap((kind) => Array.from({ length: kind.share }, () => kind));

/** The result of a load. */
export interface Played {
  readonly calls: number;
  /** By status and method, for replies that were not `OK`. */
  readonly wrong: ReadonlyMap<string, number>;
  readonly seconds: number;
}

/** Makes calls at a steady pace, for all accounts in turn. */
export async function play(
  origin: string,
  accounts: number,
  calls: number,
  perSecond: number,
): Promise<Played> {
  const pool = new Pool(origin, { connections: 64 });
  const wrong = new Map<string, number>();
  const one = async (nth: number): Promise<void> => {
    // A step without a common factor with twenty, so that every account uses every method.
    const kind = deck[(nth * 7 + Math.floor(nth / accounts)) % deck.length];
    if (kind === undefined) throw new Error('the mix is empty');
    const status = await asked(pool, kind, nth, accountKey(nth % accounts));
    if (status !== 'OK')
      wrong.set(`${kind.method} ${status}`, (wrong.get(`${kind.method} ${status}`) ?? 0) + 1);
  };
  const running: Promise<void>[] = [];
  const begun = performance.now();
  for (let sent = 0; sent < calls;) {
    const due = Math.min(calls, ((performance.now() - begun) * perSecond) / 1_000);
    for (; sent < due; sent += 1) running.push(one(sent));
    await pause(5);
  }
  await Promise.all(running);
  const seconds = (performance.now() - begun) / 1_000;
  await pool.close();
  return { calls, wrong, seconds };
}

async function asked(pool: Pool, kind: Kind, nth: number, key: string): Promise<string> {
  const path = kind.path.replace('%', String(10 + (nth % 40)));
  const { statusCode, body } = await pool.request({
    path: `/${path}${path.includes('?') ? '&' : '?'}apiKey=${API_KEY}&accountKey=${key}`,
    method: kind.verb ?? 'GET',
    ...(kind.body !== undefined && {
      body: kind.body.replace('%', String(nth)),
      headers: { 'content-type': 'text/xml' },
    }),
  });
  const text = await body.text();
  const status = /<Status>(\w+)<\/Status>/.exec(text)?.[1];
  return statusCode === 200 && status === 'OK' ? 'OK' : `${statusCode} ${text.slice(0, 200)}`;
}
