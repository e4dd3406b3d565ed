import { appendFileSync } from 'node:fs';
import { registerHooks } from 'node:module';

/** Preloaded (`--import`) into a process: writes the address of every module it loads into the file that is named. */
const file = process.env.CAUSEWAY_TEST_MODULE_LIST ?? '';

registerHooks({
  load(url, context, next) {
    if (file !== '' && !url.startsWith('node:')) appendFileSync(file, `${url}\n`);
    return next(url, context);
  },
});
