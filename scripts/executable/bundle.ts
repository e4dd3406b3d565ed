/**
 * Makes one CommonJS script, the only kind that a single executable application of Node 24 accepts, from the modules
 * written by `scripts/pack.ts`, and the packages they use.
 */
import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { build as bundled, type Metafile, type Plugin } from 'esbuild';
import { EMBEDDED } from './embedded-folder.ts';

/** Packages that others require only if they are installed. */
const NOT_THERE = ['pg-native', 'supports-color'];

/** The paths of a module inside the executable. They name no file, so no thread can be started from one. */
const placed = (source: string, folder: string): string =>
  source
    .replaceAll('import.meta.dirname', JSON.stringify(folder))
    .replaceAll('import.meta.url', JSON.stringify(`file://${folder}/`));

/** `createRequire` is for ES modules; the script has `require`, and contains its packages. */
const withoutRequire = (source: string): string =>
  source.replace(/^const require = createRequire\(import\.meta\.url\);$/m, '');

/** CommonJS has no `await` outside of a function. A failure ends the process as it does in a module. */
const withoutAwait = (source: string): string =>
  source.replace(
    /^process\.exitCode = await (.+);$/m,
    '$1.then((code) => { process.exitCode = code; }, (error) => { setImmediate(() => { throw error; }); });',
  );

const program = (dist: string): Plugin => ({
  name: 'program',
  setup(build) {
    build.onResolve({ filter: /^\.\.\/\.\.\/src\// }, ({ path }) => ({
      path: join(dist, path.slice('../../'.length).replace(/\.ts$/, '.js')),
    }));
    build.onLoad({ filter: /\.js$/ }, ({ path }) => {
      const place = relative(dist, path);
      if (place.startsWith('..') || place.startsWith('node_modules')) return undefined;
      const folder = join(EMBEDDED, place, '..');
      return {
        contents: withoutAwait(placed(withoutRequire(readFileSync(path, 'utf8')), folder)),
        loader: 'js',
      };
    });
  },
});

/**
 * Writes the script to `file`. `dist`: the output of `scripts/pack.ts`. Returns the paths of the packages it contains
 * (`node_modules/express`), in order. Throws if a module cannot be bundled.
 */
export async function bundle(dist: string, file: string): Promise<readonly string[]> {
  const { warnings, metafile } = await bundled({
    entryPoints: [join(import.meta.dirname, 'entry.ts')],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node24',
    // `dist` may be anywhere.
    nodePaths: [join(import.meta.dirname, '..', '..', 'node_modules')],
    external: NOT_THERE,
    legalComments: 'none',
    keepNames: true,
    logLevel: 'error',
    metafile: true,
    plugins: [program(dist)],
  });
  if (warnings.length > 0)
    throw new Error(warnings.map(({ text, location }) => `${location?.file ?? ''}: ${text}`).join('\n'));
  return packagesIn(metafile);
}

function packagesIn({ outputs }: Metafile): readonly string[] {
  const inputs = Object.values(outputs).flatMap(({ inputs: all }) => Object.entries(all));
  const places = inputs
    .filter(([, { bytesInOutput }]) => bytesInOutput > 0)
    .flatMap(([path]) => /node_modules\/(?:.*node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? []);
  return [...new Set(places)].toSorted();
}
