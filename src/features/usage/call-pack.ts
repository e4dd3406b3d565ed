import { packedJson, unpackedJson } from '../../lib/text/packed-json.ts';
import type { CallRecord } from './call-log.ts';

/** Columns of fields that few calls have: absent in packs of earlier versions, and where no call has one. */
const RARE = {
  losses: 'losses',
  failures: 'failure',
  asked: 'asked',
  told: 'told',
  ofCall: 'isOfCall',
  waited: 'waitedMillis',
  refused: 'refused',
} as const satisfies Readonly<Record<string, keyof CallRecord>>;
type RareField = (typeof RARE)[keyof typeof RARE];
type RareColumns = {
  readonly [Column in keyof typeof RARE]?: readonly (CallRecord[(typeof RARE)[Column]] | null)[];
};
const rare = Object.entries(RARE) as readonly (readonly [keyof typeof RARE, RareField])[];

/** The fields of calls as columns, so that similar values are adjacent. Times in microseconds. */
interface Columns extends RareColumns {
  readonly accountId: readonly string[];
  readonly requestId: readonly string[];
  /** For each call the milliseconds since the one before it, in the order in which they were recorded. */
  readonly at: readonly number[];
  readonly verb: readonly string[];
  readonly method: readonly string[];
  readonly source: readonly CallRecord['source'][];
  readonly status: readonly number[];
  readonly failed: readonly (0 | 1)[];
  readonly micros: readonly number[];
  readonly upstreamMicros: readonly (number | null)[];
  /** Missing in packs that were written before sizes were kept. */
  readonly bytes?: readonly (number | null)[];
}

const micros = (millis: number): number => Math.round(millis * 1_000);

/** Calls as one text of base64, at about forty characters a call, half of them its request id. */
export async function packed(calls: readonly CallRecord[]): Promise<string> {
  let before = 0;
  const columns: Columns = {
    accountId: calls.map(({ accountId }) => accountId),
    requestId: calls.map(({ requestId }) => requestId),
    at: calls.map(({ at }) => {
      const since = at - before;
      before = at;
      return since;
    }),
    verb: calls.map(({ verb }) => verb),
    method: calls.map(({ method }) => method),
    source: calls.map(({ source }) => source),
    status: calls.map(({ status }) => status),
    failed: calls.map(({ failed }) => (failed ? 1 : 0)),
    micros: calls.map(({ millis }) => micros(millis)),
    upstreamMicros: calls.map(({ upstreamMillis: millis }) => (millis === undefined ? null : micros(millis))),
    bytes: calls.map(({ bytes }) => bytes ?? null),
    ...rareIn(calls),
  };
  return packedJson(columns);
}

/** Restores the calls from a text that `packed` made, in the same order. */
export async function unpacked(text: string): Promise<readonly CallRecord[]> {
  const columns = (await unpackedJson(text)) as Columns;
  let at = 0;
  return columns.requestId.map((requestId, place): CallRecord => {
    at += columns.at[place] ?? 0;
    return {
      requestId,
      at,
      ...namesAt(columns, place),
      ...figuresAt(columns, place),
      ...rareAt(columns, place),
    };
  });
}

function rareIn(calls: readonly CallRecord[]): RareColumns {
  const columns: Partial<Record<keyof typeof RARE, readonly unknown[]>> = {};
  for (const [column, field] of rare)
    if (calls.some((call) => call[field] !== undefined))
      columns[column] = calls.map((call) => call[field] ?? null);
  return columns as RareColumns;
}

const namesAt = ({ accountId, verb, method, source }: Columns, place: number) => ({
  accountId: accountId[place] ?? '',
  verb: verb[place] ?? '',
  method: method[place] ?? '',
  source: source[place] ?? 'bridge',
});

function figuresAt({ status, failed, micros: all, upstreamMicros, bytes }: Columns, place: number) {
  const upstream = upstreamMicros[place] ?? undefined;
  return {
    status: status[place] ?? 0,
    failed: failed[place] === 1,
    millis: (all[place] ?? 0) / 1_000,
    upstreamMillis: upstream === undefined ? undefined : upstream / 1_000,
    bytes: bytes?.[place] ?? undefined,
  };
}

function rareAt(columns: Columns, place: number): Pick<CallRecord, RareField> {
  const found: Partial<Record<RareField, unknown>> = {};
  for (const [column, field] of rare) {
    const value = columns[column]?.[place];
    if (value !== undefined && value !== null) found[field] = value;
  }
  return found as Pick<CallRecord, RareField>;
}
