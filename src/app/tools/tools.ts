import type { Letters, Routing, Tools } from './model.ts';
import { Refusal } from '../../lib/terminal.ts';
import type { Settings } from '../settings/settings.ts';
import type { Account } from '../../features/accounts/account.ts';
import { systemClock } from '../../lib/clock.ts';
import { doubtOf } from '../../tokens/deployment/deployment.ts';
import { silentLog } from '../../lib/log.ts';
import { EVERY_ACCOUNT } from '../../mapping/routes/routes.ts';
import type { PlaceResealed } from '../../tokens/sealing/sealed.ts';
import type { Campaign, CampaignAnswer } from '../../features/campaign/campaign-service.ts';
import { resultOf } from '../../features/admin/actions.ts';
import type { Desk } from '../../features/admin/admin.ts';
import type { ActionName } from '../../features/admin/words.ts';
import { exportAccounts } from '../../features/accounts/import/export.ts';
import type { Learner } from '../../features/identifiers/identifier-sync.ts';
import { Pulse } from '../../features/usage/recent-health.ts';
import { campaignOf } from '../wiring/campaign.ts';
import { deskOf } from '../wiring/desk.ts';
import { probes } from './doctor.ts';
import { signedInProbes } from './doctor-v2.ts';
import { openHouse, type House, type OAuthSide } from '../wiring/house.ts';
import { cutoverOf, learnerOf } from '../wiring/moving.ts';
import { routingOf } from './routing.ts';
import { statusOf, tokensOf } from '../wiring/status.ts';

/** Stands in audit and timelines for whoever sits at the terminal. */
const WHO = 'command line';

/** The house without its doors: what the operator's commands work with, written down as what console and API do. */
export async function openTools(settings: Settings): Promise<Tools> {
  const house = await openHouse(settings, { clock: systemClock, log: silentLog });
  const learner = learnerOf(house);
  const campaign = campaignOf(house);
  const desk = deskOf(house, { campaign, learner, pulse: new Pulse() });
  const deeds = new Deeds(house);
  const { accounts, grants, crosswalk } = house.store;
  return {
    accounts,
    language: settings.letters.language,
    grants,
    crosswalk,
    kinds: [...house.mapping.kinds.keys()],
    addAccount: (account) => desk.accounts.add(account, WHO),
    issueAccount: (account) => desk.accounts.issue(account, WHO),
    setAccount: ({ id }, change) => desk.accounts.set(id, change, WHO),
    closeAccount: (account) => closeAccount(house, campaign, deeds, account),
    importAccounts: (lines, dry) => desk.accounts.import(lines, dry, WHO),
    exportAccounts: (withKeys) => exportAccounts({ book: accounts, seal: house.ring }, { withKeys }),
    letters: lettersOf(house, campaign, deeds),
    invite: ({ id }) => desk.accounts.link(id, WHO),
    async refresh(account) {
      await desk.upkeep.renew(account, WHO);
    },
    learnPairs: (accountId, pairs) => desk.accounts.learn(accountId, pairs, WHO),
    learn: (account) =>
      deeds.do('crosswalk.learn', account, async () => {
        const learning = await learner.learn(account, WHO);
        return [learning, learning.outcome];
      }),
    cutoverChecks: (account) => cutoverOf(house, oauthOf(house), learner, 'manual').inspect(account.id),
    cutover: (account, acceptUnlearned) => cutover(house, learner, deeds, { account, acceptUnlearned }),
    consents: {
      list: () => desk.consents(),
      preview: (action, ids) => desk.preview(action, ids),
      perform: (action, ids) => desk.perform(action, ids, WHO),
    },
    board: () => statusOf(house).board(),
    deployment: deploymentOf(house),
    routes: routesOf(house, desk),
    tokens: tokensOf(house),
    keys: {
      status: () => house.keys.status(),
      rotate: () => deeds.rotate(() => house.keys.rotate()),
    },
    probe: async () => [...(await probes(settings)), ...(await signedInProbes(house))],
    close: () => house.close(),
  };
}

/** Who wants it is written down before it is done, and what became of it after. */
class Deeds {
  readonly #audit: House['store']['audit'];
  readonly #clock: House['clock'];

  constructor({ store, clock }: House) {
    this.#audit = store.audit;
    this.#clock = clock;
  }

