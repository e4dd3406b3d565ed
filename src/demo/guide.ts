import type { DemoOrganisation } from './demo-organisation.ts';
import { API_KEY, type DemoOrganisations } from './organisations.ts';
import type { DemoPlan } from './plan.ts';

const address = (plan: DemoPlan, { accountKey }: DemoOrganisation): string =>
  `${plan.bridge}/client.api/list?apiKey=${API_KEY}&accountKey=${accountKey}`;

/** How to let the accounts that have not moved consent. */
export interface ConsentLinks {
  /** Its invitation waits in the mailbox. */
  readonly mailed: readonly DemoOrganisation[];
  readonly links: readonly { readonly name: string; readonly link: string }[];
}

/** What a newcomer sees: where everything is and what to try. After `--keep` any account may have moved. */
export function guide(plan: DemoPlan, organisations: DemoOrganisations, ways: ConsentLinks): string {
  const { harbourLane, twoRivers, oldMill, northgate } = organisations;
  const open = new Set([...ways.mailed, ...ways.links].map(({ name }) => name));
  const line = ({ name, accountKey }: DemoOrganisation, otherwise: string): string =>
    `  ${name.padEnd(22)} ${accountKey}   ${open.has(name) ? otherwise : 'moved too: served through V3'}`;
  const invited = ways.mailed.includes(oldMill) ? '; invited by mail' : '';
  return `
Bridge   ${plan.bridge}
Console  ${plan.console.address}   where the migration stands; sign in with the token
         ${plan.console.token}
Metrics  ${plan.metrics}
Sandbox  ${plan.sandbox}   the service, played locally
Mailbox  ${plan.mailbox}   ${plan.mailStaysHere ? 'all mail the bridge sends ends here' : 'empty: CAUSEWAY_SMTP_URL names another mail server'}
Settings ${plan.place.environmentFile}; logs beside it

A legacy call for ${harbourLane.name}, which has moved: the answer comes through V3.

  curl -i '${address(plan, harbourLane)}'

The same call with another account key:

  ${twoRivers.name.padEnd(22)} ${twoRivers.accountKey}   moved too; practice management fields
${line(oldMill, `not moved: served through V1${invited}`)}
${line(northgate, 'V1 is closed for it: 403, must be authorised again')}

X-Causeway-Source says who answered. ${consentWords(ways, oldMill)}
In a second terminal:

  npx causeway accounts list
  npx causeway accounts show '${harbourLane.name}'
  npx causeway grants list
  npx causeway invite '${northgate.name}'
`;
}

function consentWords({ mailed, links }: ConsentLinks, oldMill: DemoOrganisation): string {
  if (mailed.length + links.length === 0)
    return 'Everybody has moved; without --keep the demo begins anew.\n';
  const way = mailed.includes(oldMill)
    ? `open ${oldMill.name}'s\ninvitation in the mailbox, or a link below;`
    : 'open\na link below;';
  const connect = links.map(({ name, link }) => `  ${name.padEnd(22)} ${link}\n`).join('');
  return `Authorise those who have not moved, in a browser: ${way} sign in as whoever you like (only an administrator with the privilege can
finish), leave only the account's own organisation ticked, approve.

${connect}`;
}
