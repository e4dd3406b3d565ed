/**
 * Seeds the demo in two steps, with the tools that operators use.
 *
 * `seedDemo` runs before the bridge: organisations in the sandbox, accounts in the store, V1 numbers learned,
 * one invitation written. `consentAndMove` runs with the bridge: customers consent over HTTP as a browser
 * would, two accounts move and one waits for the operator. Each step is checked, and `DemoSpoilt` names the
 * one that failed.
 */
import type { Tools } from '../../app/tools/model.ts';
import type { Account, StageName } from '../../features/accounts/account.ts';
import { isInNeed } from '../../features/campaign/plan.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { giveConsent } from '../../replay/consent.ts';
import type { SandboxControl, SeededOrganisation } from '../control.ts';
import type { DemoOrganisation } from './demo-organisation.ts';
import { API_KEY, type DemoOrganisations } from './organisations.ts';
import { ADMINISTRATOR } from './users.ts';
import { pause } from '../../lib/time/pause.ts';

/** A step of the seed failed; the message says which. */
export class DemoSpoilt extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'DemoSpoilt';
  }
}

/** Dependencies of the seed. */
export interface SeedParts {
  readonly control: SandboxControl;
  readonly tools: Tools;
  readonly organisations: DemoOrganisations;
}

const all = ({
  harbourLane,
  twoRivers,
  oldMill,
  northgate,
  kauriLane,
}: DemoOrganisations): readonly DemoOrganisation[] => [harbourLane, twoRivers, oldMill, northgate, kauriLane];

/**
 * Runs before the bridge: creates organisations in the service and accounts in the store, learns numbers,
 * closes one V1, and writes one invitation, which the bridge sends as soon as it runs.
 */
export async function seedDemo({ control, tools, organisations }: SeedParts): Promise<void> {
  const seeded = await control.seed(
    all(organisations).map(({ name, accountKey, seed }) => ({
      name,
      accountKey,
      apiKeys: [API_KEY],
      ...seed,
    })),
  );
  const { harbourLane, twoRivers, northgate } = organisations;
  // Its V1 is closed, so it may lack the numbers too; its id proves that the consent belongs to it.
  const known = idOf(seeded, northgate.name);
  for (const organisation of all(organisations))
    await addAccount(tools, organisation, organisation === northgate ? known : undefined);
  for (const { name } of [harbourLane, twoRivers, northgate]) await learn(tools, name);
  await control.change(known, { v1: 'closed' });
  // Learns again, so that the account's page shows the closed V1 before its programs call.
  await tools.learn(await accountOf(tools, northgate.name));
  await tools.messages.invite(await accountOf(tools, organisations.oldMill.name), false);
}

async function addAccount(
  tools: Tools,
  { name, product, accountKey, contact }: DemoOrganisation,
  organisationId: string | undefined,
): Promise<void> {
  await tools.addAccount({
    name,
    product,
    accountKey: new Secret(accountKey),
    apiKey: new Secret(API_KEY),
    details: { ...contact, organisationId },
  });
}

const DELIVERY = 60_000;

/**
 * Waits until the invitation of one account is in the mailbox; throws `DemoSpoilt` after a minute. `mailbox`:
 * its address without a trailing slash.
 */
export async function invitationArrived(
  mailbox: string,
  { name, contact: { email } }: DemoOrganisation,
): Promise<void> {
  const deadline = performance.now() + DELIVERY;
  while (performance.now() < deadline) {
    const answer = await fetch(`${mailbox}/api/messages`);
    const { data } = (await answer.json()) as { readonly data: readonly CaughtMail[] };
    if (data.some(({ to }) => to.some(({ address }) => address === email))) return;
    await pause(50);
  }
  throw new DemoSpoilt(`the invitation of ${name} did not come to the mailbox`);
}

interface CaughtMail {
  readonly to: readonly { readonly address: string }[];
}

async function learn(tools: Tools, name: string): Promise<void> {
  const learning = await tools.learn(await accountOf(tools, name));
  if (learning.outcome !== 'learned')
    throw new DemoSpoilt(`the numbers of ${name} were not learned: ${learning.outcome}`);
}

function idOf(seeded: readonly SeededOrganisation[], name: string): string {
  const found = seeded.find((organisation) => organisation.name === name);
  if (found === undefined) throw new DemoSpoilt(`the sandbox did not seed ${name}`);
  return found.id;
}

/** The oldest account of that name, which is the demo's own even if more were added while it ran. */
async function accountOf(tools: Tools, name: string): Promise<Account> {
  const account = (await tools.accounts.list()).find((one) => one.name === name);
  if (account === undefined) throw new DemoSpoilt(`there is no account ${name}`);
  return account;
}

/**
 * Runs with the bridge: the customers of the two moved accounts consent over HTTP as in a browser, and so
 * does one whose organisation cannot be proved.
 */
export async function consentAndMove(
  { tools, organisations }: SeedParts,
  movesByHand: boolean,
): Promise<void> {
  const { harbourLane, twoRivers, kauriLane } = organisations;
  for (const organisation of [harbourLane, twoRivers]) {
    await consented(tools, organisation, movesByHand ? 'consented' : 'migrated');
    if (movesByHand) await move(tools, organisation);
  }
  await consented(tools, kauriLane, 'awaiting-operator');
}

async function move(tools: Tools, { name }: DemoOrganisation): Promise<void> {
  const verdict = await tools.cutover(await accountOf(tools, name), { acceptUnlearned: false });
  if (verdict.verdict === 'waiting') throw new DemoSpoilt(`${name} was not moved: ${verdict.reason}`);
}

async function consented(tools: Tools, { name }: DemoOrganisation, stage: StageName): Promise<void> {
  const { link } = await tools.invite(await accountOf(tools, name));
  await giveConsent({ link, person: ADMINISTRATOR, organisation: name });
  await reached(tools, name, stage);
}

/**
 * Creates new links for accounts that have not consented, because links are not stored. `mailed`: accounts
 * whose link is in the mailbox and who need no second one.
 */
export async function links(
  { tools, organisations }: SeedParts,
  mailed: readonly DemoOrganisation[],
): Promise<readonly { name: string; link: string }[]> {
  const open = [];
  for (const organisation of all(organisations)) {
    if (mailed.includes(organisation)) continue;
    const { name } = organisation;
    const account = await accountOf(tools, name);
    if (isInNeed(account)) open.push({ name, link: (await tools.invite(account)).link });
  }
  return open;
}

/** The organisations whose consent waits for the operator. */
export async function awaiting({ tools, organisations }: SeedParts): Promise<readonly DemoOrganisation[]> {
  const names = new Set((await tools.consents.list()).map(({ account }) => account));
  return all(organisations).filter(({ name }) => names.has(name));
}

const MOVING = 30_000;

async function reached(tools: Tools, name: string, stage: StageName): Promise<void> {
  const deadline = performance.now() + MOVING;
  while (performance.now() < deadline) {
    if ((await accountOf(tools, name)).life.stage === stage) return;
    await pause(100);
  }
  const { stage: present, stuck } = (await tools.statusOf(await accountOf(tools, name))) ?? {};
  const why =
    stuck === undefined || stuck === null
      ? ''
      : `: ${[stuck.words, stuck.detail].filter(Boolean).join(': ')}`;
  throw new DemoSpoilt(`${name} has consented but is ${present}, not ${stage}${why}`);
}
