import { parseArgs } from 'node:util';
import type { Path } from './path/record.ts';
import type { Route } from './path/scene.ts';
import { Trace } from './path/trace.ts';

/**
 * `npm run path -- <method> [--route v1|v3|v2] [--json]`: runs one warm call and prints the files and functions of
 * `src/` it enters, in order: the quickest tour of the code. `refresh` in place of a method: the functions that a call
 * enters in addition when its access token has expired. Several methods, each with a route after a slash
 * (`client.get/v2`), are run one after the other. Exit code 2: bad usage.
 */
const USAGE = 'usage: npm run path -- <method> [--route v1|v3|v2] [--json], e.g. npm run path -- client.get';
const routes: readonly string[] = ['v1', 'v3', 'v2'] satisfies readonly Route[];
const isRoute = (text: string): text is Route => routes.includes(text);

interface Wanted {
  readonly method: string;
  readonly route: Route;
}

const trace = new Trace();
trace.install();
// The trace sees only modules loaded after its installation, and the examples load the sandbox, which shares `lib/`.
const { exampleOf } = await import('./path/calls.ts');
const { filesOf, labelOf, recordPath, REFRESH } = await import('./path/record.ts');
const { wanted, json } = readArguments();
const { Scene } = await import('./path/scene.ts');
const scene = await Scene.open();
try {
  const paths: Path[] = [];
  for (const { method, route } of wanted) paths.push(await recordPath({ scene, trace }, method, route));
  if (json) console.log(JSON.stringify(paths.length === 1 ? plain(paths[0]) : paths.map(plain)));
  else paths.forEach(print);
} finally {
  await scene.close();
}

function readArguments(): { readonly wanted: readonly Wanted[]; readonly json: boolean } {
  try {
    const { positionals, values } = parseArgs({
      allowPositionals: true,
      options: { route: { type: 'string', default: 'v3' }, json: { type: 'boolean', default: false } },
    });
    if (positionals.length === 0) throw new Error('a method is needed');
    return { wanted: positionals.map((given) => wantedOf(given, values.route)), json: values.json };
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n${USAGE}`);
    process.exit(2);
  }
}

function wantedOf(given: string, usual: string): Wanted {
  const [method = '', route = usual] = given.split('/');
  if (method !== REFRESH && exampleOf(method) === undefined) throw new Error(`there is no method ${method}`);
  if (!isRoute(route)) throw new Error('the route is v1, v3 or v2');
  return { method, route };
}

function plain(path: Path | undefined): object {
  if (path === undefined) return {};
  const { method, route, functions } = path;
  return { method, route, files: filesOf(path), functions: functions.map(labelOf) };
}

function print(path: Path): void {
  const { method, route, functions } = path;
  const files = filesOf(path);
  console.log(`${method}, ${route}: ${files.length} files, ${functions.length} functions`);
  for (const file of files) {
    const names = functions.filter((one) => one.file === file).map(({ name }) => name);
    console.log(`  ${file.padEnd(42)} ${names.join(', ')}`);
  }
}
