/** What is known of the drift of the service: alarms, what they are about, and what became of them. */
import { createHash } from 'node:crypto';
import type { Departure, DriftKind } from './learning/departures.ts';
import type { OperationOfAccount } from './learning/recorder.ts';
import type { DriftUpstream } from './learning/observation.ts';
import { ENTRY } from './learning/observation.ts';
import { ANY } from './learning/operation.ts';

/** `ended`: the old form is back, or nobody is shown the new one any more. */
export const driftStates = ['open', 'acknowledged', 'ended'] as const;
/** What became of an alarm. */
export type DriftState = (typeof driftStates)[number];

/** One change of the service's answers that several accounts were shown. */
export interface DriftAlarm {
  /** Twelve hexadecimal digits; the same change has the same. */
  readonly id: string;
  readonly upstream: DriftUpstream;
  readonly kind: DriftKind;
  /** What it is in: `clients` of V2, the family of a method of V1 and V3. */
  readonly area: string;
  /** The element or key as people name it: `updatedAt`, `Client/Email`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly since: number;
  /** Accounts that are shown it, as of the last look. */
  readonly accounts: number;
  readonly methods: readonly string[];
  /** Rows of the mapping that read it: `client.get Client/Email`. */
  readonly rows: readonly string[];
  /** What callers see of it. */
  readonly effect: string;
  readonly raisedAt: number;
  readonly state: DriftState;
  /** Since when it is in this state. */
  readonly changedAt: number;
  /** Who has acknowledged it, and why. */
  readonly acknowledged: { readonly by: string; readonly reason: string } | undefined;
}

/** What a change is about, whichever method's answers show it. */
export type Subject = Pick<DriftAlarm, 'id' | 'upstream' | 'kind' | 'area' | 'name' | 'to'>;

/** Entries of the timeline. */
export const driftEvents = {
  raised: 'drift.raised',
  ended: 'drift.ended',
  acknowledged: 'drift.acknowledged',
} as const;

/** What a departure is about. */
export function subjectOf(
  { upstream, method, operation }: Omit<OperationOfAccount, 'accountId'>,
  { kind, place, to }: Pick<Departure, 'kind' | 'place' | 'to'>,
): Subject {
  const [area, name] = upstream === 'v2' ? keyIn(operation, place) : elementIn(method, place);
  // What has appeared may have values of other types in other accounts.
  const key = [upstream, kind, area, name, kind === 'type' ? to : ''].join('\n');
  const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return { id, upstream, kind, area, name, to };
}

/** The envelope of an answer, and that there are several records, do not matter to a key. */
function keyIn(operation: string, place: string): readonly [area: string, name: string] {
  const [path = ''] = operation.split('?', 1);
  const area = path.split('/').filter((one) => one !== ANY);
  return [area.join('/'), keysAt(place).join('.') || place];
}

/** The keys of a record of V2 down to a place. */
export function keysAt(place: string): readonly string[] {
  const [first, ...rest] = place.split('/').filter((one) => one !== ENTRY);
  return first === undefined ? [] : first === 'data' ? rest : [first, ...rest];
}

/** A record's name is the same in a list and alone. */
function elementIn(method: string, place: string): readonly [area: string, name: string] {
  return [method.split('.', 1)[0] ?? '', place.split('/').slice(-2).join('/')];
}
