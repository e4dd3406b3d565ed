/**
 * A sample as a document that can be sent and stored again: values kept as text stay, and each hash becomes a text,
 * the same for the same hash. A word of the service itself (`Draft`, `In Progress`) is restored by its hash, because
 * a record without its state could not be played; such a word names nobody.
 */
import { hashedUuid } from '../../lib/text/uuid.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import { DAY } from '../../lib/time/clock.ts';
import type { SampledElement, SampledValue } from './sample.ts';

/** Words that V1 itself has for states, types and choices. */
const WORDS = [
  ...['OK', 'ERROR', 'Yes', 'No', 'true', 'false'],
  ...['Planned', 'In Progress', 'On Hold', 'Completed', 'Invoiced', 'Cancelled'],
  ...['PLANNED', 'PRODUCTION', 'PRESENTED', 'ACCEPTED', 'IN PROGRESS', 'COMPLETED', 'CANCELLED'],
  ...['Current', 'Won', 'Lost', 'Draft', 'Issued', 'Accepted', 'Declined', 'Revised', 'Approved', 'Paid'],
  ...['Quote', 'Estimate', 'Progress Invoice', 'Deposit Invoice', 'Final Invoice', 'Credit Note'],
  ...['DayOfMonth', 'WithinDays', 'Low', 'Normal', 'High', 'Immediate', 'AddNew'],
  ...['Text', 'Multi-line Text', 'Number', 'Decimal', 'Date', 'Dropdown List', 'Value Link', 'Checkbox'],
  'Boolean',
  ...['Company', 'Individual', 'Partnership', 'Sole Trader', 'Trust', 'Tax Agent'],
  ...['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'],
  ...['Monthly', '2 Monthly', '6 Monthly', 'Invoice', 'Payment', 'Hybrid'],
  ...['Standard Option', 'Estimate Option', 'Ratio Option', 'With EOT', 'Without EOT', 'Unlinked'],
  ...['IR3', 'IR3NR', 'IR4', 'IR6', 'IR7', 'IR9', 'PTS', 'Owner', 'Shareholder', 'Director', 'Trustee'],
] as const;

/** Hexadecimal characters of the hash that the text shows: 48 bits. */
const SHOWN = 12;

/** Reads masked samples of one account. */
export class ReadableSamples {
  readonly #words: ReadonlyMap<string, string>;

  /** `hash`: the function that masked the samples. */
  constructor(hash: (text: string) => string) {
    this.#words = new Map(WORDS.map((word) => [hash(word), word]));
  }

  element({ name, attributes, children, value }: SampledElement): XmlElement {
    return {
      name,
      attributes: attributes
        // An attribute of the root that every answer to the call has.
        .filter(([key]) => key !== 'api-method')
        .map(([key, given]) => [key, this.#text(given, key)] as const),
      children: children.map((child) => this.element(child)),
      text: children.length > 0 ? '' : this.#text(value, name),
      selfClosing: false,
    };
  }

  #text(value: SampledValue, name: string): string {
    if ('text' in value) return value.text;
    const word = this.#words.get(value.hash);
    if (word !== undefined) return word;
    // Where a UUID or a date belongs, the sandbox takes no other text.
    if (name === 'UUID') return hashedUuid(value.hash, 4);
    if (name === 'DateOfBirth') return dayOf(value.hash);
    const text = `masked-${value.hash.slice(0, SHOWN)}`;
    return name.endsWith('Email') ? `${text}@masked.example` : text;
  }
}

const FIRST_DAY = Date.UTC(1940, 0, 1);
const DAYS = 20_000;

/** A day of the last century, the same for the same hash. */
const dayOf = (hash: string): string =>
  new Date(FIRST_DAY + (Number.parseInt(hashedUuid(hash, 4).slice(0, 8), 16) % DAYS) * DAY)
    .toISOString()
    .slice(0, 10);
