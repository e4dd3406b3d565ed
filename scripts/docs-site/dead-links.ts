import { posix } from 'node:path';

/**
 * Links of a built site to missing files, or to missing elements of their page, one line each. `pages`: HTML by file
 * name; `files`: every file; `base`: the root of the site.
 */
export function deadLinks(
  pages: ReadonlyMap<string, string>,
  files: ReadonlySet<string>,
  base: string,
): readonly string[] {
  return [...pages].flatMap(([name, html]) =>
    [
      ...new Set(
        Array.from(
          html.matchAll(/<(?:a|img|link|script)\b[^>]*? (?:href|src)="([^"]+)"/g),
          ([, to = '']) => to,
        ),
      ),
    ]
      .filter((link) => isDead(name, link))
      .map((link) => `${name}: ${link}`),
  );

  function isDead(name: string, link: string): boolean {
    if (/^[a-z][a-z+.-]*:/i.test(link)) return false;
    const [address = '', anchor = ''] = link.split('#').map(decodeURIComponent);
    const target = targetOf(name, address);
    if (target === undefined || !files.has(target)) return true;
    return anchor !== '' && !(pages.get(target) ?? '').includes(` id="${anchor}"`);
  }

  function targetOf(name: string, address: string): string | undefined {
    if (address === '') return name;
    if (address.startsWith('/') && !address.startsWith(base)) return undefined;
    const path = address.startsWith('/')
      ? address.slice(base.length)
      : posix.join(posix.dirname(name), address);
    return path === '' || path.endsWith('/') ? `${path}index.html` : path;
  }
}
