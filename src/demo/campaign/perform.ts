/**
 * Carries out the past of a demo with many accounts, step by step at the time of each: what customers and
 * operators do, and what the bridge sends meanwhile. No data is made up for the charts; they show the results
 * of these steps.
 */
import { counted } from '../../lib/text/counted.ts';
import { outboxJobOf, waveJobOf } from '../../app/wiring/features/campaign.ts';
import type { Services } from '../../app/wiring/services.ts';
import type { Account } from '../../features/accounts/account.ts';
import type { WaveJob } from '../../features/admin/campaign/wave-job.ts';
import { keyPlaces } from '../../features/accounts/account-keys.ts';
import type { Campaign } from '../../features/campaign/campaign.ts';
import type { OutboxJob } from '../../features/campaign/outbox-job.ts';
import type { Postman } from '../../features/campaign/outbox.ts';
import type { IdentifierSync } from '../../features/identifiers/identifier-sync.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import type { Comparisons } from './comparisons.ts';
import type { CustomerDeeds } from './customer-deeds.ts';
import type { Customer } from './customers.ts';
import type { OperatorDeeds } from './operator-deeds.ts';
import { pairsOf } from './organisations.ts';
import type { PastClock } from './past-clock.ts';
import { nextMonday, secondWaveDay, type Step } from './steps.ts';

/** Minutes after which a full minute's quota of messages has been sent. */
const MOST_MINUTES = 60;

/** Dependencies of the performance. */
export interface PerformParts {
  readonly services: Services;
  readonly clock: PastClock;
  /** The present, in milliseconds since the epoch. */
  readonly now: number;
  readonly customers: readonly Customer[];
  readonly campaign: Campaign;
  readonly identifierSync: Pick<IdentifierSync, 'plan'>;
  readonly byCustomers: CustomerDeeds;
  readonly byOperators: OperatorDeeds;
  readonly comparisons: Comparisons;
  readonly postman: Postman;
}

/** Performs steps, which must be in order of time. */
export class Performance {
  readonly #parts: PerformParts;
  readonly #deeds: Deeds;
  readonly #outbox: OutboxJob;
  readonly #waves: WaveJob;
  /** Account ids by account key. */
  readonly #ids = new Map<string, string>();

  constructor(parts: PerformParts) {
    this.#parts = parts;
    this.#deeds = deedsOf(parts);
    this.#outbox = outboxJobOf(parts.services, parts.campaign, parts.postman);
    this.#waves = waveJobOf(parts.services, parts.campaign);
  }

  async step(step: Step): Promise<void> {
    this.#parts.clock.moveTo(step.at);
    if ('customer' in step) await this.#deeds[step.deed](await this.accountOf(step.customer), step.customer);
    else await this.#common(step.deed);
  }

  async #common(deed: Exclude<Step, { readonly customer: Customer }>['deed']): Promise<void> {
    const { byOperators, customers, now } = this.#parts;
    switch (deed) {
      case 'import':
        return byOperators.imports(customers);
      case 'learn':
        return this.#learn();
      case 'start-pilot':
        await byOperators.startsPilot();
        return this.#waves.invite();
      case 'plan-waves':
        return byOperators.plansWaves(secondWaveDay(now), nextMonday(now));
      case 'judge-waves':
        await this.#waves.run();
        return this.#waves.invite();
      case 'send':
        return this.#send();
    }
  }

  /**
   * Stores the identifiers of the imported records, as a sync would. They come from the seed: asking the
   * service takes a minute for 500 accounts.
   */
  async #learn(): Promise<void> {
    const { services, customers, identifierSync } = this.#parts;
    const { store, clock } = services;
    const kinds = identifierSync.plan.kinds.map(({ kind }) => kind);
    for (const customer of customers.filter(({ behaviour }) => behaviour.isKeyless !== true)) {
      const { id } = await this.accountOf(customer);
      const { added } = await store.crosswalk.learn(id, pairsOf(customer));
      await store.crosswalk.markComplete(id, kinds);
      const detail = `${counted(added, 'pair')} learned, 0 known, 0 in conflict; every kind complete`;
      await store.accounts.note(id, { at: clock.now(), kind: 'crosswalk.learned', actor: 'bridge', detail });
    }
  }

  /** Sends the messages that are due, at the configured rate. */
  async #send(): Promise<void> {
    const { services, clock } = this.#parts;
    for (let minute = 0; minute < MOST_MINUTES; minute += 1) {
      await this.#outbox.run();
      const { waiting } = await services.store.outbox.facts(clock.now());
      if (!waiting.some(({ nextAt }) => nextAt <= clock.now())) return;
      clock.moveTo(clock.now() + MINUTE);
    }
  }

  /** The customer's account in its present state. */
  async accountOf({ accountKey, name }: Customer): Promise<Account> {
    const { ring, store } = this.#parts.services;
    const id = this.#ids.get(accountKey);
    const indexes = ring.index(new Secret(accountKey), keyPlaces.account.purpose);
    const account =
      id === undefined ? (await store.accounts.byKeyIndex(indexes))?.account : await store.accounts.byId(id);
    if (account === undefined) throw new Error(`${name} was not imported`);
    this.#ids.set(accountKey, account.id);
    return account;
  }
}

type Deeds = Readonly<Record<DeedName, (account: Account, customer: Customer) => Promise<void>>>;
type DeedName = Extract<Step, { readonly customer: Customer }>['deed'];

/** The effect of each deed. */
const deedsOf = ({ byCustomers, byOperators, comparisons }: PerformParts): Deeds => ({
  invited: (account) => byOperators.invites(account),
  opens: (account) => byCustomers.opens(account),
  connects: (account, customer) => byCustomers.approves(account, customer, true),
  'awaits-operator': (account, customer) => byCustomers.approves(account, customer, false),
  async moves(account, customer) {
    await comparisons.beforeMove(account, customer);
    await byCustomers.moves(account);
  },
  'chooses-wrong': (account) => byCustomers.isRefused(account, 'foreignOrganisation', ['Northgate Legal']),
  'lacks-privilege': (account) => byCustomers.isRefused(account, 'noPrivilege', []),
  declines: (account) => byCustomers.declines(account),
  unsubscribes: (account) => byCustomers.unsubscribes(account),
  bounces: (_account, customer) => byCustomers.bounces(customer),
  loses: (account) => byCustomers.loses(account, 'revoked'),
  'is-called': (account, customer) => byOperators.calls(account, customer),
  'is-closed': (account) => byOperators.closes(account),
});
