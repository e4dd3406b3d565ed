import type { Edit, Exchange, Finding, LimitFact, Reading } from '../model.ts';
import { PROFILE } from '../report/mapping-files.ts';
import type { Calling } from '../calling.ts';
import { countIn, NOTHING_PROBED, type Probed } from './probed.ts';

/** What the answers reveal about the rate limit that V3 and V2 share. */
export function probeLimits({ tried: { profile } }: Calling, readings: readonly Reading[]): Probed {
  const exchanges = readings.flatMap((reading) => (reading.surface === 'v1' ? [] : reading.exchanges));
  if (exchanges.length === 0) return NOTHING_PROBED;
  const { perMinute, remainingHeader: expected } = profile.limits;
  const names = limitHeaders(exchanges);
  const name = names.includes(expected) ? expected : names.find(isMinute);
  const told = name === undefined ? undefined : limitIn(exchanges, name);
  const findings = [
    ...(name === expected ? [] : [headerFinding(expected, name)]),
    ...(name !== undefined && told !== undefined && isOther(told, perMinute)
      ? [limitFinding(perMinute, told, name)]
      : []),
  ];
  const limits: readonly LimitFact[] = [
    {
      surface: 'v3',
      what: 'calls in a minute',
      expected: String(perMinute),
      found: told === undefined ? 'not told' : String(told.value),
    },
    { surface: 'v3', what: 'headers about limits', expected, found: names.join(', ') || 'none' },
  ];
  return { findings, limits, doubts: [] };
}

const limitHeaders = (exchanges: readonly Exchange[]): readonly string[] => [
  ...new Set(
    exchanges.flatMap(({ headers }) => Object.keys(headers)).filter((name) => /limit|remaining/.test(name)),
  ),
];

/** Excludes the daily limit and the limit of an application over all customers. */
const isMinute = (name: string): boolean =>
  name.includes('min') && name.includes('remaining') && !name.includes('app');

const base = { surface: 'v3', methods: [] } as const;

function headerFinding(expected: string, found: string | undefined): Finding {
  const place = { ...base, kind: 'header', row: 'profile limits.remainingHeader', expected, found } as const;
  if (found === undefined)
    return { ...place, because: 'no answer has a header that says what is left of the minute', edits: [] };
  const edit: Edit = { file: PROFILE, at: ['limits'], change: 'set', key: 'remainingHeader', to: found };
  return {
    ...place,
    because: 'it says what is left of the minute, and the other is not there',
    edits: [edit],
  };
}

/** The limit that most answers imply: the remainder plus the calls of the last minute. */
interface ToldLimit {
  readonly value: number;
  readonly share: number;
}

/** A call may be counted later than it is sent, or not at all: values this close mean the same limit. */
const AS_PRECISE = 0.02;
/** Other programs may use part of the limit meanwhile: only a result below this share means another limit. */
const OTHERS = 0.8;

const isOther = ({ value, share }: ToldLimit, perMinute: number): boolean =>
  share >= 0.5 && (value > perMinute * (1 + AS_PRECISE) || value < perMinute * OTHERS);

const limitFinding = (expected: number, { value, share }: ToldLimit, name: string): Finding => ({
  ...{
    ...base,
    kind: 'limit',
    row: 'profile limits.perMinute',
    expected: String(expected),
    found: String(value),
  },
  because: `${name} and the calls of the last minute make that in ${Math.round(share * 100)} % of the answers`,
  edits: [{ file: PROFILE, at: ['limits', 'perMinute'], change: 'text', to: value }],
});

function limitIn(exchanges: readonly Exchange[], name: string): ToldLimit | undefined {
  const values = exchanges.flatMap(({ headers, inMinute }) => {
    const left = countIn(headers[name]);
    return left === undefined ? [] : [left + inMinute];
  });
  const middle = values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
  const near = values.filter((value) => Math.abs(value - middle) <= middle * AS_PRECISE);
  const counts = Map.groupBy(near, (value) => value);
  const [first] = [...counts.values()].toSorted((a, b) => b.length - a.length);
  const value = first?.[0];
  return value === undefined ? undefined : { value, share: near.length / values.length };
}
