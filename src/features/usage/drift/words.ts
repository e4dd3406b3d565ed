/** An alarm in words: one sentence, and its effect. */
import { counted } from '../../../lib/text/counted.ts';
import { spelledOut } from '../../../lib/text/code.ts';
import { iso } from '../../../lib/time/iso.ts';
import type { DriftAlarm } from './model.ts';

type Change = Pick<DriftAlarm, 'upstream' | 'kind' | 'name' | 'from' | 'to'>;

const DATE_AND_TIME = /^date and time(?: with (?=.))?/;
const NEW_ROWS = 'no row of the mapping';

/** `14:02` of today, `2026-11-25 14:02` of another day; UTC. */
export const sinceWords = (since: number, now: number): string => {
  const [day = '', time = ''] = iso(since).split('T');
  return iso(now).startsWith(day) ? time.slice(0, 5) : `${day} ${time.slice(0, 5)}`;
};

/** The difference in words: "V2 sends `updatedAt` with milliseconds". */
export function changeWords({ upstream, kind, name, from, to }: Change): string {
  const who = upstream.toUpperCase();
  switch (kind) {
    case 'appeared':
      return `${who} sends \`${name}\`, which is new`;
    case 'disappeared':
      return `${who} no longer sends \`${name}\``;
    case 'emptied':
      return `${who} sends \`${name}\` empty`;
    case 'optional':
      return `${who} leaves \`${name}\` out of some records`;
    case 'required':
      return `${who} sends \`${name}\` in every record`;
    case 'type':
      return `${who} sends \`${name}\` ${typeChange(from, to, upstream === 'v2')}`;
    default:
      return `${who}, \`${name}\`: ${spelledOut(kind)}`;
  }
}

/** For a date and time with another precision or zone, names the new one; for any other change, the new type. */
function typeChange(from: string, to: string, isJson: boolean): string {
  if (to === 'nothing') return 'empty in some records';
  if (!DATE_AND_TIME.test(from) || !DATE_AND_TIME.test(to))
    return `as ${typeName(to, isJson)}, not ${typeName(from, isJson)}`;
  const [before, now] = [partsOf(from), partsOf(to)];
  const gained = now.filter((part) => !before.includes(part));
  const lost = before.filter((part) => !now.includes(part));
  return [
    ...(gained.length > 0 ? [`with ${gained.join(' and ')}`] : []),
    ...(lost.length > 0 ? [`without ${lost.join(' and ')}`] : []),
  ].join(' and ');
}

const partsOf = (type: string): readonly string[] =>
  type.replace(DATE_AND_TIME, '').split(' and ').filter(Boolean);

/** All values in XML are text. */
const typeName = (type: string, isJson: boolean): string =>
  type === '' ? 'anything else' : isJson ? type : type.replace(/ as text$/, '');

/** For an event, a line of a list, or the report: with rows and the number of accounts, but no account's name. */
export function driftSentence(
  alarm: Change & Pick<DriftAlarm, 'since' | 'accounts' | 'rows'>,
  now: number,
): string {
  const { since, accounts, rows } = alarm;
  const [shown, more] = [rows.slice(0, 5), rows.length - 5];
  const rowsWords = rows.length === 0 ? NEW_ROWS : shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
  return `${changeWords(alarm)} since ${sinceWords(since, now)}, ${counted(accounts, 'account')}; rows concerned: ${rowsWords}`;
}

/** Labels for the entries of timelines and audit log and for the events of these names. */
export const driftWords = {
  'drift.raised': 'The service now answers differently',
  'drift.ended': 'A change in the service’s replies has ended',
  'drift.acknowledged': 'A change in the service’s replies was acknowledged',
  'drift.acknowledge': 'Acknowledge a change in the service’s replies',
} as const;
