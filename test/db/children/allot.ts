import { openStore } from '../../../src/app/store.ts';

/** Meets new clients `uuid-1` to `uuid-N` in pieces and tells the numbers: `allot.ts URL ACCOUNT N STEP`. */
const [url = '', account = '', total = '', step = ''] = process.argv.slice(2);
const store = await openStore(url);
for (let first = 1; first <= Number(total); first += Number(step)) {
  const wanted = Array.from({ length: Number(step) }, (_, n) => ({
    kind: 'client',
    uuid: `uuid-${first + n}`,
  }));
  console.log(JSON.stringify([...(await store.crosswalk.numbers(account, wanted))]));
}
await store.close();
