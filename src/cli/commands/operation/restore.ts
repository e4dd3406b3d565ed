import { Command } from 'commander';
import type { ArchiveFacts, RestoreLosses, StoppedSince } from '../../../features/backup/archive.ts';
import { DAY, HOUR, MINUTE } from '../../../lib/time/clock.ts';
import { ACKNOWLEDGE } from '../../../tokens/deployment/deployment.ts';
import { counted } from '../../../lib/text/counted.ts';
import type { CliParts } from '../../parts.ts';
import { moment } from '../../records.ts';
import { Refusal } from '../../../lib/log/terminal.ts';

/** Names printed; further ones are only counted. */
const MOST_NAMES = 10;

/**
 * `causeway restore`: shows what restoring a backup would lose, and with `--yes` puts the backup in place.
 * The bridge must not be running; when started on it, it refreshes no token before `causeway deployment
 * acknowledge`.
 */
export function restore(parts: CliParts): Command {
  return new Command('restore')
    .description('Replaces the database with a backup; the bridge must not be running')
    .argument('<file>', 'a file made by causeway backup')
    .option('--yes', 'confirm; without it, only shows what would be lost', false)
    .action((file: string, { yes }: { readonly yes: boolean }) => run(parts, file, yes));
}

async function run(parts: CliParts, file: string, yes: boolean): Promise<void> {
  const { terminal } = parts;
  const archive = await parts.openArchive();
  const staged = await archive.stage(file);
  try {
    terminal.out(told(file, staged.facts, staged.losses, parts.now()));
    if (!yes) throw new Refusal('nothing was changed; --yes puts it in place');
    const { kept } = await staged.put(parts.now());
    terminal.err(
      `Restored. ${kept === undefined ? 'There was no database before.' : `The database it replaces is ${kept}.`}\n` +
        'Start the bridge: it serves calls, but renews no token until you acknowledge that nothing else works with\n' +
        `this database: ${ACKNOWLEDGE}\n`,
    );
  } finally {
    await staged.discard();
  }
}

function told(file: string, facts: ArchiveFacts, losses: RestoreLosses | undefined, now: number): string {
  const age = facts.at === undefined ? '' : `, of ${moment(facts.at) ?? ''} (${ageOf(now - facts.at)} ago)`;
  return [
    `${file}: ${counted(facts.accounts, 'account')}, ${counted(facts.grants, 'grant')}${age}; complete, and your keys open it`,
    ...(losses === undefined
      ? [
          'There is no database to compare it with. Accounts may have moved or been closed since.',
          AGAIN,
          'Tokens for console and API that were revoked since, and people who were blocked since, will be let in again; brown-outs, waves and routes that were stopped since will go on: revoke and stop them before you start the bridge (causeway tokens list, brownouts list, waves list, route list)',
        ]
      : [
          line('Accounts that were added since and will be gone', losses.added),
          line('Accounts whose later changes will be gone', losses.changed),
          line(
            'Accounts whose tokens were renewed since, so that they may have to consent again',
            losses.renewed,
          ),
          line('Accounts that moved or were closed since', losses.reverted),
          ...(losses.reverted.length === 0 ? [] : [AGAIN]),
          line(
            'Accounts that were disconnected, refused or closed since and will be connected again (end that before you acknowledge)',
            losses.ended,
          ),
          line(
            'Accounts that were erased since and will be back (close and forget them again)',
            losses.returning,
          ),
          line(
            'Accounts that were invited since: the links in these e-mails will not work, and the accounts will not count as invited',
            losses.invited,
          ),
          `Writes since whose outcome is not known, and will not be looked up (causeway writes list shows them now): ${losses.unsettled}`,
          `E-mail addresses that refused mail or unsubscribed since, and still get none: ${losses.suppressed}`,
          ...stoppedLines(losses.stopped, now),
        ]),
    '',
  ].join('\n');
}

function stoppedLines(stopped: StoppedSince, now: number): readonly string[] {
  const brownouts = stopped.brownouts.filter(({ to }) => to > now);
  return [
    line('Tokens for console and API that were revoked since, and stay revoked', stopped.tokens),
    line('People who were blocked since, and stay blocked', stopped.people),
    ...(stopped.admitted.length === 0
      ? []
      : [
          line(
            'People who were blocked since and can sign in again, because 1.0.0-rc.1 made the backup (take the role away at the OpenID provider)',
            stopped.admitted,
          ),
        ]),
    line(
      'Brown-outs that were stopped since and will take place (causeway brownouts stop, before you start the bridge)',
      brownouts.map(({ id, from, to }) => `${id}, ${moment(from) ?? ''} to ${moment(to) ?? ''}`),
    ),
    line(
      'Waves that were stopped or removed since and will go on (causeway waves stop or remove, before you acknowledge)',
      stopped.waves,
    ),
    line(
      'Routes that were set or taken back since and will be as they were (causeway route list)',
      stopped.routes,
    ),
    line(
      'Accounts with a trial of a route that has ended since and will go on (causeway route canaries)',
      stopped.trials,
    ),
  ];
}

const AGAIN =
  'They would write to V1 again: before you start the bridge, leave out CAUSEWAY_V1_BASE_URL, or close these accounts';

function line(what: string, names: readonly string[]): string {
  if (names.length === 0) return `${what}: none`;
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  // A name is outside input and must not overwrite the screen.
  const shown = names.slice(0, MOST_NAMES).map((name) => name.replaceAll(/\p{Cc}/gu, '\uFFFD'));
  return `${what}: ${names.length} (${shown.join('; ')}${more})`;
}

function ageOf(millis: number): string {
  const [unit, word] = (
    [
      [DAY, 'day'],
      [HOUR, 'hour'],
    ] as const
  ).find(([size]) => millis >= 2 * size) ?? [MINUTE, 'minute'];
  const count = Math.max(0, Math.floor(millis / unit));
  return `${count} ${word}${count === 1 ? '' : 's'}`;
}
