/**
 * `npm run docs:site [-- --base /path/]`: makes the documentation a static site in `var/docs-site/site`, for any web
 * server (`--base`: if not at its root). Fails if a link or an anchor leads nowhere.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { build } from 'vitepress';
import { DocLibrary } from '../src/http/docs/library.ts';
import { deadLinks } from './docs-site/dead-links.ts';
import { writeSource } from './docs-site/source.ts';

const project = join(import.meta.dirname, '..');
const out = join(project, 'var', 'docs-site');
const { values } = parseArgs({ options: { base: { type: 'string', default: '/' } } });

process.chdir(project);
writeSource(await DocLibrary.read(project), join(out, 'source'));
await build(join(import.meta.dirname, 'docs-site'), { base: values.base });

const site = join(out, 'site');
const pages = new Map(
  readdirSync(site, { recursive: true, encoding: 'utf8' })
    .filter((name) => name.endsWith('.html'))
    .map((name) => [name, readFileSync(join(site, name), 'utf8')] as const),
);
const files = new Set(readdirSync(site, { recursive: true, encoding: 'utf8' }));
const dead = deadLinks(pages, files, values.base);
for (const line of dead) console.error(line);
console.log(`${pages.size} pages in ${site}${dead.length === 0 ? '' : `, ${dead.length} dead links`}`);
process.exitCode = dead.length === 0 ? 0 : 1;
