import { openStore } from '../../../src/app/store.ts';

/** Takes a job and goes on renewing it, as long as it lives: `claim.ts URL JOB MILLIS`. */
const [url = '', job = '', millis = ''] = process.argv.slice(2);
const terms = { lease: Number(millis), pause: 3_600_000 };
const store = await openStore(url);
const claim = await store.jobs.claim(job, 'child', { ...terms, lease: 60_000 });
console.log(JSON.stringify(claim));
setInterval(
  () => {
    if (claim === undefined) return;
    void store.jobs.renew(claim, { ...terms, lease: 60_000 }).then((kept) => {
      console.log(JSON.stringify(kept ? 'renewed' : 'lost'));
    });
  },
  Number(millis) / 10,
);
