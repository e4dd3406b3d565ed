import type { Account } from '../../../features/accounts/account.ts';
import { LinkSeal } from '../../../features/documents/links.ts';
import { answeredIn } from '../../../features/usage/names/answered.ts';
import { Examples } from '../../../features/cutover/parity/examples.ts';
import { DAY } from '../../../lib/time/clock.ts';
import { pause } from '../../../lib/time/pause.ts';
import { SecondReader } from '../../../lib/xml/second/second-reader-thread.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import { Asking, withoutAllotting } from '../../../proof/parity/asking.ts';
import type { Comparing } from '../../../proof/parity/comparing.ts';
import { Parity } from '../../../proof/parity/parity.ts';
import { V3Replies } from '../../../proof/parity/v3-replies.ts';
import { OwnReads } from '../../../proxy/writes/own-reads.ts';
import { BodyReader } from '../../../proxy/call/body-reader.ts';
import type { Routes } from '../../../proxy/routing.ts';
import { routesOf } from '../endpoints.ts';
import type { Services } from '../services.ts';
import type { Sparing } from '../upstream/sparing.ts';
import { keysOf } from './writes.ts';

/** The proof before the switch. Its calls have routes of their own, from which nothing is learned or recorded. */
export function parityOf(services: Services): Parity {
  const { settings, store, samples, baseline, ring, clock, log } = services;
  let made: Promise<(account: Account) => Comparing> | undefined;
  return new Parity({
    ...{ mode: settings.parity, repository: store.accounts, samples, stored: store.parity, clock, log },
    examples: new Examples({
      ...{ stored: store.parity, seal: ring, clock, lifetime: settings.samples.days * DAY },
      isKept: (accountId) => samples.isOn(accountId),
    }),
    comparing: async (account) => (await (made ??= comparingOf(services)))(account),
    used: async (accountId) => answeredIn(await store.usage.stored.find(accountId)),
    async flush(accountId) {
      store.usage.recent.handOver();
      await Promise.all([baseline.flush(), store.usage.recorder.flush(accountId)]);
    },
  });
}

/** Asks the service as the programs of an account do, before its move and after it. */
export function askingOf(services: Services): Asking {
  const { ring, clock, settings, v1, store } = services;
  const body = new BodyReader(settings.profile.legacyIdentifiers.doubled);
  const crosswalk = withoutAllotting(store.crosswalk);
  let replies: V3Replies | undefined;
  // A comparison asks the service itself: no kept answers are used.
  const asked: Sparing = {
    before: (upstream, version) => (version === 'v3' ? (replies = new V3Replies(upstream)) : upstream),
    replicas: undefined,
  };
  const routes = routesOf(
    { ...services, store: { ...store, crosswalk } },
    new LinkSeal(ring, clock),
    body,
    asked,
  );
  return new Asking({
    v1: v1 && readsAs(services, routes, ({ id, ...rest }) => ({ ...rest, id, life: { stage: 'legacy' } })),
    moved: readsAs(services, routes, asMoved),
    inUse: (account) => inUse(services, account),
    received: (accountId) => replies?.take(accountId) ?? [],
    perMinute: settings.profile.limits.perMinute,
    pause,
  });
}

/** Loaded with the first comparison. */
async function comparingOf(services: Services): Promise<(account: Account) => Comparing> {
  const { Comparing } = await import('../../../proof/parity/comparing.ts');
  const { mapping, ring, clock, settings } = services;
  const asking = askingOf(services);
  const reader = new SecondReader();
  const methods: ReadonlyMap<string, Method> = new Map(mapping.methods.map((method) => [method.id, method]));
  const pageSizes = [...new Set(Object.values(settings.profile.v3.pageSizes))];
  const disagreement = (reply: string): Promise<string | undefined> => reader.disagreement(reply);
  return (account) =>
    new Comparing({ asking, methods, seal: ring, disagreement, pageSizes, now: () => clock.now() }, account);
}

const readsAs = (services: Services, routes: Routes, as: (account: Account) => Account): OwnReads =>
  new OwnReads({
    routes,
    crosswalk: services.store.crosswalk,
    async accountOf(id) {
      const account = await services.store.accounts.byId(id);
      return account && as(account);
    },
    keysOf: (account) => keysOf(services, account),
  });

/** The account as it would be after the move. */
function asMoved(account: Account): Account {
  const { life } = account;
  return 'binding' in life ? { ...account, life: { stage: 'migrated', binding: life.binding } } : account;
}

/** Calls of the account's organisation that count against the limit now. */
function inUse({ oauth }: Services, { life }: Account): number {
  if (oauth === undefined || !('binding' in life)) return 0;
  let most = 0;
  for (const [key, use] of oauth.rateLimiter.permits)
    if (key.startsWith(`${life.binding.organisation.id}\n`)) most = Math.max(most, use.inUse);
  return most;
}
