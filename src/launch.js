// Plain JavaScript that an old Node can read too: it says what is missing, or goes on with the Node of this package.
import { spawn } from 'child_process';
import { existsSync, opendirSync, realpathSync } from 'fs';
import * as nodeModules from 'module';
import { constants } from 'os';
import { fileURLToPath, pathToFileURL } from 'url';

/** As in `package.json`: older ones have known faults. */
export const LEAST = '24.14.1';

/** Versions as in `process.versions`. */
export function isAtLeast(version, least) {
  const [given, wanted] = [version, least].map((text) => text.split('.').map(Number));
  const at = wanted.findIndex((part, place) => part !== given[place]);
  return at === -1 || given[at] > wanted[at];
}

/** What V8 and Node are told, however a program is started. */
export const FLAGS = {
  // V8 would let its young generation grow to what the machine has, and its old one to three times of what is live, and
  // wake four threads to collect the little of a call that survives (docs/operate/performance.md). The old one begins
  // with what a start needs, and a bridge that waits is collected once. `npm start` gives all of them, which spares the
  // start of a second Node.
  'main.ts': [
    '--disable-sigusr1',
    '--max-semi-space-size=8',
    '--initial-old-space-size=64',
    '--heap-growing-percent=100',
    '--no-parallel-scavenge',
    '--expose-gc',
  ],
};

const pathOf = (relative) => fileURLToPath(new URL(relative, import.meta.url));

/**
 * The module as TypeScript, or, where the package was built, as JavaScript: Node strips no types below `node_modules`.
 * `bin.js` of a package lies outside of its `dist`.
 */
function fileOf(module) {
  const built = module.replace(/\.ts$/, '.js');
  return (
    [module, built, `../dist/src/${built}`].map(pathOf).find((path) => existsSync(path)) ?? pathOf(module)
  );
}

/** By the same process where the system can do that, so that whoever watches it goes on watching the right one. */
function again(node, file, args, wanted = ['--disable-sigusr1']) {
  const flags = [...new Set([...process.execArgv, ...wanted])];
  if (process.execve !== undefined && process.platform !== 'win32')
    process.execve(node, [node, ...flags, file, ...args], process.env);
  const child = spawn(node, [...flags, file, ...args], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(code === null ? 128 + constants.signals[signal] : code));
}

/**
 * By SIGUSR1 Node opens a debugger, through which every key and token in memory can be read. The scripts of the package
 * switch that off by `--disable-sigusr1`; where Node was started without it a listener takes the signal instead.
 */
const keepDebuggerShut = () => process.on('SIGUSR1', () => undefined);

const root = new URL('..', import.meta.url).href;
const isOurs = (url) => url.startsWith(root) && !url.startsWith('node_modules/', root.length);
/** Two packages that consist of ES modules alone, hundreds of them. */
const isTheirs = (url) => /\/node_modules\/(kysely|zod)\//.test(url);
const FORMATS = { '.ts': 'module-typescript', '.js': 'module' };
/** Where the packages lie that our modules name: for all of them in the same place. */
const packages = new Map();

/** Whether an earlier start has left compiled modules in Node's cache. */
function isWarm() {
  try {
    const folder = opendirSync(nodeModules.getCompileCacheDir());
    const first = folder.readSync();
    folder.closeSync();
    return first !== null;
  } catch {
    // Nothing can be kept there.
    return false;
  }
}

/** Imports after which Node's cache frees what it holds; 0: never. */
let importsBetween = 0;
let imports = 0;

/**
 * Node keeps every compiled module that it has read until it writes its cache: 13 MB after a start. Memory freed then lies in
 * pieces between what is in use, and the system does not get it back; freed a few modules at a time, it serves the next ones.
 */
function freeRead() {
  imports += 1;
  if (importsBetween > 0 && imports % importsBetween === 0) nodeModules.flushCompileCache();
}

/**
 * Node asks the file system several times for each import where a module lies and of what kind it is: a sixth of a start.
 * These modules name each other by their exact files, and each package is looked for once.
 */
const resolveAtOnce = (specifier, context, next) => {
  freeRead();
  const { conditions, parentURL = '' } = context;
  if (!conditions.includes('import') || !(isOurs(parentURL) || isTheirs(parentURL)))
    return next(specifier, context);
  const format = FORMATS[specifier.slice(-3)];
  if (specifier.startsWith('.') && format !== undefined)
    return { url: new URL(specifier, parentURL).href, format, shortCircuit: true };
  if (specifier.startsWith('.') || !isOurs(parentURL)) return next(specifier, context);
  const known = packages.get(specifier) ?? { ...next(specifier, context), shortCircuit: true };
  packages.set(specifier, known);
  return known;
};

/** Runs a module of this folder (`cli/main.ts`) under Node `LEAST` or newer. Without one it only says what is missing. */
export function launch(module, args) {
  keepDebuggerShut();
  if (isAtLeast(process.versions.node, LEAST)) {
    if (module === undefined) return undefined;
    const file = fileOf(module);
    const missing = (FLAGS[module] ?? []).filter((flag) => !process.execArgv.includes(flag));
    if (missing.length > 0)
      return again(process.execPath, fileURLToPath(import.meta.url), [module, ...args], missing);
    process.argv = [process.argv[0], file, ...args];
    // The next start is faster and needs less memory. Whoever can write there could change the modules as well; where
    // nobody can, nothing is kept.
    nodeModules.enableCompileCache(pathOf('../node_modules/.cache/causeway'));
    // The first start has all of it to write, which it does when it ends.
    if (isWarm()) importsBetween = 16;
    nodeModules.registerHooks({ resolve: resolveAtOnce });
    return import(pathToFileURL(file).href);
  }
  const bundled = pathOf('../node_modules/.bin/node');
  if (existsSync(bundled) && realpathSync(bundled) !== process.execPath)
    return again(bundled, fileURLToPath(import.meta.url), module === undefined ? [] : [module, ...args]);
  console.error(
    `Node ${LEAST} or newer is needed; this is ${process.versions.node}.\n` +
      'Install it, or run npm ci without --omit=optional in the project folder: it brings a Node of its own.',
  );
  process.exit(1);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) launch(process.argv[2], process.argv.slice(3));
