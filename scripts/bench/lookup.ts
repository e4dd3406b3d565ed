import { AccountDirectory } from '../../src/features/accounts/account-directory.ts';
import { readSettings } from '../../src/app/settings/settings.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { openServices } from '../../src/app/wiring/services.ts';
import { accountKey, API_KEY } from './seed.ts';

// The look-up of caller and token: key pair → account → access token, as in every read of the bridge (`FastPath`): from
// memory, or otherwise from the store. Prints microseconds of processor time for one account requested repeatedly, and
// for accounts never requested before.

const WARM_UP = 2_000;
const COLD = 1_000;
const WARM = 20_000;

const services = await openServices(readSettings({ env: process.env }), {
  clock: systemClock,
  log: silentLog,
});
const directory = new AccountDirectory({
  repository: services.store.accounts,
  seal: services.ring,
  clock: systemClock,
  lifetime: 0,
  changes: services.store.changes,
  keyMissing: () => undefined,
});

const vault = services.oauth?.vault;

async function lookUp(index: number): Promise<void> {
  const key = accountKey(index);
  const caller =
    directory.present(API_KEY, key) ??
    (await directory.resolve({ apiKey: new Secret(API_KEY), accountKey: new Secret(key) }, true));
  if (!caller.known || caller.account.life.stage !== 'migrated')
    throw new Error(`account ${index} is not there`);
  const { grantId } = caller.account.life.binding;
  if (vault?.present(grantId) === undefined) await vault?.accessToken(grantId);
}

async function microseconds(count: number, index: (turn: number) => number): Promise<number> {
  const before = process.cpuUsage();
  for (let turn = 0; turn < count; turn += 1) await lookUp(index(turn));
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

await microseconds(WARM_UP, (turn) => turn);
const cold = await microseconds(COLD, (turn) => WARM_UP + turn);
await microseconds(WARM_UP, () => 0);
const warm = await microseconds(WARM, () => 0);
await services.close();
console.log(JSON.stringify({ warm, cold }));
