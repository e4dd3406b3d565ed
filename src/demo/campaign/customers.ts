/**
 * The invented customers of a demo with many accounts: their names and sizes, and how they will answer.
 *
 * Everything is derived from the customer's number, so that two demos of one size are identical. Names and
 * addresses are invented; hosts end in `.example` (RFC 2606), and telephone numbers are from ranges reserved
 * for fiction.
 */
import { SeededRandom } from '../../sandbox/seed/generate/seeded-random.ts';
import { behaviourOf, type Behaviour } from './behaviours.ts';
import { weighted } from './weighted.ts';

/** When a customer is invited: with one of three waves, by the operator on some day, or not yet. */
export type Part = 'pilot' | 'second' | 'third' | 'daily' | 'open';

/** One customer with its account. */
export interface Customer {
  /** Counts from 0. */
  readonly number: number;
  readonly name: string;
  readonly accountKey: string;
  readonly product: 'standard' | 'practice';
  /** Administers the organisation at the service, and approves. */
  readonly administrator: { readonly name: string; readonly email: string };
  readonly contactName: string;
  /** undefined: the address is unknown. */
  readonly email: string | undefined;
  readonly language: string;
  readonly zone: string;
  readonly phone: string;
  readonly part: Part;
  /** Number of clients at the service. */
  readonly clients: number;
  readonly callsPerDay: number;
  readonly behaviour: Behaviour;
}

const families = [
  ...['Albrecht', 'Anaru', 'Barlow', 'Beaumont', 'Calloway', 'Castillo', 'Dempsey', 'De Vries', 'Ellery'],
  ...['Fairweather', 'Fournier', 'Garrity', 'Gruber', 'Hapuku', 'Herrera', 'Hollis', 'Ingram', 'Jansen'],
  ...['Kauffmann', 'Kerr', 'Lachlan', 'Lindqvist', 'Marsden', 'Moreau', 'Nakamura', 'Ngata', 'Okafor'],
  ...['Ortega', 'Paxton', 'Pereira', 'Quill', 'Raumati', 'Rousseau', 'Sandoval', 'Schreiber', 'Tamihana'],
  ...['Thorne', 'Underhill', 'Van Dijk', 'Vaughan', 'Weiss', 'Whitlock', 'Yarrow', 'Zimmer', 'Zorn'],
] as const;
const trades = [
  ...['Accounting', 'Advisory', 'Architects', 'Bookkeeping', 'Building', 'Catering', 'Consulting'],
  ...['Design', 'Electrical', 'Engineering', 'Films', 'Fitters', 'Gardens', 'Joinery', 'Landscapes'],
  ...['Law', 'Logistics', 'Marine', 'Media', 'Packaging', 'Planning', 'Plumbing', 'Print', 'Roofing'],
  ...['Security', 'Signs', 'Studio', 'Surveyors', 'Training', 'Translation', 'Transport', 'Workshop'],
] as const;
const firstNames = [
  ...['Amelia', 'Aroha', 'Bastian', 'Carla', 'Daniel', 'Elise', 'Femke', 'Gabriel', 'Hana', 'Isabel'],
  ...['Jonas', 'Kiri', 'Lars', 'Maeve', 'Noah', 'Olivia', 'Pita', 'Quentin', 'Rosa', 'Sander', 'Tane'],
] as const;

/** The customers' places, the most frequent first; `of`: customers in twenty. */
const places = [
  { of: 6, language: 'en', zone: 'Pacific/Auckland', phone: '+64 9 555 01' },
  { of: 3, language: 'en', zone: 'Australia/Sydney', phone: '+61 2 5550 01' },
  { of: 3, language: 'en', zone: 'Europe/London', phone: '+44 20 7946 00' },
  { of: 3, language: 'de', zone: 'Europe/Berlin', phone: '+49 30 23125 0' },
  { of: 2, language: 'fr', zone: 'Europe/Paris', phone: '+33 1 99 00 01 ' },
  { of: 1, language: 'es', zone: 'Europe/Madrid', phone: '+34 912 555 0' },
  { of: 1, language: 'nl', zone: 'Europe/Amsterdam', phone: '+31 20 555 01' },
  { of: 1, language: 'en', zone: 'America/New_York', phone: '+1 212 555 01' },
] as const;
const byPlace = weighted(places);

