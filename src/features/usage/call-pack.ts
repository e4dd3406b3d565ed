import { packedJson, unpackedJson } from '../../lib/text/packed-json.ts';
import type { CallRecord } from './call-log.ts';

/** The fields of calls, each as a column: what is alike stands side by side. Times in microseconds. */
interface Columns {
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
  /** Absent in packs of earlier versions, and where no call lost anything. */
  readonly losses?: readonly (string | null)[];
  /** The same. */
  readonly failures?: readonly (CallRecord['failure'] | null)[];
  /** The same. */
  readonly asked?: readonly (string | null)[];
  /** The same. */
  readonly told?: readonly (string | null)[];
  /** The same. */
  readonly refused?: readonly (CallRecord['refused'] | null)[];
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
    ...(calls.some(({ losses }) => losses !== undefined) && {
      losses: calls.map(({ losses }) => losses ?? null),
    }),
    ...(calls.some(({ failure }) => failure !== undefined) && {
      failures: calls.map(({ failure }) => failure ?? null),
    }),
    ...(calls.some(({ asked }) => asked !== undefined) && { asked: calls.map(({ asked }) => asked ?? null) }),
    ...(calls.some(({ told }) => told !== undefined) && { told: calls.map(({ told }) => told ?? null) }),
    ...(calls.some(({ refused }) => refused !== undefined) && {
      refused: calls.map(({ refused }) => refused ?? null),
    }),
  };
  return packedJson(columns);
}

/** The calls of a text that `packed` has made, in its order. */
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
      ...endAt(columns, place),
    };
  });
}

function namesAt({ accountId, verb, method, source, asked: all }: Columns, place: number) {
  const asked = all?.[place] ?? undefined;
  return {
    accountId: accountId[place] ?? '',
    verb: verb[place] ?? '',
    method: method[place] ?? '',
    source: source[place] ?? 'bridge',
    ...(asked !== undefined && { asked }),
  };
}

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

function endAt(columns: Columns, place: number): Pick<CallRecord, 'losses' | 'failure' | 'told' | 'refused'> {
  const losses = columns.losses?.[place] ?? undefined;
  const failure = columns.failures?.[place] ?? undefined;
  const told = columns.told?.[place] ?? undefined;
  const refused = columns.refused?.[place] ?? undefined;
  return {
    ...(losses !== undefined && { losses }),
    ...(failure !== undefined && { failure }),
    ...(told !== undefined && { told }),
    ...(refused !== undefined && { refused }),
  };
}
