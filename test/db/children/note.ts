import { openStore } from '../../../src/app/store.ts';

/** Reads and writes one account over and over, as two busy processes do: `note.ts URL ACCOUNT TIMES`. */
const [url = '', account = '', times = ''] = process.argv.slice(2);
const store = await openStore(url);
for (let n = 1; n <= Number(times); n += 1) {
  await store.accounts.note(account, {
    at: n,
    kind: 'noted',
    actor: `process ${process.pid}`,
    detail: `${n}`,
  });
}
console.log(JSON.stringify('done'));
await store.close();
