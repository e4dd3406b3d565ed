/**
 * E-mails and customers' pages that show the texts of a section with sample values, for console, API and command line.
 */
import type { Clock } from '../../../lib/time/clock.ts';
import type { TextsInForce } from '../../texts/texts-in-force.ts';
import type { AdminMessages } from '../campaign/messages.ts';
import { AdminRefusal } from '../refusal.ts';
import { messageNamed } from './sample-messages.ts';
import type { AdminTexts } from './texts.ts';

/** The customers' pages, which `http/` renders. */
export interface PageSamples {
  /** Labels for the pages that show the texts of a section. */
  labels(section: string): readonly string[];
  /** The HTML of a page. `now`: milliseconds since the epoch. */
  html(wanted: WantedPage, now: number): string;
}

/** One of the pages of a section, in a language, with these texts. */
export interface WantedPage {
  readonly section: string;
  /** Index from 0, in the order of the labels. */
  readonly variant: number;
  readonly language: string;
  readonly texts: TextsInForce;
}

/** One page or e-mail. */
export interface TextSample {
  readonly kind: 'page' | 'e-mail';
  /** Labels of all pages or e-mails that show the texts of the section. */
  readonly labels: readonly string[];
  /** The subject of an e-mail; undefined for a page. */
  readonly subject: string | undefined;
  readonly text: string | undefined;
  readonly html: string;
}

export interface AdminSamplesParts {
  /** The texts in force. */
  readonly texts: TextsInForce;
  readonly pageSamples: PageSamples;
  readonly clock: Clock;
}

/** E-mails that show the texts shared by all of them. */
const SHARED = ['invitation', 'notice', 'receipt'];

/** The e-mails that show the texts of a section; empty if it belongs to pages. */
export function mailsOf(section: string): readonly string[] {
  if (section === 'shared') return SHARED;
  const name = section.startsWith('letters.') ? messageNamed(section.slice('letters.'.length)) : undefined;
  return name === undefined ? [] : [name];
}

/** The pages and e-mails with sample values. */
export class AdminSamples {
  readonly #messages: Pick<AdminMessages, 'sample'>;
  readonly #texts: Pick<AdminTexts, 'list'>;
  readonly #parts: AdminSamplesParts;

  constructor(
    messages: Pick<AdminMessages, 'sample'>,
    texts: Pick<AdminTexts, 'list'>,
    parts: AdminSamplesParts,
  ) {
    this.#messages = messages;
    this.#texts = texts;
    this.#parts = parts;
  }

  /** Labels of the pages or e-mails that show the texts of a section. */
  labels(section: string): readonly string[] {
    const mails = mailsOf(section);
    return mails.length > 0 ? mails : this.#parts.pageSamples.labels(section);
  }

  /**
   * Uses the texts in force. Throws `AdminRefusal` unknown for a language, a section or a variant that does not exist.
   */
  async show(language: string, section: string, variant: number): Promise<TextSample> {
    await this.#texts.list(language, section);
    return this.drawn({ language, section, variant, texts: this.#parts.texts });
  }

  /** Uses the given texts. Throws `AdminRefusal` unknown. */
  drawn(wanted: WantedPage): TextSample {
    const { pageSamples, clock } = this.#parts;
    const { language, section, variant, texts } = wanted;
    const labels = this.labels(section);
    if (labels[variant] === undefined)
      throw new AdminRefusal(
        'unknown',
        `there is no such page or e-mail; there are ${labels.length} of them`,
      );
    const name = mailsOf(section)[variant];
    return name === undefined
      ? {
          kind: 'page',
          labels,
          subject: undefined,
          text: undefined,
          html: pageSamples.html(wanted, clock.now()),
        }
      : { kind: 'e-mail', labels, ...this.#messages.sample({ name, language, texts }) };
  }
}
