import { z } from 'zod';
import { readDecimal } from '../../tables/values.ts';

/** Basic types of the answers. Unset single values are null. */
export const id = z.guid();
export const idOrNull = id.nullable();
export const text = z.string();
export const textOrNull = z.string().nullable();
export const amount = z.number();
export const amountOrNull = z.number().nullable();
export const count = z.int();
export const flag = z.boolean();
export const dayOrNull = z.iso.date().nullable();
/** UTC, ISO 8601, whole seconds (V2 specification, "Response envelope", rule 2). */
export const moment = z.iso.datetime({ precision: 0 });
export const times = { createdAt: moment, updatedAt: moment };

/** Basic types of the requests; null clears. */
export const textIn = z.string().max(100_000).nullish();
export const requiredText = z
  .string()
  .max(100_000)
  .refine((given) => given.trim() !== '', 'must not be empty');
export const idIn = z.guid();
export const idOptional = z.guid().nullish();
export const amountIn = z.number().min(-1e12).max(1e12);
export const amountOptional = amountIn.nullish();
export const rateOptional = z.number().min(0).max(1e9).nullish();
export const minutesOptional = z.int().min(0).max(10_000_000).nullish();
export const flagOptional = z.boolean().nullish();
export const dayIn = z.iso.date();
export const dayOptional = z.iso.date().nullish();
export const timeOptional = z.iso.time({ precision: -1 }).nullish();

/** UTC, ISO 8601, whole seconds. `at`: milliseconds since the epoch. */
export const utc = (at: number): string => `${new Date(at).toISOString().slice(0, 19)}Z`;

/** When a record was created and last changed, in the form of an answer. */
export const timesOf = ({
  createdAt,
  modifiedAt,
}: {
  readonly createdAt: number;
  readonly modifiedAt: number;
}) => ({
  createdAt: utc(createdAt),
  updatedAt: utc(modifiedAt),
});

/** Converts an empty stored text to null. */
export const orNull = (stored: string | undefined): string | null =>
  stored === undefined || stored === '' ? null : stored;

/** A stored amount as a number, null for ''. */
export const numberOrNull = (stored: string | undefined): number | null =>
  stored === undefined || stored === '' ? null : Number(stored);

/** A stored amount as a number; 0 if there is none. */
export const numberOf = (stored: string | undefined): number => Number(stored ?? 0);

/**
 * Converts to the stored form of an amount: two places, rounded half away from zero in decimal, not in
 * binary.
 */
export const two = (value: number): string => {
  const written = readDecimal(String(value)) ?? value.toFixed(2);
  return written === '-0.00' ? '0.00' : written;
};

/** Rounds to whole cents. */
export const cents = (value: number): number => Number(two(value));

/** The stored form of an amount in a request: undefined keeps, null clears. */
export const twoAfter = (given: number | null | undefined, before: string | undefined): string =>
  given === undefined ? (before ?? '') : given === null ? '' : two(given);

/** The stored form of a text in a request: undefined keeps, null clears. */
export const textAfter = (given: string | null | undefined, before: string | undefined): string =>
  given === undefined ? (before ?? '') : (given ?? '');

/** The day of a stored time without zone; null for none. */
export const dayOf = (stored: string | undefined): string | null => orNull(stored?.slice(0, 10));

/** A name, and its first name if known. */
export interface PersonName {
  readonly name: string;
  readonly fields: { readonly firstName?: string };
}

/**
 * Splits a name that XML stores as one: where it was divided when written, or before its last word. Joining
 * the parts with a space restores the name.
 */
export function partsOfName({ name, fields }: PersonName): {
  readonly firstName: string;
  readonly lastName: string;
} {
  const { firstName } = fields;
  if (firstName === '') return { firstName, lastName: name };
  if (firstName !== undefined && (name === firstName || name.startsWith(`${firstName} `)))
    return { firstName, lastName: name.slice(firstName.length + 1) };
  const at = name.lastIndexOf(' ');
  return at === -1
    ? { firstName: name, lastName: '' }
    : { firstName: name.slice(0, at), lastName: name.slice(at + 1) };
}

/** Joins the two parts of a name, either of which may be empty. */
export const joinedName = (firstName: string, lastName: string): string =>
  [firstName, lastName].filter((part) => part !== '').join(' ');
