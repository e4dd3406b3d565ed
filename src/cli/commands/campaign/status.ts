/**
 * `causeway status` and `npm run migration-status`: the status report in a terminal, as JSON, CSV or a page,
 * once or repeatedly.
 *
 * The report comes from the database, or with `--url` from a running bridge. Filters narrow the accounts but
 * never the totals. `--fail-under` and `--fail-on` make it a check for a pipeline: the report is always
 * printed, then the exit code tells whether a condition was met.
 */
import { Command, InvalidArgumentError, Option } from 'commander';
import type { StatusReport } from '../../../features/status/model.ts';
import { doubtOf } from '../../../tokens/deployment/deployment.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import type { AccountDetails } from '../../../features/accounts/details.ts';
import { statusReportCsv } from '../../../features/status/report/csv.ts';
import { statusReportHtml } from '../../../features/status/report/html.ts';
import { statusReportTable } from '../../../features/status/report/table.ts';
import { filterGiven, withFilters, type FilterOptions } from '../../filters-given.ts';
import { sortKeys, viewOf, type SortKey } from '../../../features/status/report/view.ts';
import { percent } from '../../../features/status/report/words.ts';
import { counted } from '../../../lib/text/counted.ts';
import { plainJson } from '../../../lib/text/plain-text.ts';
import { loaded } from '../../keys-given.ts';
import type { CliParts } from '../../parts.ts';
import { Misuse, Refusal, type Terminal } from '../../../lib/log/terminal.ts';
import { withTools } from '../../work.ts';

const formats = ['table', 'json', 'csv', 'html'] as const;
type StatusFormat = (typeof formats)[number];

/** Conditions that fail a pipeline, with the text that explains each. */
const faults = {
  lost: ({ totals }: StatusReport) =>
    totals.stages.lost === 0 ? undefined : `${counted(totals.stages.lost, 'account')} lost`,
  stuck: ({ totals }: StatusReport) =>
    totals.stuck === 0 ? undefined : `${counted(totals.stuck, 'account')} stuck`,
  errors: ({ totals }: StatusReport) =>
    totals.errors24h === 0 ? undefined : `${counted(totals.errors24h, 'call')} of the last 24 hours failed`,
  late: ({ progress }: StatusReport) =>
    progress.v1End?.inTime === false
      ? `V1 ends on ${progress.v1End.day}, before the migration does`
      : undefined,
  'at-risk': ({ progress }: StatusReport) =>
    progress.v1End?.verdict === 'at-risk'
      ? `V1 ends on ${progress.v1End.day}, and only one of the two paces is in time`
      : undefined,
} as const;
type Fault = keyof typeof faults;

interface StatusOptions extends FilterOptions {
  readonly format: StatusFormat;
  readonly output?: string;
  readonly watch?: number | true;
  readonly sort?: SortKey;
  readonly reverse?: true;
  readonly failUnder?: number;
  readonly failOn?: readonly Fault[];
  readonly url?: string;
  readonly token?: string;
  readonly tokenFile?: string;
}

const SECONDS = 2;

/** The status feature produces everything that the command prints. */
export function status(parts: CliParts): Command {
  const command = new Command('status')
    .description('Shows the state of the migration: every account, totals, pace and expected end')
    .addOption(new Option('--format <format>', 'how it is printed').choices(formats).default('table'))
    .option('--output <file>', 'write it to this file instead')
    .addOption(
      new Option('--watch [seconds]', `repeat, every ${SECONDS} seconds by default`).argParser(seconds),
    )
    .addOption(new Option('--sort <key>', 'order of the accounts').choices(sortKeys))
    .option('--reverse', 'in reverse order')
    .addOption(
      new Option(
        '--fail-under <percent>',
        'exit code 1 while fewer than this percentage of accounts have moved',
      ).argParser(share),
    )
    .addOption(
      new Option('--fail-on <what...>', 'exit code 1 if there are any of these').choices(Object.keys(faults)),
    )
    .option('--url <address>', 'ask a running bridge instead of the database')
    .option('--token <token>', 'token for --url; - reads it from standard input')
    .option('--token-file <path>', 'file with the token');
  return withFilters(command, 'only').action((options: StatusOptions) => report(parts, options));
}

function seconds(text: string): number {
  const value = Number(text);
  if (!Number.isFinite(value) || value < 1 || value > 86_400)
    throw new InvalidArgumentError('It must be a number of seconds from 1 to 86400.');
  return value;
}

function share(text: string): number {
  const value = Number(text.replace(/ ?%$/, ''));
  if (text.trim() === '' || !Number.isFinite(value) || value < 0 || value > 100)
    throw new InvalidArgumentError('It must be a percentage, from 0 to 100.');
  return value;
}

