import { systemClock, type Clock } from '../../src/domain/clock.ts';
import { Secret } from '../../src/domain/secret.ts';
import { LineLog } from '../../src/ops/log.ts';
import { openStore } from '../../src/store/open.ts';
import { HttpAuthority } from '../../src/upstream/authority.ts';
import { KeyRing } from '../../src/vault/keyring.ts';
import { SpillFolder } from '../../src/vault/spill.ts';
import { Sweeper } from '../../src/vault/sweeper.ts';
import { GrantVault } from '../../src/vault/vault.ts';
import { chance } from './chance.ts';
import { watchedAuthority, watchedBook, type Failpoint } from './failpoints.ts';
import { profileWith, type Orders } from './orders.ts';

async function main(orders: Orders): Promise<void> {
  const random = chance(orders.seed);
  const { now: standing } = orders;
  const clock: Clock = standing === undefined ? systemClock : { now: () => standing };
  const profile = profileWith(orders.durations);
  const die = (at: Failpoint): void => {
    // No chance to tidy up, as with a power cut.
    if (random() < (orders.deaths[at] ?? 0)) process.kill(process.pid, 'SIGKILL');
  };
  const store = await openStore(orders.database);
  const book = watchedBook(store.grants, die);
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
    book,
    seal: KeyRing.parse(new Secret(orders.keys)),
    authority: watchedAuthority(authority, die, () => random() * 20),
    clock,
    profile,
    log,
    holder: orders.holder,
    spill: new SpillFolder(orders.spill),
  });
  const { work } = orders;
  if ('renew' in work) {
    await vault.keepAlive(work.renew, clock.now() + 1);
    await vault.close();
    await store.close();
    return;
  }
  new Sweeper({ book, vault, clock, profile, log }).start();
  process.stdout.write('working\n');
  const call = (): void => {
    const grant = work.grants[Math.floor(random() * work.grants.length)] ?? '';
    vault.accessToken(grant).catch(() => undefined);
  };
  setInterval(call, 1_000 / work.callsPerSecond);
}

await main(JSON.parse(process.argv[2] ?? '{}') as Orders);
