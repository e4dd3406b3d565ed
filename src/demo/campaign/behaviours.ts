/**
 * How customers answer an invitation, as one table: what they do, how long after the invitation, and what
 * percentage does so. A step whose time has not come yet has not happened.
 */
import { DAY, HOUR, MINUTE } from '../../lib/time/clock.ts';
import { weighted } from './weighted.ts';

/** An action of a customer, the service, a mail server or an operator; `perform.ts` defines its effect. */
export type Deed =
  | 'opens'
  | 'connects'
  | 'moves'
  | 'awaits-operator'
  | 'chooses-wrong'
  | 'lacks-privilege'
  | 'declines'
  | 'unsubscribes'
  | 'bounces'
  | 'loses'
  | 'is-called'
  | 'is-closed';

/** A deed and its shortest and longest delay after the previous one, in milliseconds. */
export type Part = readonly [deed: Deed, least: number, most: number];

/** One way to answer. */
export interface Behaviour {
  readonly name: string;
  /** Percentage of customers. */
  readonly of: number;
  readonly deeds: readonly Part[];
  /** The mail server rejects the customer's address. */
  readonly isRefused?: true;
  /** The API key of the customer's program is unknown, and the program makes no calls. */
  readonly isKeyless?: true;
  /** The organisation has no clients, so nothing proves that it belongs to the account. */
  readonly isEmpty?: true;
  /** The comparison before the move finds differences that have not been accepted. */
  readonly differs?: true;
}

const opens: Part = ['opens', 20 * MINUTE, 9 * HOUR];
const connects: Part = ['connects', 2 * MINUTE, 15 * MINUTE];
const moves: Part = ['moves', MINUTE, 3 * MINUTE];

const behaviours: readonly Behaviour[] = [
  { name: 'answers at once', of: 38, deeds: [opens, connects, moves] },
  { name: 'answers within days', of: 15, deeds: [['opens', DAY, 3 * DAY], connects, moves] },
  {
    name: 'answers the first reminder',
    of: 11,
    deeds: [['opens', 3 * DAY + HOUR, 4 * DAY], connects, moves],
  },
  {
    name: 'answers the second reminder',
    of: 6,
    deeds: [opens, ['opens', 6 * DAY, 8 * DAY], connects, moves],
  },
  {
    name: 'chooses another organisation first',
    of: 3,
    deeds: [opens, ['chooses-wrong', MINUTE, 9 * MINUTE], ['opens', HOUR, 2 * DAY], connects, moves],
  },
  {
    name: 'chooses another organisation',
    of: 2,
    deeds: [opens, ['chooses-wrong', MINUTE, 9 * MINUTE]],
  },
  { name: 'lacks the privilege', of: 2, deeds: [opens, ['lacks-privilege', MINUTE, 9 * MINUTE]] },
  { name: 'opens and forgets', of: 4, deeds: [['opens', HOUR, 5 * DAY]] },
  { name: 'declines', of: 2, deeds: [opens, ['declines', MINUTE, 9 * MINUTE]] },
  { name: 'wants no more e-mail', of: 2, deeds: [['unsubscribes', 2 * HOUR, 4 * DAY]] },
  { name: 'has an address that is dead', of: 3, deeds: [['bounces', MINUTE, 30 * MINUTE]] },
  { name: 'has an address that is refused', of: 2, deeds: [], isRefused: true },
  {
    name: 'waits for the operator',
    of: 2,
    deeds: [opens, ['awaits-operator', 2 * MINUTE, 15 * MINUTE]],
    isEmpty: true,
  },
  { name: 'has a program that is silent', of: 2, deeds: [opens, connects], isKeyless: true },
  { name: 'differs', of: 2, deeds: [opens, connects], differs: true },
  {
    name: 'is called and answers',
    of: 3,
    deeds: [['is-called', 15 * DAY, 17 * DAY], ['opens', HOUR, DAY], connects, moves],
  },
  { name: 'is called', of: 3, deeds: [['is-called', 15 * DAY, 18 * DAY]] },
  {
    name: 'loses the connection',
    of: 1,
    deeds: [opens, connects, moves, ['loses', 3 * DAY, 9 * DAY]],
  },
  { name: 'leaves', of: 1, deeds: [['is-closed', 2 * DAY, 12 * DAY]] },
  { name: 'does not answer', of: 5, deeds: [] },
];

const byBehaviour = weighted(behaviours);

/** `share`: from 0 to below 1. */
export function behaviourOf(share: number): Behaviour {
  const found = byBehaviour[Math.floor(share * byBehaviour.length)];
  if (found === undefined) throw new RangeError(`no behaviour for ${share}`);
  return found;
}
