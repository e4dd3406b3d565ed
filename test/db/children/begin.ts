import { openStore } from '../../../src/app/store.ts';

/** Begins a refresh, says so, and never finishes it: `begin.ts URL GRANT LEASE-MS`. */
const [url = '', grantId = '', leaseMs = ''] = process.argv.slice(2);
const store = await openStore(url);
const beginning = await store.grants.begin({
  grantId,
  holder: `process ${process.pid}`,
  generation: 1,
  leaseMs: Number(leaseMs),
  longestLease: Number(leaseMs),
  now: 1_000,
});
console.log(JSON.stringify(beginning));
setInterval(() => undefined, 60_000);
