import type { DemoOrganisation } from './demo-organisation.ts';
import { API_KEY, type DemoOrganisations } from './organisations.ts';
import type { DemoPlan } from './plan.ts';

const address = (plan: DemoPlan, { accountKey }: DemoOrganisation): string =>
  `${plan.bridge}/client.api/list?apiKey=${API_KEY}&accountKey=${accountKey}`;

/** What a newcomer sees: where everything is and what to try. */
export function guide(
  plan: DemoPlan,
  { harbourLane, twoRivers, oldMill, northgate }: DemoOrganisations,
  links: readonly { readonly name: string; readonly link: string }[],
): string {
  const connect = links.map(({ name, link }) => `  ${name.padEnd(22)} ${link}\n`).join('');
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
  ${oldMill.name.padEnd(22)} ${oldMill.accountKey}   not moved: served through V1; invited by mail
  ${northgate.name.padEnd(22)} ${northgate.accountKey}   V1 is closed for it: 403, must be authorised again

X-Causeway-Source says who answered. Authorise those who have not moved, in a browser: open ${oldMill.name}'s
invitation in the mailbox, or a link below; sign in as whoever you like (only an administrator with the privilege can
finish), leave only the account's own organisation ticked, approve.

${connect === '' ? '  everybody has moved\n' : connect}
In a second terminal:

  npx causeway accounts list
  npx causeway accounts show '${harbourLane.name}'
  npx causeway grants list
  npx causeway invite '${northgate.name}'
`;
}
