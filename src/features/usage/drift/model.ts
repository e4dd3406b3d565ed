/** The drift of the service: its alarms, their subjects and their outcomes. */
import { createHash } from 'node:crypto';
import type { Departure, DriftKind } from './learning/departures.ts';
import type { OperationOfAccount } from './learning/recorder.ts';
import { ENTRY, type DriftUpstream } from './learning/observation.ts';
import { ANY } from './learning/operation.ts';

/** `ended`: the old form is back, or no account is shown the new one any more. */
export const driftStates = ['open', 'acknowledged', 'ended'] as const;
/** The state of an alarm. */
export type DriftState = (typeof driftStates)[number];

/** One change of the service's answers that several accounts were shown. */
export interface DriftAlarm {
  /** Twelve hexadecimal digits, the same for the same change. */
  readonly id: string;
  readonly upstream: DriftUpstream;
  readonly kind: DriftKind;
  /** Its place: `clients` for V2, the family of a method for V1 and V3. */
  readonly area: string;
  /** The element or key in its readable form: `updatedAt`, `Client/Email`. */
  readonly name: string;
  readonly from: string;
  readonly to: string;
  readonly since: number;
  /** Accounts that are shown it, as of the last run. */
  readonly accounts: number;
  readonly methods: readonly string[];
  /** Rows of the mapping that read it: `client.get Client/Email`. */
  readonly rows: readonly string[];
  /** The effect on callers. */
  readonly effect: string;
  readonly raisedAt: number;
  readonly state: DriftState;
  /** When it entered this state. */
  readonly changedAt: number;
  /** The operator who acknowledged it, and the reason. */
  readonly acknowledged: { readonly by: string; readonly reason: string } | undefined;
}

/** The subject of a change, whichever method's answers show it. */
export type Subject = Pick<DriftAlarm, 'id' | 'upstream' | 'kind' | 'area' | 'name' | 'to'>;

/** Names of timeline entries. */
export const driftEvents = {
  raised: 'drift.raised',
  ended: 'drift.ended',
  acknowledged: 'drift.acknowledged',
} as const;

/** The subject of a departure. */
export function subjectOf(
  { upstream, method, operation }: Omit<OperationOfAccount, 'accountId'>,
  { kind, place, to }: Pick<Departure, 'kind' | 'place' | 'to'>,
): Subject {
  const [area, name] = upstream === 'v2' ? keyIn(operation, place) : elementIn(method, place);
  // A new element may have values of other types in other accounts.
  const key = [upstream, kind, area, name, kind === 'type' ? to : ''].join('\n');
  const id = createHash('sha256').update(key).digest('hex').slice(0, 12);
  return { id, upstream, kind, area, name, to };
}

/** A key is the same whatever the envelope of the answer, and in one record or several. */
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

/** A record has the same name in a list and alone. */
function elementIn(method: string, place: string): readonly [area: string, name: string] {
  return [method.split('.', 1)[0] ?? '', place.split('/').slice(-2).join('/')];
}
