import { inHtml } from '../../lib/text/html-text.ts';
import { dayIn, momentIn } from '../../lib/time/zone.ts';
import type { Text, Texts } from './catalogue.ts';
import { serviceValues } from './service-name.ts';
import { filled, type Rich, type TextValues } from './text.ts';

const plain = { plain: (value: string): string => value, rich: ({ text }: Rich): string => text };
const html = { plain: inHtml, rich: ({ html: written }: Rich): string => written };

const rightToLeft = new Set(['ar', 'fa', 'he', 'ur', 'yi']);

/** Whether a language is written from right to left. */
export const isRightToLeft = (language: string): boolean => rightToLeft.has(language.split('-')[0] ?? '');

/** The recipient of texts. */
export interface Reader {
  /** The customers' name for the service; undefined: "the service", in the reader's language. */
  readonly service?: string | undefined;
  /** IANA name of the time zone for times. */
  readonly zone: string;
}

/** The texts in one language. Throws if a text is missing: the page or e-mail cannot be written without it. */
export class Words {
  /** BCP 47 tag for `lang`. */
  readonly language: string;
  readonly #texts: Texts;
  readonly #zone: string;
  /** Whether this service has a name of its own. */
  readonly isServiceNamed: boolean;
  readonly #always: TextValues;

  constructor(language: string, texts: Texts, { service, zone }: Reader = { zone: 'UTC' }) {
    this.language = language;
    this.#texts = texts;
    this.#zone = zone;
    this.isServiceNamed = service !== undefined;
    this.#always = serviceValues(texts, service);
  }

  /** Plain text. Placeholders inside the values are not replaced. */
  say(name: string, values: TextValues = {}): string {
    return filled(this.#one(name), { ...this.#always, ...values }, plain);
  }

  /** HTML: everything is escaped, and `**…**` in the text, never in a value, becomes bold. */
  rich(name: string, values: TextValues = {}): string {
    const marked = inHtml(this.#one(name)).replaceAll(/\*\*(.+?)\*\*/g, '<strong>$1</strong>');
    return filled(marked, { ...this.#always, ...values }, html);
  }

  lines(name: string, values: TextValues = {}): readonly string[] {
    const text = this.#text(name);
    if (typeof text === 'string') throw new Error(`${name} in ${this.language} is not a list`);
    return text.map((line) => filled(line, { ...this.#always, ...values }, plain));
  }

  /** A text in the plural form that the language has for this number. */
  count(name: string, count: number, values: TextValues = {}): string {
    const form = `${name}.${new Intl.PluralRules(this.#locale).select(count)}`;
    const found = this.#texts.has(form) ? form : `${name}.other`;
    return this.say(found, { ...values, count: new Intl.NumberFormat(this.#locale).format(count) });
  }

  /** Whether there is such a text. */
  has(name: string): boolean {
    return this.#texts.has(name);
  }

  /** The date in the reader's zone. */
  day(at: number): Rich {
    return timed(dayIn(this.#zone, this.#locale, at), at);
  }

  /**
   * The end of a period: the date in the reader's zone. Where the zone is unknown, the time and "UTC" follow: nobody
   * reads a calendar in UTC, and the date alone is a day too late for half of the world.
   */
  lastMoment(at: number): Rich {
    return this.#zone === 'UTC' ? this.moment(at) : this.day(at);
  }

  /** Date, time and zone. */
  moment(at: number): Rich {
    return timed(momentIn(this.#zone, this.#locale, at), at);
  }

  /** A calendar day, `2026-12-31`, which is the same in every zone. */
  date(day: string): Rich {
    const text = dayIn('UTC', this.#locale, Date.parse(`${day}T00:00:00Z`));
    return { text, html: `<time datetime="${inHtml(day)}">${inHtml(text)}</time>` };
  }

  /** Plain `en` uses British order, day before month, like the texts. */
  get #locale(): string {
    return this.language === 'en' ? 'en-GB' : this.language;
  }

  #one(name: string): string {
    const text = this.#text(name);
    if (typeof text !== 'string') throw new Error(`${name} in ${this.language} is a list`);
    return text;
  }

  #text(name: string): Text {
    const text = this.#texts.get(name);
    if (text === undefined) throw new Error(`there is no text ${name} in ${this.language}`);
    return text;
  }
}

/** Adds the exact time, for programs and the reader's own software. */
const timed = (text: string, at: number): Rich => ({
  text,
  html: `<time datetime="${new Date(at).toISOString()}">${inHtml(text)}</time>`,
});
