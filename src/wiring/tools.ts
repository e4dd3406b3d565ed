import type { Letters, Tools } from '../cli/tools.ts';
import { Refusal } from '../cli/terminal.ts';
import type { Settings } from '../config.ts';
import type { Account } from '../domain/account.ts';
import { systemClock } from '../domain/clock.ts';
import { silentLog } from '../domain/log.ts';
import type { GivenChange } from '../migration/accounts.ts';
import { exportAccounts } from '../migration/export.ts';
import { AccountImport } from '../migration/import.ts';
import type { Learner } from '../migration/learner.ts';
import { publicUrl } from './addresses.ts';
import { campaignOf } from './campaign.ts';
import { probes } from './doctor.ts';
import { signedInProbes } from './doctor-v2.ts';
import { openHouse, type House, type OAuthSide } from './house.ts';
import { cutoverOf, learnerOf } from './moving.ts';
import { routingOf } from './routing.ts';
import { statusOf, tokensOf } from './status.ts';

/** The house without its doors: what the operator's commands work with. */
export async function openTools(settings: Settings): Promise<Tools> {
  const house = await openHouse(settings, { clock: systemClock, log: silentLog });
  const learner = learnerOf(house);
  const { accounts, grants, crosswalk } = house.store;
  return {
    accounts,
    grants,
    crosswalk,
    kinds: [...house.mapping.kinds.keys()],
    addAccount: (account) => house.accounts.add(account),
    issueAccount(account) {
      oauthOf(house);
      return house.accounts.issue(account);
    },
    setAccount: ({ id }, change) => setAccount(house, id, change),
    closeAccount: ({ id }) => closeAccount(house, id),
    importAccounts: (lines, dry) => importOf(house).run(lines, { dry, actor: 'operator' }),
    exportAccounts: (withKeys) => exportAccounts({ book: accounts, seal: house.ring }, { withKeys }),
    letters: lettersOf(house),
    async invite(account) {
      oauthOf(house);
      const { path, expiresAt } = await house.accounts.invite(account.id);
      return { link: `${publicUrl(settings)}${path}`, expiresAt };
    },
    refresh: (grantId) => refresh(house, grantId),
    learn: (account) => learner.learn(account, 'operator'),
    cutoverChecks: (account) => cutoverOf(house, oauthOf(house), learner, 'manual').inspect(account.id),
    cutover: (account, acceptUnlearned) => cutover(house, learner, account, acceptUnlearned),
    board: () => statusOf(house).board(),
    routes: routingOf(house),
    tokens: tokensOf(house),
    probe: async () => [...(await probes(settings)), ...(await signedInProbes(house))],
    close: () => house.close(),
  };
}

const importOf = ({ accounts, store, ring }: House): AccountImport =>
  new AccountImport({ accounts, book: store.accounts, seal: ring });

/** An address that the operator gives anew is tried anew, be it the same: the refusal may have been our own fault. */
async function setAccount(house: House, id: string, change: GivenChange): Promise<readonly string[]> {
  const fields = await house.accounts.set(id, change);
  const email = change.email?.trim() ?? '';
  const relented = email !== '' && (await house.store.campaign.relent(email));
  return relented && !fields.includes('e-mail') ? [...fields, 'e-mail (tried anew)'] : fields;
}

/** The stage first: it alone makes every link useless. */
async function closeAccount(house: House, id: string): Promise<void> {
  await house.accounts.close(id);
  await campaignOf(house).withdraw(id, 'operator');
}

function lettersOf(house: House): Letters {
  const campaign = campaignOf(house);
  return {
    mailed: house.settings.mail !== undefined && house.oauth !== undefined,
    standing: ({ id }) => house.store.campaign.standing(id),
    invite: ({ id }, dry) => campaign.invite(id, 'operator', dry),
    remind: ({ id }, dry) => campaign.remind(id, 'operator', dry),
    withdraw: ({ id }, dry) => campaign.withdraw(id, 'operator', dry),
  };
}

function oauthOf({ oauth }: House): OAuthSide {
  if (oauth === undefined)
    throw new Refusal('V3 is not configured: this bridge passes V1 through and nothing else');
  return oauth;
}

/** Throws `Failure`. */
async function refresh(house: House, grantId: string): Promise<void> {
  const grant = await house.store.grants.find(grantId);
  const generation = grant === undefined || grant.state === 'lost' ? 0 : grant.tokens.generation;
  await oauthOf(house).vault.renewAfter(grantId, generation);
}

async function cutover(
  house: House,
  learner: Learner,
  account: Account,
  acceptUnlearned: boolean,
): ReturnType<Tools['cutover']> {
  const { accounts } = house.store;
  const step = cutoverOf(house, oauthOf(house), learner, 'auto');
  const detail = acceptUnlearned ? 'asked for, with new numbers for what is not learned' : 'asked for';
  await accounts.note(account.id, { at: house.clock.now(), kind: 'cutover', actor: 'operator', detail });
  return acceptUnlearned ? step.force(account.id, { allotUnlearned: true }) : step.check(account.id);
}
