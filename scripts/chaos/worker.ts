import { systemClock, type Clock } from '../../src/lib/time/clock.ts';
import type { GrantRepository } from '../../src/tokens/grant.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { LineLog } from '../../src/lib/log/line-log.ts';
import { openStore } from '../../src/app/store.ts';
import { HttpAuthority } from '../../src/upstream/authorisation-server/client.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { SpillFolder } from '../../src/tokens/refresh/spill.ts';
import { Sweeper } from '../../src/tokens/refresh/sweeper.ts';
import { GrantVault } from '../../src/tokens/vault.ts';
import { randomSource } from './random.ts';
import { watchedAuthority, watchedRepository, type Failpoint } from './failpoints.ts';
import { profileWith, type Done, type Orders, type Turn } from './orders.ts';
import { onlyClient } from '../../test/support/applications.ts';

/** In milliseconds: a call that waits longer is abandoned, because there are other calls to make. */
const PATIENCE = 500;

async function main(orders: Orders): Promise<void> {
  const random = randomSource(orders.seed);
  let { now, deaths } = orders;
  const clock: Clock = { now: () => now ?? systemClock.now() };
  const profile = profileWith(orders.durations);
  const die = (at: Failpoint): void => {
    // No chance to clean up, as with a power cut.
    if (random() < (deaths[at] ?? 0)) process.kill(process.pid, 'SIGKILL');
  };
  const store = await openStore(orders.database);
  const repository = watchedRepository(store.grants, die);
  const authority = new HttpAuthority({
    authUrl: orders.sandbox,
    connectionsUrl: undefined,
    clientId: orders.client.id,
    clientSecrets: [new Secret(orders.client.secret)],
    profile,
    clock,
  });
  const log = new LineLog({ stream: process.stderr });
  const vault = new GrantVault({
    repository,
    seal: KeyRing.parse(new Secret(orders.keys)),
    applications: onlyClient({ authority: watchedAuthority(authority, die, () => random() * 20) }),
    clock,
    profile,
    log,
    holder: orders.holder,
    spill: new SpillFolder(orders.spill),
    patienceMs: PATIENCE,
  });
  const { work } = orders;
  if ('renew' in work) {
    await vault.keepAlive(work.renew, clock.now() + 1);
    await vault.accessToken(work.renew);
    process.stdout.write('usable\n');
    await vault.close();
    await store.close();
    return;
  }
  if (orders.without !== 'sweeper') new Sweeper({ repository, vault, clock, profile, log }).start();
  process.on('message', (turn: Turn) => {
    now = turn.now;
    if (turn.isCalm) deaths = {};
    const chosen = Array.from(
      { length: work.callsPerTurn },
      () => work.grants[Math.floor(random() * work.grants.length)] ?? '',
    );
    void Promise.all(chosen.map((grant) => called(vault, store.grants, grant))).then((outcomes) => {
      const count = (which: Called): number => outcomes.filter((one) => one === which).length;
      process.send?.({
        calls: outcomes.length,
        served: count('served'),
        beforeStored: count('used before it was stored'),
      } satisfies Done);
    });
  });
  process.on('disconnect', () => process.exit());
  process.send?.('ready');
}

type Called = 'served' | 'no token' | 'used before it was stored';

/** A caller that gets a token checks that it is in the database, committed: the reader has a connection of its own. */
async function called(vault: GrantVault, stored: GrantRepository, grantId: string): Promise<Called> {
  try {
    const { generation } = await vault.accessToken(grantId);
    const grant = await stored.find(grantId);
    if (grant === undefined || grant.state === 'lost') return 'served';
    return grant.tokens.generation < generation ? 'used before it was stored' : 'served';
  } catch {
    return 'no token';
  }
}

await main(JSON.parse(process.argv[2] ?? '{}') as Orders);
