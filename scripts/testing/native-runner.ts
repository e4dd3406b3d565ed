import type * as JestGlobals from '@jest/globals';
import { createRequire, flushCompileCache, registerHooks } from 'node:module';
import { join, relative } from 'node:path';
import { pathToFileURL } from 'node:url';
import { counted } from './cost.ts';

/**
 * How jest runs a suite here (`testRunner` in jest.config.js): with jest-circus, but Node loads the modules, as for the
 * product. Without a virtual machine or transformer, `src` and the packages are loaded and compiled once for all suites
 * of a process. Modules below `test` are loaded again for each suite, because they may declare hooks (`afterEach`)
 * while loading; `test/support` declares none and is shared as well.
 */
type CircusRunner = (
  ...given: readonly [GlobalConfig, object, object, Runtime, path: string, unknown]
) => Promise<object>;

interface GlobalConfig {
  readonly watch: boolean;
  readonly watchAll: boolean;
}

/** The part of jest's runtime that loads modules. */
interface Runtime {
  requireInternalModule(path: string): unknown;
  unstable_shouldLoadAsEsm(path: string): boolean;
  unstable_importModule(path: string): Promise<unknown>;
  setGlobalsForRuntime(globals: SuiteGlobals): void;
}

export type SuiteGlobals = typeof JestGlobals;

const require = createRequire(import.meta.url);
const { default: run } = require('jest-circus/runner') as { readonly default: CircusRunner };
const root = join(import.meta.dirname, '..', '..');
const project = pathToFileURL(root).href;
const tests = `${project}/test/`;
const support = `${tests}support/`;
const globalsModule = import.meta.resolve('./suite-globals.ts');

/** Descriptions of the symbols under which jest-circus keeps what belongs to one suite. */
const CIRCUS = new Set<string | undefined>(['EVENT_HANDLERS', 'JEST_STATE_SYMBOL']);

/** A number for each suite of this process. Suites of one process run one after the other. */
let suite = 0;
let globals: SuiteGlobals | undefined;
/** In watch mode files change during the process, so all of the project's modules are loaded again. */
let watches = false;

const ofThisSuite = (url: string): string => `${url}?suite=${suite}`;

/** The content of `@jest/globals` in the suite being loaded. */
export function suiteGlobals(): SuiteGlobals {
  if (globals === undefined) throw new Error('there are no globals of jest outside of a suite');
  return globals;
}

function isShared(url: string): boolean {
  if (url.includes('?')) return true;
  if (watches && url.startsWith(`${project}/src/`)) return false;
  return !url.startsWith(tests) || (url.startsWith(support) && !watches);
}

registerHooks({
  resolve(specifier, context, next) {
    if (specifier === '@jest/globals') {
      if (context.parentURL?.startsWith(support) === true)
        throw new Error('test/support is shared by all suites of a process: it cannot use @jest/globals');
      return { url: ofThisSuite(globalsModule), format: 'module-typescript', shortCircuit: true };
    }
    const found = next(specifier, context);
    return isShared(found.url) ? found : { ...found, url: ofThisSuite(found.url) };
  },
});

/**
 * jest-circus keeps handlers of events and the tests of a suite in the global object, which jest would throw away with
 * the virtual machine. Left there, each event of a suite also goes to the handlers of all suites before it.
 */
function forgetEarlierSuites(): void {
  for (const key of Object.getOwnPropertySymbols(globalThis))
    if (CIRCUS.has(key.description)) Reflect.deleteProperty(globalThis, key);
}

/** A test framework in the form that jest expects. */
export default async function runSuite(...given: Parameters<CircusRunner>): Promise<object> {
  suite += 1;
  // Once nothing is left to do, freeing the heap takes longer than the half second that jest gives a worker.
  if (suite === 1) process.once('exit', (code) => process.exit(code));
  const [{ watch, watchAll }, , , runtime, path] = given;
  watches = watch || watchAll;
  Object.assign(runtime, {
    // jest-circus keeps its state in the module, so each suite has its own.
    requireInternalModule: (path) => {
      forgetEarlierSuites();
      Reflect.deleteProperty(require.cache, path);
      return require(path) as unknown;
    },
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: (path) => import(ofThisSuite(pathToFileURL(path).href)),
    setGlobalsForRuntime: (declared) => {
      globals = declared;
    },
  } satisfies Runtime);
  const result = await counted(relative(root, path), () => run(...given));
  // At the end of the process it would be written all at once, which jest may not wait for.
  flushCompileCache();
  return result;
}
