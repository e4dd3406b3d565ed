/**
 * `prepack`: writes into `dist/` the files that `npm pack` puts into the package. Node strips no types below
 * `node_modules`, so the modules are stripped here, by Node itself: every line stays in its place, and a stack trace
 * names the line of the source. The demo belongs to the clone and is left out. Modules that `causeway client` writes
 * into a client also stay source.
 *
 * `node scripts/pack.ts FOLDER` writes them elsewhere.
 */
import { spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { stripTypeScriptTypes } from 'node:module';
import { dirname, join } from 'node:path';
import { sharedSources } from '../src/proof/client/sources.ts';

const project = join(import.meta.dirname, '..');
const [folder] = process.argv.slice(2);
const dist = folder ?? join(project, 'dist');
const leftOut = ['demo'];
/** Modules copied unchanged into a client. */
const isShared: ReadonlySet<string> = new Set(sharedSources.map((path) => join('src', path)));

/** A relative specifier of an import, a re-export or an `import()`. */
const specifier = /((?:\bfrom|\bimport)\s*\(?\s*)(['"])(\.{1,2}\/[^'"]+)\.ts\2/g;

const strippedOf = (source: string): string =>
  stripTypeScriptTypes(source).replaceAll(specifier, '$1$2$3.js$2');

/** Undefined without git, as in an unpacked archive of the sources. */
function commit(): string | undefined {
  const { status, stdout } = spawnSync('git', ['-C', project, 'rev-parse', '--short', 'HEAD'], {
    encoding: 'utf8',
  });
  return status === 0 ? stdout.trim() : undefined;
}

function writeModules(): void {
  const entries = readdirSync(join(project, 'src'), { recursive: true, withFileTypes: true });
  for (const entry of entries) {
    const path = join(entry.parentPath, entry.name);
    const place = path.slice(project.length + 1);
    if (!entry.isFile() || leftOut.some((folder) => place.startsWith(join('src', folder, '/')))) continue;
    const to = join(dist, place);
    mkdirSync(dirname(to), { recursive: true });
    const isSource = place.includes('/assets/');
    if (!place.endsWith('.ts') || isSource || isShared.has(place)) cpSync(path, to);
    if (place.endsWith('.ts') && !isSource)
      writeFileSync(to.replace(/\.ts$/, '.js'), strippedOf(readFileSync(path, 'utf8')));
  }
}

rmSync(dist, { recursive: true, force: true });
writeModules();
cpSync(join(project, 'mappings'), join(dist, 'mappings'), { recursive: true });
// The bridge serves its documentation, which includes these four.
cpSync(join(project, 'docs'), join(dist, 'docs'), { recursive: true });
for (const name of ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'SECURITY.md'])
  cpSync(join(project, name), join(dist, name));
const { version } = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
  readonly version: string;
};
writeFileSync(
  join(dist, 'package.json'),
  `${JSON.stringify({ type: 'module', version, commit: commit() })}\n`,
);
