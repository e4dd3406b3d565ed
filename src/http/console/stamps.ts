import { inHtml } from '../../lib/text/html-text.ts';
import { minutesIn, secondIn } from '../../lib/time/zone.ts';

/** A time on a page: a readable text, with the exact value beside it. */
export class Stamp {
  readonly #text: string;
  readonly html: string;

  constructor(text: string, at: number) {
    this.#text = text;
    this.html = `<time datetime="${new Date(at).toISOString()}">${inHtml(text)}</time>`;
  }

  toString(): string {
    return this.#text;
  }
}

/** The functions with which templates write times, in the zone of the installation. */
export function stampsIn(zone: string): {
  readonly zone: string;
  readonly moment: (at: number | undefined) => Stamp | string;
  /** With seconds, for comparison with a log. */
  readonly second: (at: number) => Stamp;
  readonly minute: (iso: string | null) => Stamp | string;
} {
  const format = minutesIn(zone);
  const stamp = (at: number): Stamp => new Stamp(format(at), at);
  return {
    zone,
    moment: (at) => (at === undefined ? '–' : stamp(at)),
    second: (at) => new Stamp(secondIn(zone, at), at),
    minute: (iso) => (iso === null ? '' : stamp(Date.parse(iso))),
  };
}

/** An e-mail address that breaks at natural places: before the at sign and before a full stop. */
export const addressHtml = (address: string): string =>
  `<bdi>${inHtml(address).replaceAll(/[@.]/g, '<wbr>$&')}</bdi>`;

/** A code like `unknownMethod` that breaks between its words. */
export const codeHtml = (code: string): string => inHtml(code).replaceAll(/(?<=[a-z])(?=[A-Z])/g, '<wbr>');
