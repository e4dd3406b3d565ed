import { openStore } from '../../../src/app/store.ts';

/** Learns client numbers 1 to N, telling how many are acknowledged: `learn.ts URL ACCOUNT N STEP`. */
const [url = '', account = '', total = '', step = ''] = process.argv.slice(2);
const store = await openStore(url);
for (let first = 1; first <= Number(total); first += Number(step)) {
  const pairs = Array.from({ length: Number(step) }, (_, n) => ({
    kind: 'client',
    number: first + n,
    uuid: `uuid-${first + n}`,
  }));
  await store.crosswalk.learn(account, pairs);
  console.log(JSON.stringify(first + pairs.length - 1));
}
await store.close();
