/** Reads Markdown without rendering it. */

/** A heading and the text below it, up to the next heading of any level. */
export interface Heading {
  readonly level: number;
  readonly title: string;
  readonly anchor: string;
  /** The text as written. */
  readonly body: string;
}

/** The text without code, in which nothing is a link or a heading. */
export const prose = (markdown: string): string =>
  markdown.replaceAll(/^ *(```+).*?^ *\1/gms, '').replaceAll(/(`+)(?!`).+?(?<!`)\1(?!`)/g, '');

/** The addresses of all links and pictures. */
export const linksIn = (markdown: string): readonly string[] =>
  Array.from(
    prose(markdown).matchAll(/\]\(([^)\s]+)[^)]*\)|(?:src|href)="([^"]+)"/g),
    ([, link, attribute]) => link ?? attribute ?? '',
  ).filter((link) => !/^[a-z][a-z+.-]*:|^#/i.test(link));

/**
 * The anchor as the forge makes it: lower case, spaces to hyphens, and only letters, digits, hyphens and underscores.
 */
export const anchorOf = (heading: string): string =>
  heading
    .trim()
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(/\s/g, '-');

/** Text without Markdown syntax. */
export const plain = (markdown: string): string =>
  markdown
    .replaceAll(/<!--.*?-->/gs, '')
    .replaceAll(/<(?:\/?(?:ul|li)|br)>/g, ' ')
    .replaceAll(/^ *```.*$/gm, '')
    .replaceAll(/!?\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replaceAll(/^\s*[|>#-]+\s?|\|/gm, ' ')
    .replaceAll(/[`*]|^[-:|\s]+$/gm, '')
    .replaceAll(/\s+/g, ' ')
    .trim();

/** The text of the first heading. */
export const titleIn = (markdown: string): string => plain(/^# (.+)$/m.exec(markdown)?.[1] ?? '');

/** Every heading in order; a repeated heading on a page has `-1` after its anchor, and so on. */
export function headingsIn(markdown: string): readonly Heading[] {
  const found: { level: number; title: string; anchor: string; lines: string[] }[] = [];
  const times = new Map<string, number>();
  let fence: string | undefined;
  for (const line of markdown.split('\n')) {
    const [, marks] = /^ *(```+)/.exec(line) ?? [];
    if (marks !== undefined)
      fence = fence === undefined ? marks : marks.startsWith(fence) ? undefined : fence;
    const [, signs, heading = ''] = (fence === undefined ? /^(#{1,6}) (.+)$/.exec(line) : null) ?? [];
    if (signs === undefined) found.at(-1)?.lines.push(line);
    else found.push({ level: signs.length, ...named(plain(heading), times), lines: [] });
  }
  return found.map(({ lines, ...heading }) => ({ ...heading, body: lines.join('\n') }));
}

function named(
  title: string,
  times: Map<string, number>,
): { readonly title: string; readonly anchor: string } {
  const anchor = anchorOf(title);
  const before = times.get(anchor) ?? 0;
  times.set(anchor, before + 1);
  return { title, anchor: before === 0 ? anchor : `${anchor}-${before}` };
}