  /** `deed` answers its result, and what became of it in words. */
  async do<Result>(
    action: ActionName | 'crosswalk.learn',
    account: Account,
    deed: () => Promise<readonly [Result, string]>,
  ): Promise<Result> {
    await this.#write(action, account, 'asked for it');
    try {
      const [result, words] = await deed();
      await this.#write(action, account, words);
      return result;
    } catch (error) {
      await this.#write(action, account, 'failed: something went wrong').catch(() => undefined);
      throw error;
    }
  }

  /** As `do`, for what concerns no single account. */
  async rotate(deed: () => Promise<readonly PlaceResealed[]>): Promise<readonly PlaceResealed[]> {
    await this.#audit.write({
      at: this.#clock.now(),
      who: WHO,
      action: 'keys.rotate',
      accountIds: [],
      detail: 'asked for it',
    });
    const places = await deed();
    const together = places.reduce((sum, { resealed }) => sum + resealed, 0);
    await this.#audit.write({
      at: this.#clock.now(),
      who: WHO,
      action: 'keys.rotate',
      accountIds: [],
      detail: `done: ${together} values`,
    });
    return places;
  }

  async #write(action: string, { id }: Account, detail: string): Promise<void> {
    await this.#audit.write({ at: this.#clock.now(), who: WHO, action, accountIds: [id], detail });
  }
}

/** The stage first: it alone makes every link useless. */
function closeAccount(house: House, campaign: Campaign, deeds: Deeds, account: Account): Promise<void> {
  return deeds.do('close', account, async () => {
    await house.accounts.close(account.id, WHO);
    await campaign.withdraw(account.id, WHO);
    return [undefined, 'done: closed'];
  });
}

function lettersOf(house: House, campaign: Campaign, deeds: Deeds): Letters {
  const ask =
    (action: 'invite' | 'remind' | 'withdraw') =>
    (account: Account, dry: boolean): Promise<CampaignAnswer> =>
      dry
        ? campaign[action](account.id, WHO, true)
        : deeds.do(action, account, async () => {
            const answer = await campaign[action](account.id, WHO);
            const { outcome, words } = resultOf(answer);
            return [answer, `${outcome}: ${words}`];
          });
  return {
    mailed: house.settings.mail !== undefined && house.oauth !== undefined,
    standing: ({ id }) => house.store.campaign.standing(id),
    invite: ask('invite'),
    remind: ask('remind'),
    withdraw: ask('withdraw'),
  };
}

/** Written down before it is done: what follows cannot be undone at the service. */
const deploymentOf = ({ store, clock }: House): Tools['deployment'] => ({
  look: () => store.deployment.look(),
  async acknowledge() {
    const detail = doubtOf(await store.deployment.look())?.words ?? 'nothing was in doubt';
    const at = clock.now();
    await store.audit.write({ at, who: WHO, action: 'deployment.acknowledge', accountIds: [], detail });
    await store.deployment.acknowledge(at);
  },
});

const routesOf = (house: House, desk: Desk): Routing => ({
  ...routingOf(house),
  async set(method, account, route) {
    await desk.routes.set(method, account === EVERY_ACCOUNT ? undefined : account, route, WHO);
  },
});

function oauthOf({ oauth }: House): OAuthSide {
  if (oauth === undefined)
    throw new Refusal('V3 is not configured: this bridge passes V1 through and nothing else');
  return oauth;
}

function cutover(
  house: House,
  learner: Learner,
  deeds: Deeds,
  { account, acceptUnlearned }: { readonly account: Account; readonly acceptUnlearned: boolean },
): ReturnType<Tools['cutover']> {
  const { accounts } = house.store;
  const step = cutoverOf(house, oauthOf(house), learner, 'auto');
  const detail = acceptUnlearned ? 'asked for, with new numbers for what is not learned' : 'asked for';
  return deeds.do('cutover', account, async () => {
    await accounts.note(account.id, { at: house.clock.now(), kind: 'cutover', actor: WHO, detail });
    const verdict = acceptUnlearned
      ? await step.force(account.id, { allotUnlearned: true }, WHO)
      : await step.check(account.id);
    const words = verdict.verdict === 'waiting' ? `left: ${verdict.reason}` : `done: ${verdict.verdict}`;
    return [verdict, words];
  });
}
