/**
 * The ways in which two replies to one call can differ: `proof/` finds them, and everything else uses their names.
 * The last two are not differences: nothing shows that the replies are alike, which a person has to judge as well.
 */
import { wordsIn } from '../../../lib/text/code.ts';
export const causes = [
  'value',
  'type',
  'rounding',
  'time-zone',
  'order',
  'missing-element',
  'extra-element',
  'missing-record',
  'extra-record',
  'paging',
  'permission',
  'refused',
  'readers',
  'not-compared',
  'not-yet',
] as const;
/** A member of `causes`. */
export type Cause = (typeof causes)[number];

/** Labels for people. */
export const causeWords = wordsIn<Cause>({
  value: 'a different value',
  type: 'a different type of value',
  rounding: 'a rounded amount',
  'time-zone': 'a different time zone',
  order: 'a different order',
  'missing-element': 'an element is missing',
  'extra-element': 'an element that V1 does not have',
  'missing-record': 'a record is missing',
  'extra-record': 'a record that V1 does not have',
  paging: 'a page of the list is missing or repeated',
  permission: 'the service does not permit the call',
  refused: 'the service refuses the call',
  readers: 'two XML parsers read the reply differently',
  'not-compared': 'a read that cannot be compared',
  'not-yet': 'a read that could not be compared yet and will be retried',
});

/** For the terminal and the printed report. */
export const lastSeenWords = (day: string): string =>
  `last seen ${day}; its reads could not be compared since then`;

/** One difference, in one place of one record. */
export interface Difference {
  readonly cause: Cause;
  /** `Response/Clients/Client/Name`: without positions in lists. */
  readonly path: string;
  /** The records around it, outermost first, by their identifiers, which may contain any character. */
  readonly records: readonly string[];
  /** The value of V1, a keyed hash of it, or empty. */
  readonly before: string;
  readonly after: string;
  /** The part shared by all differences of the kind: `+11:00`, `integer → text`. */
  readonly detail: string;
}

/** Whether a read was not compared, so that it is unknown whether its replies differ. */
export const isUncompared = (cause: Cause): boolean => cause === 'not-compared' || cause === 'not-yet';

/** The place as a text; two replies have at most one difference with one cause in one place. */
export const placeOf = ({ path, records }: Difference): string => JSON.stringify([path, ...records]);
