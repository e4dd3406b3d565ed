import { Command } from 'commander';
import type { Account } from '../../../features/accounts/account.ts';
import { inviteNeedNames, inviteNeeds } from '../../../features/status/codes.ts';
import { isUninvited } from '../../../features/status/report/invite-ready.ts';
import { skippedReasons, type SkippedReason } from '../../../features/status/report/skipped.ts';
import type { InvitationGuard } from '../../../features/campaign/asking/invitation-guard.ts';
import type { WantedView } from '../../../features/status/status.ts';
import type { CliParts } from '../../parts.ts';
import { moment, print, type Format, type Records } from '../../records.ts';
import { Misuse, Refusal } from '../../../lib/log/terminal.ts';
import { counted, grouped } from '../../../lib/text/counted.ts';
import type { Tools } from '../../../app/tools/model.ts';
import { withTools } from '../../work.ts';
import { chosen } from '../../selection.ts';
import { filterGiven } from '../../filters-given.ts';
import { carryOut, forAccounts, invitable, skippedWords, type MessageOptions } from './messages.ts';
import { noteUnsent } from './unsent-note.ts';

interface InviteOptions extends MessageOptions {
  readonly link: boolean;
  readonly at?: string;
}

const LINK_AT = '--at is for e-mail: a link can be used as soon as it is made';
const LINKS_AT = `${LINK_AT}, and without a mail server (CAUSEWAY_SMTP_URL) the command only makes links`;

/**
 * `causeway invite`: queues invitations for the running bridge to send, or prints links if no e-mail can be
 * sent.
 */
export function invite(parts: CliParts): Command {
  const { terminal } = parts;
  return forAccounts(
    new Command('invite').description(
      'Invites customers to authorise the bridge: by e-mail, or with a link for you to pass on if there is no mail server. With --all or filters, it skips customers who declined, have had every reminder or have a link, and those in a wave, unless a filter names that',
    ),
    'invite',
  )
    .option('--link', 'show a link instead of sending it by e-mail', false)
    .option('--at <time>', 'not before this time in each customer’s time zone, such as 2026-11-30T09:00')
    .action(async (idsOrNames: readonly string[], options: InviteOptions) => {
      await withTools(parts, async (tools) => {
        const isMailed = tools.messages.mailed && !options.link;
        if (options.at !== undefined && !isMailed) throw new Misuse(options.link ? LINK_AT : LINKS_AT);
        const accounts = await chosen(tools, idsOrNames, options, invitable);
        const named = idsOrNames.length > 0;
        const closed = accounts.find(({ life }) => life.stage === 'closed');
        if (closed !== undefined) throw new Refusal(`${closed.name} is closed`);
        const fault = options.at === undefined ? undefined : tools.messages.startFault(options.at);
        if (fault !== undefined) throw new Refusal(fault);
        const wanted = named ? undefined : { ...filterGiven(options), group: options.group };
        const { skipped, guard } = await spared(tools, wanted);
        const meant = accounts.filter(({ id }) => !skipped.has(id));
        terminal.err(skippedNotes(accounts, skipped));
        terminal.err(await unreadiness(tools, meant));
        if (!isMailed) terminal.out(await links(tools, meant, options.dryRun, options.format));
        else {
          await noteUnsent(tools, terminal);
          await carryOut(
            accounts,
            async (account) => {
              const reason = skipped.get(account.id);
              return reason === undefined
                ? tools.messages.invite(account, options.dryRun, options.at, guard)
                : { outcome: 'left', reason };
            },
            { named, dryRun: options.dryRun, format: options.format },
            terminal,
          );
        }
      });
    });
}

/** Who is left alone, and what is looked at again for each account; nobody and nothing if they were named. */
const spared = async (
  tools: Tools,
  wanted: WantedView | undefined,
): Promise<{ readonly skipped: ReadonlyMap<string, SkippedReason>; readonly guard: InvitationGuard }> =>
  wanted === undefined
    ? { skipped: new Map(), guard: {} }
    : { skipped: await tools.skipped(wanted), guard: await tools.guard(wanted) };

/** Who is left alone although the choice holds them, and how they are invited all the same. */
function skippedNotes(accounts: readonly Account[], skipped: ReadonlyMap<string, SkippedReason>): string {
  return skippedReasons
    .map((reason) => [reason, accounts.filter(({ id }) => skipped.get(id) === reason).length] as const)
    .filter(([, found]) => found > 0)
    .map(([reason, found]) => `note: ${counted(found, 'account')} left alone: ${skippedWords[reason].note}\n`)
    .join('');
}

/**
 * Names accounts that should wait because something is missing; only a note, because the operator decides.
 */
async function unreadiness(tools: Tools, accounts: readonly Account[]): Promise<string> {
  const ids = new Set(accounts.map(({ id }) => id));
  const { accounts: lines } = await tools.view({});
  // As on the console's overview: most of the others cannot be invited, and their rows say why.
  const uninvited = lines.filter((line) => ids.has(line.id) && isUninvited(line));
  const unready = uninvited.filter(({ inviteReady }) => inviteReady?.ready === false);
  const counts = inviteNeedNames.map((need) => ({
    words: inviteNeeds[need],
    found: unready.filter(({ inviteReady }) => inviteReady?.lacks.includes(need)).length,
  }));
  const said = counts.filter(({ found }) => found > 0).map(({ words, found }) => `  ${found}: ${words}\n`);
  return unready.length === 0
    ? ''
    : `note: ${unreadyWords(unready.length, uninvited.length)} not ready to be invited\n${said.join('')}`;
}

const unreadyWords = (unready: number, of: number): string =>
  of === 1
    ? 'the account is'
    : `${grouped(unready)} of ${counted(of, 'uninvited account')} ${unready === 1 ? 'is' : 'are'}`;

async function links(
  tools: Tools,
  accounts: readonly Account[],
  dry: boolean,
  format: Format,
): Promise<string> {
  const records: Records[number][] = [];
  for (const account of accounts) {
    const issued = dry ? undefined : await tools.invite(account);
    records.push({
      account: account.name,
      expires: moment(issued?.expiresAt),
      link: issued?.link ?? 'would be made',
    });
  }
  return print(records, ['account', 'expires', 'link'], format, 'There is no account to invite.');
}
