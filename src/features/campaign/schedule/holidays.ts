/**
 * Days without e-mail to customers, from a file that the operator keeps.
 *
 * One day in a line: the date, then the places where it is a holiday, then any comment. Without a place it is a holiday
 * everywhere. A place is a zone, or its beginning up to a slash (`America/`); commas separate several.
 */
import { isDay } from '../../../lib/time/local.ts';
import { isZone, mainName } from '../../../lib/time/zone.ts';

/** By day, the zones, or beginnings of zones, in which it is a holiday; an empty list: everywhere. */
export type Holidays = ReadonlyMap<string, readonly string[]>;

/** An empty calendar. */
export const NO_HOLIDAYS: Holidays = new Map();

/** Zones have several names (`NZ`, `Pacific/Auckland`), and their spelling counts for nothing. */
const namesOf = (zone: string): readonly string[] => [zone.toLowerCase(), mainName(zone).toLowerCase()];

/** Whether a day such as `2026-12-25` is a holiday in the zone. */
export function isHoliday(holidays: Holidays, zone: string, day: string): boolean {
  const places = holidays.get(day);
  if (places === undefined) return false;
  if (places.length === 0) return true;
  const names = namesOf(zone);
  return places.some((place) =>
    place.endsWith('/')
      ? names.some((name) => name.startsWith(place.toLowerCase()))
      : namesOf(place).some((name) => names.includes(name)),
  );
}

/** The content of a file of holidays, with its faults. */
export interface ReadHolidays {
  readonly holidays: Holidays;
  /** Each with its line, for the operator; the other lines are used. */
  readonly faults: readonly string[];
}

/**
 * Reads lines such as `2026-12-25 # Christmas Day` and `2026-02-06 Pacific/Auckland # Waitangi Day`. Skips empty lines
 * and comments from `#` on.
 */
export function readHolidays(text: string): ReadHolidays {
  const holidays = new Map<string, readonly string[]>();
  const faults: string[] = [];
  text.split(/\r?\n/).forEach((line, index) => {
    const [day = '', places = '', more] = line.replace(/#.*/, '').trim().split(/\s+/);
    if (day === '') return;
    const named = places === '' ? [] : places.split(',');
    if (!isDay(day)) faults.push(`line ${index + 1}: must begin with a date like 2026-12-25`);
    else if (more !== undefined || !named.every(isPlace))
      faults.push(
        `line ${index + 1}: the date must be followed by a zone such as Pacific/Auckland or America/, then # and a name`,
      );
    else holidays.set(day, merged(holidays.get(day), named));
  });
  return { holidays, faults };
}

/** A holiday everywhere stays one, whatever another line adds. */
const merged = (before: readonly string[] | undefined, named: readonly string[]): readonly string[] =>
  before === undefined ? named : before.length === 0 || named.length === 0 ? [] : [...before, ...named];

/** A beginning ends with a slash, so that `America/` is not taken for a misspelt zone. */
const isPlace = (text: string): boolean => (text.endsWith('/') ? /^[A-Za-z_]+\/$/.test(text) : isZone(text));