/** Details of accounts, which a remote bridge leaves out of its report. */
type Contacts = ReadonlyMap<string, AccountDetails>;

async function report(parts: CliParts, options: StatusOptions): Promise<void> {
  const { terminal } = parts;
  if (options.url === undefined && (options.token ?? options.tokenFile) !== undefined)
    throw new Misuse('a token can only be given with --url');
  if (options.url !== undefined) {
    const [url, token] = [options.url, await tokenOf(options, terminal)];
    const wanted = { ...filterGiven(options), group: options.group };
    return shown(parts, options, () => parts.fetchStatusReport(url, token, wanted).catch(refuse));
  }
  await withTools(parts, async (tools) => {
    const doubt = doubtOf(await tools.deployment.look());
    if (doubt !== undefined)
      terminal.err(`note: no token is renewed: ${doubt.words}; causeway deployment show has more\n`);
    const wanted = { ...filterGiven(options), group: options.group };
    const contacts = options.format === 'csv' ? await tools.contacts() : undefined;
    await shown(parts, options, () => tools.view(wanted), contacts);
  });
}

/** Prints a refusal of the bridge at `--url` in the bridge's own words. */
function refuse(error: unknown): never {
  throw error instanceof Error ? new Refusal(error.message) : error;
}

async function shown(
  parts: CliParts,
  options: StatusOptions,
  read: () => Promise<StatusReport>,
  contacts?: Contacts,
): Promise<void> {
  const { terminal } = parts;
  if (options.watch === undefined) {
    const statusReport = await read();
    await put(written(statusReport, options, terminal, contacts), options, terminal);
    judge(statusReport, options);
    return;
  }
  const { screen } = terminal;
  if (screen === undefined) throw new Misuse('--watch needs a terminal');
  const pause = (options.watch === true ? SECONDS : options.watch) * 1_000;
  do {
    const text = written(await read(), options, terminal);
    await put(options.output === undefined ? `${CLEAR}${text}` : text, options, terminal);
  } while (await screen.pause(pause));
}

/** Moves the cursor home and clears the screen and its scrollback. */
const CLEAR = '\u001b[H\u001b[2J\u001b[3J';

function written(
  statusReport: StatusReport,
  options: StatusOptions,
  { screen }: Terminal,
  contacts?: Contacts,
): string {
  const view = viewOf(statusReport, { sort: options.sort, descending: options.reverse });
  const onScreen = options.output === undefined ? screen : undefined;
  switch (options.format) {
    case 'table':
      return statusReportTable(view, { columns: onScreen?.columns(), colour: onScreen?.colour ?? false });
    case 'json':
      return `${plainJson(view)}\n`;
    case 'csv':
      return statusReportCsv(view, contacts);
    case 'html':
      return statusReportHtml(view);
  }
}

async function put(text: string, { output }: StatusOptions, terminal: Terminal): Promise<void> {
  if (output === undefined) {
    terminal.out(text);
    return;
  }
  try {
    // Without keys, and perhaps where others read it: a page that a web server shows, or a colleague's file.
    await terminal.save(output, text, { keepsMode: true });
  } catch {
    throw new Refusal(`${output} cannot be written`);
  }
}

/** Runs after the report is printed, so that the pipeline shows why it failed. */
function judge(statusReport: StatusReport, { failUnder, failOn = [] }: StatusOptions): void {
  const { progress } = statusReport;
  const under =
    failUnder === undefined || progress.done * 100 >= failUnder * Math.max(progress.of, 1)
      ? []
      : [`${percent(progress.share)} have moved, ${failUnder} % are required`];
  const found = failOn.map((fault) => faults[fault](statusReport)).filter((words) => words !== undefined);
  const all = [...under, ...found];
  if (all.length > 0) throw new Refusal(all.join('; '));
}

async function tokenOf({ token, tokenFile }: StatusOptions, terminal: Terminal): Promise<Secret> {
  if (token !== undefined && tokenFile !== undefined) throw new Misuse('the token is given twice');
  if (token === undefined && tokenFile === undefined)
    throw new Misuse('--url needs --token or --token-file; causeway tokens create makes a token');
  const text = (
    tokenFile === undefined ? await given(token ?? '', terminal) : await loaded(tokenFile, terminal)
  ).trim();
  if (!/^[\x21-\x7e]+$/.test(text)) throw new Misuse('the token must be one word');
  return new Secret(text);
}

const given = (token: string, terminal: Terminal): Promise<string> =>
  token === '-' ? terminal.read() : Promise.resolve(token);
