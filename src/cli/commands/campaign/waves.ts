/**
 * `causeway waves`: waves of invitations with a brake between them, and a plan that works backwards from V1's
 * end.
 */
import { Command, InvalidArgumentError } from 'commander';
import { AT_TERMINAL } from '../../../app/tools/model.ts';
import { waveDeedNames, type WaveDeed } from '../../../features/admin/campaign/waves.ts';
import { waveColumns } from '../../../features/campaign/waves/shown.ts';
import { counted } from '../../../lib/text/counted.ts';
import { waveStateWords } from '../../../features/status/code-words.ts';
import { filterText } from '../../../features/status/report/filter-text.ts';
import { commandGroup, listCommand, listed } from '../../command.ts';
import { withFilters, type FilterOptions } from '../../filters-given.ts';
import type { CliParts } from '../../parts.ts';
import { noteUnsent } from './unsent-note.ts';
import { storedFilter } from '../../selection.ts';
import { withTools } from '../../work.ts';

/** Builds `causeway waves`. */
export const waves = (parts: CliParts): Command =>
  commandGroup(
    'waves',
    'Waves of invitations: the next goes out when the last was good for the time set, or it stops',
    listCommand(parts, {
      what: 'Lists the waves in the order in which they go out, with their state and the reason for it',
      nothing: 'No wave is planned yet: causeway waves add plans one.',
      ...listed(waveColumns, (tools) => tools.waves.list(), {
        ...waveColumns,
        state: ({ state }) => waveStateWords(state),
      }),
    }),
    add(parts),
    ...waveDeedNames.map((deed) => act(parts, deed)),
    remove(parts),
    pace(parts),
  );

interface WaveOptions extends FilterOptions {
  readonly most?: number;
  readonly start?: string;
  readonly hold?: number;
  readonly errors?: number;
  readonly troubled?: number;
  readonly replace?: true;
}

/** Throws before anything is opened. */
function whole(text: string): number {
  if (!/^\d{1,6}$/.test(text)) throw new InvalidArgumentError('It must be a whole number.');
  return Number(text);
}

/** Plans a new wave or changes one; options not given have their defaults. */
const add = (parts: CliParts): Command =>
  withFilters(
    new Command('add')
      .description('Plans a wave after the others, or changes one that has not gone out (--replace)')
      .argument('<name>', 'name of the wave'),
    'only',
    ['wave'],
  )
    .option('--most <accounts>', 'at most this many, those with the fewest calls first', whole)
    .option('--start <time>', 'not before this time in each customer’s time zone, such as 2026-11-30T09:00')
    .option(
      '--hold <hours>',
      'how long its accounts must be good before the next goes out (default: 48)',
      whole,
    )
    .option('--errors <percent>', 'how many of a hundred calls may fail (default: 2)', whole)
    .option(
      '--troubled <percent>',
      'how many of a hundred accounts may be flagged, differ, or lose their connection after the move (default: 5)',
      whole,
    )
    .option('--replace', 'replace the planned wave of this name with the values given here')
    .action(async (name: string, options: WaveOptions) => {
      const { most, start, hold, errors, troubled, replace } = options;
      const wave = {
        ...{ name, most, start, replace },
        ...{ holdHours: hold, mostErrorPercent: errors, mostTroubledPercent: troubled },
      };
      const planned = await withTools(parts, async (tools) => {
        const query = filterText(await storedFilter(tools, options));
        await tools.waves.save({ ...wave, query }, AT_TERMINAL);
        const found = (await tools.waves.list()).find((one) => one.name === name);
        return { ...found, nobody: (await tools.waves.show(name)).nobody };
      });
      const words =
        planned.nobody === undefined
          ? plannedWords(planned.accounts ?? 0, planned.notInvited ?? 0)
          : `it would invite nobody now: ${planned.nobody}`;
      parts.terminal.out(`${name} is planned: ${words}\n`);
    });

/**
 * What a planned wave would do now. `unreached`: the accounts among them without a working e-mail address.
 */
function plannedWords(accounts: number, unreached: number): string {
  const left =
    unreached === 0 ? '' : `; ${counted(unreached, 'other')} left out: no e-mail address that works`;
  return `it would invite ${counted(accounts - unreached, 'account')} now${left}`;
}

const deedWords: Readonly<Record<WaveDeed, readonly [what: string, done: string]>> = {
  start: [
    'Sends a planned wave out now, without waiting for those before it: the running bridge invites its customers, and their e-mails are sent from its start',
    'has gone out; the running bridge invites its customers (causeway waves list says how many)',
  ],
  stop: [
    'Stops a wave: no later wave goes out, its unsent e-mails are held back, and none of its accounts moves automatically',
    'is stopped',
  ],
  resume: [
    'Puts a stopped wave out again: the running bridge invites the rest of its customers, its e-mails that were held back are sent, and what stopped it stops it again unless it has been corrected',
    'is out again (causeway waves list says whether it stays so)',
  ],
  'go-on': [
    'Continues after a stopped wave: its e-mails that were held back are sent, and the next wave may go out',
    'counts as good',
  ],
};

/** Describes an operator's choices for the unsent e-mails of a stopped wave. */
const heldWords = (queued: number, name: string): string =>
  `${counted(queued, 'e-mail')} of it that had not been sent ${queued === 1 ? 'is' : 'are'} held back: causeway waves resume '${name}' sends them, causeway waves remove '${name}' withdraws them`;

/** A wave started early, whose e-mails still wait for its start time. */
const waitsWords = (waits: string, name: string): string =>
  `its e-mails still wait until ${waits} on each customer’s clock; without a start (causeway waves add '${name}' --replace) they would have been sent at once`;

/** Overrides the brake. Stores the accounts to invite; a running bridge invites them. */
const act = (parts: CliParts, deed: WaveDeed): Command =>
  new Command(deed)
    .description(deedWords[deed][0])
    .argument('<name>', 'name of the wave')
    .action(async (name: string) => {
      const { queued, waits } = await withTools(parts, async (tools) => {
        const shown = await tools.waves.show(name);
        if (deed !== 'stop') await noteUnsent(tools, parts.terminal);
        return { ...shown, queued: await tools.waves.act(name, deed, AT_TERMINAL) };
      });
      const held = deed === 'stop' && queued > 0 ? `; ${heldWords(queued, name)}` : '';
      const later = deed === 'start' && waits !== undefined ? `; ${waitsWords(waits, name)}` : '';
      parts.terminal.out(`${name} ${deedWords[deed][1]}${held}${later}\n`);
    });

/** Removes a wave, even one that has gone out: its accounts then belong to no wave. */
const remove = (parts: CliParts): Command =>
  new Command('remove')
    .description('Deletes a wave and withdraws its unsent invitations; its accounts are not changed')
    .argument('<name>', 'name of the wave')
    .action(async (name: string) => {
      const withdrawn = await withTools(parts, (tools) => tools.waves.remove(name, AT_TERMINAL));
      const words = withdrawn === 0 ? '' : `; ${counted(withdrawn, 'unsent e-mail')} withdrawn`;
      parts.terminal.out(`${name} is removed${words}\n`);
    });

/** Prints one sentence that begins with what to do first. */
const pace = (parts: CliParts): Command =>
  new Command('pace')
    .description(
      'Shows how many invitations a day are needed before V1 ends, or how many accounts will miss the end',
    )
    .option('--json', 'for programs', false)
    .action(async ({ json }: { readonly json: boolean }) => {
      const plan = await withTools(parts, (tools) => tools.waves.pace());
      parts.terminal.out(json ? `${JSON.stringify(plan, undefined, 2)}\n` : `${plan.words}\n`);
    });
