import { wordsIn } from '../../../lib/text/code.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import { counted, grouped } from '../../../lib/text/counted.ts';
import type { ApiReadiness, ReadinessState } from '../../usage/readiness/readiness.ts';
import type { MissedByUse, UsedProgram } from './usage.ts';

const states = wordsIn<ReadinessState>({
  ready: 'ready',
  'not-ready': 'not ready',
  'not-enough-seen': 'not enough data: its calls have been counted for less than a week',
});

/** The readiness of an API, as text. */
export const readinessWords = ({ state }: Pick<ApiReadiness, 'state'>): string => states(state);

/** A program's given name, or its product name, or its key. */
export const programWords = ({ name, agent, key }: Pick<UsedProgram, 'name' | 'agent' | 'key'>): string =>
  plainText(name ?? (agent === '' ? key : `${agent} (${key})`));

/** Elements that are listed; the rest is only counted. */
const MOST_LISTED = 10;

/** What accounts would miss, in lines; empty if nothing is known. */
export function missedLines(
  { using, missing, unseen, what }: MissedByUse,
  accounts: number,
): readonly string[] {
  if (accounts === 0) return [];
  if (accounts === 1) {
    const lines = what.map((one) => `it uses ${one.what}, seen ${times(one.seen)}, and would miss it`);
    if (lines.length > 0) return listed(lines);
    if (unseen > 0) return ['too few of its calls were seen to tell what it would miss'];
    return [using === 0 ? 'it does not use them' : 'it uses nothing that it would miss'];
  }
  return [
    `${counted(using, 'account')} of ${grouped(accounts)} use them; ${grouped(missing)} would miss something; too few calls of ${grouped(unseen)} were seen to tell`,
    ...listed(
      what.map(
        (one) => `missed: ${one.what}, by ${counted(one.accounts, 'account')}, seen ${times(one.seen)}`,
      ),
    ),
  ];
}

function listed(lines: readonly string[]): readonly string[] {
  const rest = lines.length - MOST_LISTED;
  return rest > 0 ? [...lines.slice(0, MOST_LISTED), `and ${grouped(rest)} more`] : lines;
}

const times = (count: number): string => (count === 1 ? 'once' : counted(count, 'time'));
