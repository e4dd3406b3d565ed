/**
 * Plays the recorded calls of the account's programs through this client: it must send the same requests as
 * the bridge and return what the bridge returned. The service is replaced by one that repeats the recorded
 * answers.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatOf } from '../../../../../mapping/formats.ts';
import { connect } from '../runtime/client.ts';
import { ServiceError } from '../runtime/errors.ts';
import type { Api, Method, Rows, Shared } from '../../../../../proof/client/client-tables.ts';
import { methodOfFile, placeOfFile } from '../../../../../proof/rehearsal/golden-format.ts';
import { readXml } from '../../../../../proof/client/plain-xml.ts';
import { addressOf, readCase, type Case, type Exchange } from '../../../../../proof/client/recorded-case.ts';

type Methods = Readonly<Record<string, Method>>;

/** The file of a recorded call. */
interface Recorded {
  readonly name: string;
  readonly method: Method;
  readonly played: Case;
}

/**
 * Creates a test for each recorded call in `test/cases`, for each interface. `now`: when the calls were
 * recorded.
 */
export function playCases(methods: Methods, shared: Shared, now: number): void {
  const folder = join(import.meta.dirname, '..', 'test', 'cases');
  const all = readCases(folder, methods);
  for (const api of ['v3', 'v2'] as const) {
    const others = all.flatMap(({ played }) => played.exchanges[api]);
    for (const { name, method, played } of all) {
      // The bridge used V3 for what V2 cannot answer completely.
      if (played.exchanges[api].length === 0) continue;
      void test(`${name} on ${api.toUpperCase()}`, () => play(method, played, api, others, shared, now));
    }
  }
}

function readCases(folder: string, methods: Methods): readonly Recorded[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.http'),
  );
  return names
    .toSorted((a, b) => placeOfFile(a) - placeOfFile(b))
    .flatMap((path) => {
      const name = path.replaceAll('\\', '/');
      const method = methods[methodOfFile(name)];
      if (method === undefined) return [];
      return [{ name, method, played: readCase(readFileSync(join(folder, path), 'utf8'), method) }];
    });
}

async function play(
  method: Method,
  played: Case,
  api: Api,
  others: readonly Exchange[],
  shared: Shared,
  now: number,
): Promise<void> {
  const service = new Repeating(played.exchanges[api], others);
  const make = connect(
    {
      ...{ v3Url: 'http://service/3.0', v2Url: 'http://service/v2', authUrl: 'http://service' },
      ...{ organisation: 'golden-organisation', clientId: 'client', clientSecret: 'secret' },
      tokens: {
        load: () => Promise.resolve({ accessToken: 'token', refreshToken: '', expiresAt: Infinity }),
        save: () => Promise.resolve(),
      },
      fetch: service.fetch,
      now: () => now,
    },
    shared,
    api,
  );
  const expected = played.expected[api];
  const call = make(method, played.input, { api });
  if (expected === undefined) {
    await assert.rejects(call, ServiceError);
    return;
  }
  const given = await call;
  service.check();
  assertAlike(method, given, expected.reply);
}

/**
 * Throws `AssertionError` unless the client returned what the bridge returned, except for deliberate
 * differences.
 */
export function assertAlike({ reply, records }: Method, given: unknown, expected: unknown): void {
  if (reply.form === 'id' && expected === '') return; // the bridge has no number for it
  if (reply.form === 'status' || reply.form === 'id') {
    assert.deepEqual(given, expected);
    return;
  }
  const rows = records[reply.of] ?? {};
  const listed = (value: unknown): readonly unknown[] => (reply.form === 'list' ? sorted(value) : [value]);
  const [ours, theirs] = [listed(given), listed(expected)];
  assert.deepEqual(
    ours.map((row, at) => comparable(row, rows, records, theirs[at])),
    theirs.map((row, at) => comparable(row, rows, records, ours[at])),
  );
}

/** Sorts the records, because each interface orders records of the same second differently. */
const sorted = (list: unknown): readonly unknown[] =>
  (list as readonly Readonly<Record<string, unknown>>[]).toSorted((a, b) =>
    placeOf(a) < placeOf(b) ? -1 : 1,
  );

const placeOf = (record: Readonly<Record<string, unknown>>): string =>
  typeof record.ID === 'string' ? record.ID : JSON.stringify(record);

/** A service that repeats recorded answers. */
class Repeating {
  readonly #own: Exchange[];
  readonly #others: readonly Exchange[];
  readonly #written: { readonly asked: string; readonly recorded: string; readonly target: string }[] = [];

  constructor(own: readonly Exchange[], others: readonly Exchange[]) {
    this.#own = [...own];
    this.#others = others;
  }

  readonly fetch: typeof fetch = (input, init) => {
    const { pathname, search } = new URL(addressOf(input));
    const asked = keyOf(init?.method ?? 'GET', `${pathname}${search}`);
    const isIt = ({ verb, target }: Exchange): boolean => keyOf(verb, target) === asked;
    const at = this.#own.findIndex(isIt);
    const found = at < 0 ? this.#others.find(isIt) : this.#own.splice(at, 1)[0];
    if (found === undefined) return Promise.reject(new Error(`the recording has no answer to ${asked}`));
    if (typeof init?.body === 'string')
      this.#written.push({ asked: init.body, recorded: found.body, target: asked });
    return Promise.resolve(new Response(found.answer, { status: found.status }));
  };

  /** Checks that the client's writes match those of the bridge. */
  check(): void {
    for (const { asked, recorded, target } of this.#written)
      assert.deepEqual(contentOf(asked), contentOf(recorded), target);
  }
}

const contentOf = (text: string): unknown =>
  text.startsWith('<') ? readXml(text) : (JSON.parse(text) as unknown);

/** Sorts the parameters, whose order does not matter. */
function keyOf(verb: string, target: string): string {
  const { pathname, searchParams } = new URL(target, 'http://service');
  const query = [...searchParams].map(([name, value]) => `${name.toLowerCase()}=${value}`).toSorted();
  return `${verb} ${pathname}?${query.join('&')}`;
}

/**
 * Removes deliberate differences between client and bridge from a record: addresses of files, which are the
 * bridge's own; values that the bridge has from V1 before the move; and identifiers without a number in the
 * recording.
 */
function comparable(value: unknown, rows: Rows, records: Method['records'], other: unknown): unknown {
  if (typeof value !== 'object' || value === null) return value;
  const found: Record<string, unknown> = {};
  const twin = (typeof other === 'object' && other !== null ? other : {}) as Readonly<
    Record<string, unknown>
  >;
  for (const [name, row] of Object.entries(rows)) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    const isOwn = row.as !== undefined && formatOf(row.as) === formatOf('documentLink');
    const isUnknown = row.id !== undefined && (inner === '' || (twin[name] ?? '') === '');
    if (inner === undefined || isOwn || isUnknown || row.fromV1 === true) continue;
    const of = row.one ?? row.list?.[1];
    const at = twin[name];
    if (of === undefined) found[name] = inner;
    else if (!Array.isArray(inner)) found[name] = comparable(inner, records[of] ?? {}, records, at);
    else
      found[name] = inner.map((one: unknown, index) =>
        comparable(one, records[of] ?? {}, records, Array.isArray(at) ? at[index] : undefined),
      );
  }
  return found;
}
