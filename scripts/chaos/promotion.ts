import { execFileSync } from 'node:child_process';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { eventually } from '../../test/support/clock.ts';
import { outcomes, PairOfBridges } from '../../test/journey/pair.ts';
import { ReplicatedPostgres } from '../../test/support/replicated-postgres.ts';
import { needs } from '../testing/needs.ts';

/**
 * Two bridges on a PostgreSQL with a synchronous standby, called continuously. In each round the primary is killed
 * while tokens are being renewed, and the standby promoted after some seconds without a server. Prints a row for each
 * round, and ends with code 1 if a grant was lost or the outcome of a write is not the one reported to its caller.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '3' },
    /** Customers that have moved. */
    customers: { type: 'string', default: '6' },
    /** Seconds from the death of the primary to the promotion. */
    away: { type: 'string', default: '3' },
    /** Shows the losses without synchronous replication, which are not a fault of the bridge. */
    asynchronous: { type: 'boolean', default: false },
  },
});

const customers = Number(values.customers);

async function round(binaries: string): Promise<{ readonly row: string; readonly isGood: boolean }> {
  const servers = await ReplicatedPostgres.start(binaries);
  const pair = await PairOfBridges.start({ CAUSEWAY_DATABASE_URL: servers.url }, customers);
  try {
    if (values.asynchronous) await servers.waitForStandby('');
    pair.begin();
    await pair.more(60);
    const before = await pair.renewals();
    await pair.expire();
    await eventually('a token is being renewed', async () =>
      (await pair.renewals()) > before ? true : undefined,
    );
    await servers.primary.kill();
    await delay(Number(values.away) * 1_000);
    await servers.promote();
    const took = await pair.served();
    await pair.expire();
    await pair.more(60);
    await pair.rest();
    await pair.served();
    const { reads, writes, absent, doubled, untrue, grants, lostGrants, odd } = await pair.judge();
    const renewals = (await pair.renewals()) - before;
    const counts = (of: Readonly<Record<string, number>>): string =>
      outcomes.map((outcome) => of[outcome] ?? 0).join(' / ');
    for (const words of new Set(odd)) console.error(words);
    return {
      row: `| ${grants} | ${renewals} | ${counts(reads)} | ${counts(writes)} | ${(took / 1_000).toFixed(1)} s | ${lostGrants} | ${doubled} | ${absent} | ${untrue} |`,
      isGood: [lostGrants, doubled, absent, untrue].every((count) => count === 0),
    };
  } finally {
    await pair.end();
    await servers.stop();
  }
}

const binaries = needs.postgres.find();
if (binaries === undefined) throw new Error('PostgreSQL is not on this machine');
const commit = execFileSync('git', ['rev-parse', '--short', 'HEAD'], { encoding: 'utf8' }).trim();
console.log(`commit ${commit}, Node ${process.versions.node}, promoted after ${values.away} s\n`);
console.log(
  `| grants | renewals | reads (${outcomes.join(' / ')}) | writes (the same) | all served again after | grants lost | writes doubled | done and absent | not sent and there |`,
);
console.log('|---|---|---|---|---|---|---|---|---|');
for (let n = 0; n < Number(values.rounds); n += 1) {
  const { row, isGood } = await round(binaries);
  console.log(row);
  if (!isGood) process.exitCode = 1;
}