/** The percentage of customers in each part, in the order in which the parts are invited. */
const parts = [
  { of: 12, part: 'pilot' },
  { of: 56, part: 'daily' },
  { of: 12, part: 'second' },
  { of: 13, part: 'third' },
  { of: 7, part: 'open' },
] as const;
const byPart = weighted(parts);

/** A few large customers, some middling ones, many small ones. */
interface Size {
  readonly of: number;
  readonly clients: readonly [least: number, most: number];
  /** Calls on a working day. */
  readonly calls: readonly [least: number, most: number];
}
const sizes: readonly Size[] = [
  { of: 14, clients: [1, 3], calls: [2, 6] },
  { of: 5, clients: [3, 6], calls: [8, 24] },
  { of: 1, clients: [6, 12], calls: [40, 90] },
];
const bySize = weighted(sizes);

/**
 * Irrational steps: their multiples spread evenly between 0 and 1 for any number of customers, and are
 * independent of each other, so that what a customer does depends neither on its wave nor on its size.
 */
const EVENLY = { part: (Math.sqrt(5) - 1) / 2, size: Math.SQRT2, behaviour: Math.sqrt(3) } as const;

const shareOf = (number: number, by: keyof typeof EVENLY): number => (number * EVENLY[by] + 0.25) % 1;

/** The customer's entry of a list; customers are spread evenly over the list. */
const spread = <T>(list: readonly T[], number: number, by: keyof typeof EVENLY): T =>
  list[Math.floor(shareOf(number, by) * list.length)] as T;

/** Returns that many customers. */
export const customersOf = (count: number): readonly Customer[] =>
  Array.from({ length: count }, (_, number) => customerOf(number));

function customerOf(number: number): Customer {
  const random = new SeededRandom(number + 1);
  const family = families[number % families.length] ?? families[0];
  const name = nameOf(family, number);
  const host = `${name.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-')}.example`;
  const place = byPlace[random.integer(0, byPlace.length - 1)] ?? places[0];
  const size = spread(bySize, number, 'size');
  const administrator = `${random.pick(firstNames)} ${family}`;
  const contactName = random.is(0.6) ? administrator : `${random.pick(firstNames)} ${random.pick(families)}`;
  const behaviour = behaviourOf(shareOf(number, 'behaviour'));
  const { part } = spread(byPart, number, 'part');
  return {
    number,
    name,
    accountKey: `C${String(number + 1).padStart(31, '0')}`,
    product: random.is(0.15) ? 'practice' : 'standard',
    administrator: { name: administrator, email: `${addressOf(administrator)}@${host}` },
    contactName,
    email: part === 'open' && random.is(0.4) ? undefined : `${addressOf(contactName)}@${host}`,
    ...{ language: place.language, zone: place.zone, phone: `${place.phone}${random.digits(2)}` },
    part,
    clients: behaviour.isEmpty === true ? 0 : random.integer(...size.clients),
    callsPerDay: random.integer(...size.calls),
    behaviour,
  };
}

/** Pairs each family with each trade once, then repeats the names with a number. */
function nameOf(family: string, number: number): string {
  const times = Math.floor(number / families.length);
  const trade = trades[(number * 5) % trades.length] ?? trades[0];
  const again = Math.floor(times / trades.length);
  return [family, trade, ...(again > 0 ? [String(again + 1)] : [])].join(' ');
}

const addressOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/g, '.');

/** The customer's tags, in the format of an import's column. */
export const tagsOf = ({ part, callsPerDay }: Customer): string =>
  [
    ...(part === 'daily' || part === 'open' ? [] : [waveTags[part]]),
    callsPerDay >= 40 ? 'key-account' : callsPerDay >= 8 ? 'regular' : 'small',
  ].join(' ');

/** The tag by which each wave selects its accounts. */
export const waveTags = { pilot: 'pilot', second: 'wave-2', third: 'wave-3' } as const;
