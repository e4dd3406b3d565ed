import { MINUTE } from '../../../lib/time/clock.ts';
import type { Write } from '../model.ts';
import { isEqual, sentText } from './fit.ts';
import { requestOf, type ReadValues } from './reads.ts';

/** What another call has done, or may have done, to a record. */
export interface Change {
  readonly isRemoval: boolean;
  /** Of the record; undefined: the call does not say. */
  readonly number: string | undefined;
}

/** Another write as the account sent it; undefined: the mapping no longer has its method. */
export type AskedOf = (other: Write) => ReadValues | undefined;

/** The record sort of a method: for `client.contact.add`, `client.contact`. */
const sortOf = ({ method }: Write): string => method.slice(0, method.lastIndexOf('.'));

/** Changes to records of the same sort that may have come after the write was carried out. */
export function changesSince(write: Write, others: readonly Write[], askedOf: AskedOf): readonly Change[] {
  return others.flatMap((other) => {
    const isOver = other.state !== 'open' && other.state !== 'unknown' && other.createdAt < write.createdAt;
    if (isOver || sortOf(other) !== sortOf(write)) return [];
    const asked = askedOf(other);
    return (asked && changeBy(asked)) ?? [];
  });
}

function changeBy(asked: ReadValues): Change | undefined {
  const { id, settle } = asked.method;
  const isRemoval = /\.delete(all)?$/.test(id);
  if (settle?.way === 'changed' || settle?.way === 'gone') {
    const place = settle.read.segments.findIndex((segment) => typeof segment !== 'string');
    return { isRemoval, number: requestOf(settle.read, asked)?.segments[place] };
  }
  return isRemoval ? { isRemoval, number: undefined } : undefined;
}

/**
 * What the write created may be missing because of it. A number tells how old a record is; without one,
 * nobody knows what a missing record was.
 */
export const mayHide = ({ isRemoval, number = '' }: Change, { knownTo }: Pick<Write, 'knownTo'>): boolean =>
  knownTo !== undefined && /^\d{1,10}$/.test(number) ? Number(number) > knownTo : isRemoval;

/**
 * Whether another write asks for something else of the same record, and may have been carried out since this one began:
 * it is unknown, came later, or was not over.
 */
export function isOverlapped(
  write: Write,
  asked: ReadValues,
  {
    others,
    askedOf,
    finalAt,
  }: { readonly others: readonly Write[]; readonly askedOf: AskedOf; readonly finalAt: FinalAt },
): boolean {
  const own = recordOf(asked);
  return others.some((other) => {
    if (wasOver(other, write, finalAt)) return false;
    const rival = askedOf(other);
    if (rival?.method === asked.method && isEqual(rival.sent, asked.sent)) return false;
    return rival !== undefined && recordOf(rival) === own;
  });
}

/** From when on the service no longer carries out anything of a write whose answer was lost. */
type FinalAt = (write: Write) => number;

/** The clock of another instance may be a little behind. */
const BEHIND = MINUTE;

/** A program that changes a record twice has usually had the first answer before it sends the second change. */
function wasOver(other: Write, { createdAt, owner }: Write, finalAt: FinalAt): boolean {
  if (other.state === 'open') return false;
  const over = other.state === 'done' ? other.answeredAt : finalAt(other);
  return over !== undefined && over + (other.owner === owner ? 0 : BEHIND) <= createdAt;
}

/** The record that a change or a deletion is about; undefined: none, or it cannot be told. */
function recordOf(asked: ReadValues): string | undefined {
  const { settle } = asked.method;
  if (settle?.way !== 'changed' && settle?.way !== 'gone') return undefined;
  const request = requestOf(settle.read, asked);
  const find = settle.way === 'changed' ? settle.find : undefined;
  const key = find && sentText(asked.sent, find.sent);
  return request && [...request.segments, ...(key === undefined ? [] : [key])].join('/');
}
