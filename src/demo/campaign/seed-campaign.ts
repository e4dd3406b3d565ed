/**
 * Seeds a demo with many accounts (`npm run demo -- --accounts 500`): a campaign half way through.
 *
 * Six weeks of it are performed before the bridge starts, in the order of time, by the features themselves
 * with a clock set to the past. So every chart and list shows the results of a campaign, and no data is made
 * up for them. The customers' organisations are in the sandbox, with tokens for those who approved: their
 * calls work, and the others can be connected.
 */
import type { Settings } from '../../app/settings/model.ts';
import { adminOf } from '../../app/wiring/features/admin.ts';
import { campaignOf } from '../../app/wiring/features/campaign.ts';
import { identifierSyncOf } from '../../app/wiring/features/moving.ts';
import { parityOf } from '../../app/wiring/features/parity.ts';
import { rehearsalsOf } from '../../app/wiring/features/rehearsal.ts';
import { canariesOf } from '../../app/wiring/canaries.ts';
import { openServices, type Services } from '../../app/wiring/services.ts';
import { RecentHealth } from '../../features/usage/recent-health.ts';
import { silentLog } from '../../lib/log/log.ts';
import { HOUR, MINUTE } from '../../lib/time/clock.ts';
import type { SandboxControl } from '../control.ts';
import { callsOf } from './calls.ts';
import { Comparisons } from './comparisons.ts';
import { CustomerDeeds } from './customer-deeds.ts';
import { customersOf, type Customer } from './customers.ts';
import { OperatorDeeds } from './operator-deeds.ts';
import { seedOrganisations, type SeededCustomer } from './organisations.ts';
import type { PastMail } from '../mailbox/past.ts';
import { PastClock } from './past-clock.ts';
import { PastPostman } from './past-mail.ts';
import { Performance } from './perform.ts';
import { openQuickStore } from './quick-store.ts';
import { stepsOf, type Step } from './steps.ts';
import { approvedBy, type TokenAnswer } from './tokens.ts';

/** Accounts whose calls are recorded together before they are written. */
const TOGETHER = 50;
/** The bridge renews tokens unused for longer than this, so these tokens are younger. */
const RENEWED_WITHIN = 20 * HOUR;

/** The size and time of a campaign, and the services to seed it with. */
export interface CampaignSeed {
  readonly control: SandboxControl;
  readonly settings: Settings;
  /** Number of accounts. */
  readonly accounts: number;
  /** The present, in milliseconds since the epoch. */
  readonly now: number;
}

/**
 * Runs before the bridge. Returns the mail sent in the past. Throws `SandboxRefused`, `NotApproved` and the
 * store's errors.
 */
export async function seedCampaign({ control, settings, accounts, now }: CampaignSeed): Promise<PastMail> {
  const clock = new PastClock(now);
  const store = await openQuickStore(settings);
  const services = await openServices(settings, { clock, log: silentLog, store });
  try {
    const customers = customersOf(accounts);
    const steps = stepsOf(customers, now);
    return await perform(services, { clock, customers, steps, control, now });
  } finally {
    await services.close();
  }
}

interface Past {
  readonly clock: PastClock;
  readonly customers: readonly Customer[];
  readonly steps: readonly Step[];
  readonly control: SandboxControl;
  readonly now: number;
}

async function perform(
  services: Services,
  { clock, customers, steps, control, now }: Past,
): Promise<PastMail> {
  const { oauth } = services;
  if (oauth === undefined) throw new Error('the demo has no OAuth settings');
  const [seeded, approved] = [new Map<string, SeededCustomer>(), new Map<string, TokenAnswer>()];
  clock.standAt(steps[0]?.at ?? now);
  const campaign = campaignOf(services);
  const identifierSync = identifierSyncOf(services);
  const parity = parityOf(services);
  const admin = adminOf(services, {
    ...{ campaign, identifierSync, parity, rehearsals: rehearsalsOf(services) },
    canaries: canariesOf(services),
    postman: undefined,
    recentHealth: new RecentHealth(),
  });
  const byCustomers = new CustomerDeeds({ services, oauth, campaign, identifierSync, seeded, approved });
  const comparisons = new Comparisons({ services, parity, control, seeded });
  const byOperators = new OperatorDeeds({ services, campaign, admin });
  const postman = new PastPostman(clock, customers);
  const performing = new Performance({
    ...{ services, clock, now, customers, campaign, identifierSync, postman },
    ...{ byCustomers, byOperators, comparisons },
  });
  const invited = steps.findIndex(({ deed }) => deed === 'start-pilot');
  const before = steps.slice(0, Math.max(0, invited));
  // Until the first invitation nothing in the campaign needs the sandbox, so both run at once: the sandbox
  // has a processor of its own.
  const [organisations] = await Promise.all([
    seedOrganisations(control, customers),
    performed(performing, before),
  ]);
  for (const [accountKey, one] of organisations) seeded.set(accountKey, one);
  const then = clock.now();
  // The service counts the lifetime of its tokens from the present.
  clock.standAt(now);
  for (const [key, answer] of await approvedBy(services, whoApprove(steps), seeded))
    approved.set(key, answer);
  clock.standAt(then);
  await performed(performing, steps.slice(before.length));
  await lastWeek(services, performing, byCustomers, { clock, customers, now });
  clock.moveTo(now);
  for (const customer of customers.filter(({ behaviour }) => behaviour.differs)) {
    const account = await performing.accountOf(customer);
    if (account.life.stage === 'consented') await comparisons.open(account, customer);
  }
  return postman.mail(services);
}

/** Records the last week's calls, and renews the tokens of customers who approved. */
async function lastWeek(
  services: Services,
  performing: Performance,
  byCustomers: CustomerDeeds,
  { clock, customers, now }: Pick<Past, 'clock' | 'customers' | 'now'>,
): Promise<void> {
  const { calls, usage } = services.store;
  // Only a running bridge counts what the programs use.
  usage.recent.tell(usage.recorder);
  for (const [place, customer] of customers.entries()) {
    const account = await performing.accountOf(customer);
    clock.moveTo(now - RENEWED_WITHIN + Math.floor((place * (RENEWED_WITHIN - MINUTE)) / customers.length));
    await byCustomers.renewed(account, customer);
    await callsOf(services, account, customer, now);
    if (place % TOGETHER === TOGETHER - 1) await calls.flush();
  }
}

async function performed(performing: Performance, steps: readonly Step[]): Promise<void> {
  for (const step of steps) await performing.step(step);
}

/** Customers who approve, each once. */
const whoApprove = (steps: readonly Step[]): readonly Customer[] => [
  ...new Set(
    steps.flatMap((step) =>
      'customer' in step && (step.deed === 'connects' || step.deed === 'awaits-operator')
        ? [step.customer]
        : [],
    ),
  ),
];
