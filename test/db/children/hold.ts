import { openStore } from '../../../src/app/store.ts';

/** Has a database open as an idle bridge has: `hold.ts URL`. */
const [url = ''] = process.argv.slice(2);
const store = await openStore(url);
await store.ready();
console.log(JSON.stringify('open'));
setInterval(() => undefined, 60_000);
