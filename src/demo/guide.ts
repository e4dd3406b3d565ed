import type { DemoOrganisation } from './seed/demo-organisation.ts';
import type { DemoOrganisations } from './seed/organisations.ts';
import { legacyCall, type DemoPlan } from './plan.ts';

const address = (plan: DemoPlan, { accountKey }: DemoOrganisation): string =>
  legacyCall(plan.bridge, accountKey);

/** How the accounts that have not moved can consent. */
export interface ConsentLinks {
  /** Accounts whose invitation is in the mailbox. */
  readonly mailed: readonly DemoOrganisation[];
  readonly links: readonly { readonly name: string; readonly link: string }[];
  /** Accounts that approved and wait for the operator. */
  readonly awaiting: readonly DemoOrganisation[];
  /** Whether the start page moves the clock. */
  readonly clocked?: boolean;
  /** The token that opened the console has been revoked, or has expired. */
  readonly isTokenOver?: boolean;
  /** Number of accounts in a campaign that is half way through; undefined without a campaign. */
  readonly accounts?: number | undefined;
}

/**
 * The text for a newcomer: where everything is and what to try. After `--keep` any account may have moved.
 */
export function guide(plan: DemoPlan, organisations: DemoOrganisations, ways: ConsentLinks): string {
  const { harbourLane, twoRivers, oldMill, northgate, kauriLane } = organisations;
  const open = new Set([...ways.mailed, ...ways.links].map(({ name }) => name));
  const waits = ways.awaiting.includes(kauriLane);
  const line = ({ name, accountKey }: DemoOrganisation, words: string): string =>
    `  ${name.padEnd(22)} ${accountKey}   ${words}`;
  const stillOpen = (organisation: DemoOrganisation, words: string): string =>
    line(organisation, open.has(organisation.name) ? words : 'moved too: served through V3');
  const invited = ways.mailed.includes(oldMill) ? '; invited by mail' : '';
  const tool = toolOf(ways);
  return `
Start    ${plan.mailbox}/start   links to everything below
Bridge   ${plan.bridge}
Console  ${plan.console.address}   where the migration stands; sign in with ${ways.isTokenOver === true ? 'a new token' : 'the token'}
         ${ways.isTokenOver === true ? `${tool} tokens create NAME --scope administer` : plan.console.token}
Metrics  ${plan.metrics}
Sandbox  ${plan.sandbox}   a local stand-in for the service
Mailbox  ${plan.mailbox}   ${plan.mailStaysHere ? 'all mail the bridge sends ends up here' : 'empty: CAUSEWAY_SMTP_URL names another mail server'}
Settings ${plan.place.environmentFile}; logs beside it

A legacy call for ${harbourLane.name}, which has moved: the answer comes through V3.

  curl -i '${address(plan, harbourLane)}'

The same call with another account key:

${line(twoRivers, 'moved too; practice management fields')}
${stillOpen(oldMill, `not moved: served through V1${invited}`)}
${stillOpen(northgate, 'V1 is closed for it: 403, must be authorised again')}
${waits ? line(kauriLane, 'approved, not confirmed: served through V1') : stillOpen(kauriLane, 'not moved: served through V1')}

X-Causeway-Source says who answered.
${campaignWords(plan, ways.accounts)}${consentWords(ways, oldMill)}
${waits ? awaitingWords(kauriLane, tool) : ''}${clockWords(plan, ways.clocked)}In a second terminal:

  ${tool} accounts list
  ${tool} accounts show '${harbourLane.name}'
  ${tool} grants list
  ${tool} invite '${northgate.name}'
`;
}

/** `npx causeway` uses the machine's clock and would be in the demo's past. */
const toolOf = ({ clocked = false }: ConsentLinks): string =>
  clocked ? 'npm run demo:causeway --' : 'npx causeway';

const campaignWords = ({ console: { address }, bridgeSettings }: DemoPlan, accounts?: number): string =>
  accounts === undefined
    ? ''
    : `
A campaign of ${accounts} accounts is halfway through, and V1 ends on ${bridgeSettings.CAUSEWAY_V1_END}. Find out in the console who has not
answered, why an account is stuck, what a program did, and what the next wave is waiting for: ${address}

`;

function clockWords({ mailbox, bridgeSettings }: DemoPlan, clocked = false): string {
  if (!clocked) return '';
  const { CAUSEWAY_INVITATION_DAYS: days, CAUSEWAY_V1_END: v1End } = bridgeSettings;
  return `Let time pass with the buttons on ${mailbox}/start#clock: reminders after 3 and 7 days, links that expire${
    days === undefined ? '' : `\nafter ${days} days`
  }, renewals, and V1's end on ${v1End}.

`;
}

const awaitingWords = ({ name }: DemoOrganisation, tool: string): string =>
  `Somebody has approved ${name}, which has no client to compare, so nothing proves that the organisation is its own.
Confirm or refuse it on the console's page Consents, or in a second terminal:

  ${tool} consents list
  ${tool} consents confirm '${name}' --yes

`;

function consentWords({ mailed, links }: ConsentLinks, oldMill: DemoOrganisation): string {
  if (mailed.length + links.length === 0)
    return 'No account is waiting for its customer; without --keep the demo starts over.\n';
  const start = mailed.includes(oldMill)
    ? `${oldMill.name}'s invitation in the mailbox, or a link below`
    : 'a link below';
  const connect = links.map(({ name, link }) => `  ${name.padEnd(22)} ${link}\n`).join('');
  return `To authorise those who have not moved, open in a browser ${start}.
Sign in as anybody (only an administrator with the privilege can finish), leave only the account's own organisation
ticked, and approve.

${connect}`;
}
