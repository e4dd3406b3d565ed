/** A form on a page, with what a click needs. */
export interface PageForm {
  readonly action: string;
  readonly method: string;
  /** Hidden and prefilled fields. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** Buttons and checkboxes, each with its label. */
  readonly choices: readonly { readonly name: string; readonly value: string; readonly words: string }[];
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

const decoded = (text: string): string =>
  text.replaceAll(
    /&(?:#(\d+)|#x([0-9a-f]+)|(\w+));/gi,
    (whole, decimal: string, hex: string, name: string) => {
      const point = decimal ? Number(decimal) : hex ? Number.parseInt(hex, 16) : undefined;
      return point === undefined ? (entities[name] ?? whole) : String.fromCodePoint(point);
    },
  );

const attribute = (tag: string, name: string): string | undefined => {
  const found = new RegExp(`\\s${name}="([^"]*)"`).exec(tag)?.[1];
  return found === undefined ? undefined : decoded(found);
};

const wordsOf = (html: string): string =>
  decoded(html.replaceAll(/<[^>]*>/g, ' '))
    .replaceAll(/\s+/g, ' ')
    .trim();

/** Reads the forms of our own pages: plain HTML, attributes in double quotes. */
export function formsOf(html: string): readonly PageForm[] {
  return Array.from(html.matchAll(/<form([^>]*)>(.*?)<\/form\s*>/gs), ([, tag = '', inner = '']) => ({
    action: attribute(tag, 'action') ?? '',
    method: (attribute(tag, 'method') ?? 'get').toUpperCase(),
    fields: inputs(inner)
      .filter((input) => attribute(input, 'type') === 'hidden')
      .map((input) => [attribute(input, 'name') ?? '', attribute(input, 'value') ?? ''] as const),
    choices: [...buttons(inner), ...boxes(inner)],
  }));
}

const inputs = (html: string): readonly string[] =>
  Array.from(html.matchAll(/<input[^>]*>/g), ([tag]) => tag);

const buttons = (html: string): PageForm['choices'] =>
  Array.from(html.matchAll(/<button([^>]*)>(.*?)<\/button\s*>/gs), ([, tag = '', words = '']) => ({
    name: attribute(tag, 'name') ?? '',
    value: attribute(tag, 'value') ?? '',
    words: wordsOf(words),
  }));

const boxes = (html: string): PageForm['choices'] =>
  Array.from(html.matchAll(/<label[^>]*>(.*?)<\/label\s*>/gs), ([, inner = '']) => ({
    box: inputs(inner).find((input) => attribute(input, 'type') === 'checkbox'),
    words: wordsOf(inner),
  }))
    .filter(({ box }) => box !== undefined && !/\sdisabled/.test(box))
    .map(({ box = '', words }) => ({
      name: attribute(box, 'name') ?? '',
      value: attribute(box, 'value') ?? '',
      words,
    }));
