/**
 * The invented customers of a demo with many accounts: who they are, how large, and how they will answer.
 *
 * Everything follows from the customer's number, so that two demos of one size are alike. Names and addresses are invented;
 * hosts end in `.example` (RFC 2606), and telephone numbers are of the ranges that are kept for fiction.
 */
import { SeededRandom } from '../../sandbox/seed/generate/seeded-random.ts';
import { behaviourOf, type Behaviour } from './behaviours.ts';
import { weighted } from './weighted.ts';

/** When a customer is invited: with one of three waves, by the operator on some day, or not yet. */
export type Part = 'pilot' | 'second' | 'third' | 'daily' | 'open';

/** One customer with its account. */
export interface Customer {
  /** Counted from 0. */
  readonly number: number;
  readonly name: string;
  readonly accountKey: string;
  readonly product: 'standard' | 'practice';
  /** Runs the organisation at the service, and approves. */
  readonly administrator: { readonly name: string; readonly email: string };
  readonly contactName: string;
  /** Undefined: nobody knows one. */
  readonly email: string | undefined;
  readonly language: string;
  readonly zone: string;
  readonly phone: string;
  readonly part: Part;
  /** Records at the service. */
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

/** Where customers are, the most frequent first: each is taken for so many of twenty. */
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

/** How many of a hundred belong to each part, in the order in which the parts go out. */
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
  /** Of a working day. */
  readonly calls: readonly [least: number, most: number];
}
const sizes: readonly Size[] = [
  { of: 14, clients: [1, 3], calls: [2, 6] },
  { of: 5, clients: [3, 6], calls: [8, 24] },
  { of: 1, clients: [6, 12], calls: [40, 90] },
];
const bySize = weighted(sizes);

/**
 * Their multiples fall evenly between 0 and 1, however few customers there are, and no two of them keep step: what a customer
 * does follows neither from the wave it is in nor from its size.
 */
const EVENLY = { part: (Math.sqrt(5) - 1) / 2, size: Math.SQRT2, behaviour: Math.sqrt(3) } as const;

const shareOf = (number: number, by: keyof typeof EVENLY): number => (number * EVENLY[by] + 0.25) % 1;

/** Which of a list is a customer's, the customers spread evenly over it. */
const spread = <T>(list: readonly T[], number: number, by: keyof typeof EVENLY): T =>
  list[Math.floor(shareOf(number, by) * list.length)] as T;

/** That many customers. */
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

/** Each family is in every trade once; then the names begin again, with a number. */
function nameOf(family: string, number: number): string {
  const times = Math.floor(number / families.length);
  const trade = trades[(number * 5) % trades.length] ?? trades[0];
  const again = Math.floor(times / trades.length);
  return [family, trade, ...(again > 0 ? [String(again + 1)] : [])].join(' ');
}

const addressOf = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/g, '.');

/** The customer's tags, as the column of an import has them. */
export const tagsOf = ({ part, callsPerDay }: Customer): string =>
  [
    ...(part === 'daily' || part === 'open' ? [] : [waveTags[part]]),
    callsPerDay >= 40 ? 'key-account' : callsPerDay >= 8 ? 'regular' : 'small',
  ].join(' ');

/** By which tag a wave finds its accounts. */
export const waveTags = { pilot: 'pilot', second: 'wave-2', third: 'wave-3' } as const;
