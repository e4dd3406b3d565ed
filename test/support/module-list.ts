import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/**
 * Preloaded (`--import`) into a process: writes the address of every module it loads into the file that is named, and at its
 * end the names of Node's own.
 */
const file = process.env.CAUSEWAY_TEST_MODULE_LIST ?? '';

process.on('exit', () => {
  const { moduleLoadList: builtIn } = process as unknown as { readonly moduleLoadList: readonly string[] };
  if (file !== '') appendFileSync(file, builtIn.map((name) => `${name}\n`).join(''));
});

registerHooks({
  load(url, context, next) {
    if (file !== '' && !url.startsWith('node:')) appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
