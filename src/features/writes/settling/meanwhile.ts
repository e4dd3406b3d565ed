import type { Write } from '../model.ts';
import { sentText } from './fit.ts';
import { requestOf, type ReadValues } from './reads.ts';

/** What another call has done, or may have done, to a record. */
export interface Change {
  readonly isRemoval: boolean;
  /** Of the record; undefined: the call does not say. */
  readonly number: string | undefined;
}

/** The record sort of a method: for `client.contact.add`, `client.contact`. */
const sortOf = ({ method }: Write): string => method.slice(0, method.lastIndexOf('.'));

/** Changes to records of the same sort that may have come after the write was carried out. */
export function changesSince(
  write: Write,
  others: readonly Write[],
  askedOf: (other: Write) => ReadValues | undefined,
): readonly Change[] {
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

/** The record that a change or a deletion is about; undefined: none, or it cannot be told. */
export function recordOf(asked: ReadValues): string | undefined {
  const { settle } = asked.method;
  if (settle?.way !== 'changed' && settle?.way !== 'gone') return undefined;
  const request = requestOf(settle.read, asked);
  const find = settle.way === 'changed' ? settle.find : undefined;
  const key = find && sentText(asked.sent, find.sent);
  return request && [...request.segments, ...(key === undefined ? [] : [key])].join('/');
}
