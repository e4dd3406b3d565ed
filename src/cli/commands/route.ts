/**
 * `causeway route`: which methods are served from V2 and which from V3, for one account or for all.
 *
 * `list` combines the mapping's defaults with the operators' settings. `set` takes a method, a family or a V2
 * grade, skips methods that V2 cannot serve, prints what V2 loses, and asks for `--yes` if more than one
 * account is affected. A running bridge follows within a second.
 */
import { Command } from 'commander';
import type { Account } from '../../features/accounts/account.ts';
import type { Tools } from '../../app/tools/model.ts';
import { destinationOf, followingOf, stayingWords } from '../../features/admin/routes.ts';
import {
  EVERY_ACCOUNT,
  apiVersions,
  isAssumedWrite,
  type ApiVersion,
  type RoutedMethod,
} from '../../mapping/routes/routes.ts';
import { evidenceText } from '../../mapping/evidence.ts';
import { missedLines } from '../../features/admin/usage/usage-words.ts';
import { methodsOf } from '../../mapping/routes/selection.ts';
import { commandGroup } from '../command.ts';
import type { CliParts } from '../parts.ts';
import { formatOption, jsonOption, moment, print, type Format, type Records } from '../records.ts';
import { Misuse, Refusal } from '../../lib/log/terminal.ts';
import { findAccount, withTools } from '../work.ts';
import { canaries, durationOf, routedText, tryOn, USUAL_TRIAL } from './route-canary.ts';

/** Builds `causeway route` with its subcommands. */
export function route(parts: CliParts): Command {
  return commandGroup(
    'route',
    'Which API serves a method: V3 (XML) or V2 (JSON)',
    list(parts),
    set(parts),
    canaries(parts),
  );
}

const columns = ['method', 'account', 'route', 'default', 'v2', 'evidence', 'since', 'by'];

function list(parts: CliParts): Command {
  return new Command('list')
    .description(
      'Lists every method with its route: the mapping’s default, and any route set for one account or for all',
    )
    .option('--set', 'only routes that were set')
    .addOption(formatOption())
    .action(async ({ set: onlySet, format }: { readonly set?: boolean; readonly format: Format }) => {
      const records = await withTools(parts, async ({ routes, accounts }) => {
        const names = new Map((await accounts.list()).map(({ id, name }) => [id, name]));
        const methods = routes.methods();
        const overrides = await routes.list();
        const chosen = overrides.map(({ method, account, route: apiVersion, at, actor }): Records[number] => {
          const known = methods.find(({ id }) => id === method);
          return {
            method,
            account: account === EVERY_ACCOUNT ? EVERY_ACCOUNT : (names.get(account) ?? account),
            route: apiVersion,
            default: known?.route,
            v2: known?.v2,
            evidence: known?.evidence[apiVersion],
            since: moment(at),
            by: actor,
          };
        });
        const unset = methods
          .filter(
            ({ id }) => !overrides.some(({ method, account }) => method === id && account === EVERY_ACCOUNT),
          )
          .map(({ id, route: apiVersion, v2, evidence }): Records[number] => ({
            method: id,
            account: EVERY_ACCOUNT,
            route: apiVersion,
            default: apiVersion,
            v2,
            evidence: evidence[apiVersion],
            since: undefined,
            by: undefined,
          }));
        return onlySet === true ? chosen : [...chosen, ...unset].sort(byMethod);
      });
      parts.terminal.out(
        print(records, columns, format, 'No route was set: every method takes its default route.'),
      );
    });
}

const byMethod = (one: Records[number], other: Records[number]): number =>
  String(one.method).localeCompare(String(other.method));

interface SetOptions {
  readonly account?: string;
  readonly all?: boolean;
  readonly yes: boolean;
  readonly acceptAssumed: boolean;
  readonly canary?: string;
  readonly for?: number;
  readonly json?: boolean;
}

function set(parts: CliParts): Command {
  return new Command('set')
    .description('Routes methods for one account or for all; a running bridge applies it within a second')
    .argument(
      '<methods>',
      'a method (client.list), a family (client.*), all (*), a grade of V2 (grade:A), or those that lose nothing there (lossless)',
    )
    .argument('<route>', 'v2, v3, or default to take back what was set')
    .option('--account <account>', 'for this account only: its name or id')
    .option('--all', 'for every account without a route of its own; the default')
    .option(
      '--yes',
      'confirm a change that concerns more than one account; without it the change is only shown',
      false,
    )
    .option(
      '--accept-assumed',
      'also route writes to V2 if their row in the mapping is an assumption; without it they are refused',
      false,
    )
    .option(
      '--canary <account>',
      'try it on this account first; the route is returned automatically if calls fail or lose more than before',
    )
    .option('--for <time>', 'with --canary: how long (30m, 12h); one day by default', durationOf)
    .addOption(jsonOption('methods', 'account', 'route', 'until (end of a trial)'))
    .action(async (pattern: string, wanted: string, options: SetOptions) => {
      const apiVersion = apiVersionOf(wanted);
      check(options, apiVersion);
      await withTools(parts, (tools) => setRoutes(parts, tools, { pattern, apiVersion, options }));
    });
}

function check({ account, all, canary, for: time }: SetOptions, apiVersion: ApiVersion | undefined): void {
  const whom = { '--account': account, '--all': all, '--canary': canary };
  const said = Object.entries(whom).flatMap(([name, value]) => (value === undefined ? [] : [name]));
  if (said.length > 1) throw new Misuse(`${said.join(' and ')} cannot be combined`);
  if (time !== undefined && canary === undefined) throw new Misuse('--canary and --for go together');
  if (canary !== undefined && apiVersion === undefined)
    throw new Misuse('v2 or v3 can be tried; default takes back what was set');
}

interface Change {
  readonly pattern: string;
  /** Undefined restores the default. */
  readonly apiVersion: ApiVersion | undefined;
  readonly options: SetOptions;
}

async function setRoutes(
  parts: CliParts,
  tools: Tools,
  { pattern, apiVersion, options }: Change,
): Promise<void> {
  const { terminal } = parts;
  const { routes, accounts } = tools;
  const { canary, account = canary, for: time = USUAL_TRIAL, json = false } = options;
  const methods = servable(methodsOf(pattern, routes.methods()), apiVersion, terminal);
  const one = account === undefined ? undefined : await findAccount(accounts, account);
  if (apiVersion === 'v2' && one?.product === 'practice')
    throw new Refusal(`${one.name} belongs to the practice variant, which has no V2`);
  if (apiVersion === 'v2') warn(terminal, methods, routes.hasV2);
  const ids = methods.map(({ id }) => id);
  const followers = one === undefined ? followingOf(ids, await routes.list(), await accounts.list()) : [one];
  if (apiVersion !== undefined) await warnOfMisses(parts, tools, { ids, apiVersion, followers });
  checkAccepted(methods, apiVersion, options);
  const staying = stayingWords(methods, apiVersion);
  if (staying !== undefined) terminal.err(`${staying}\n`);
  if (one !== undefined && canary !== undefined && apiVersion !== undefined) {
    await tryOn(parts, tools, one, { methods: ids, route: apiVersion, time, json });
    return;
  }
  const concerned = followers.length;
  if (concerned > 1 && !options.yes)
    throw new Refusal(
      `nothing was changed. ${namesOf(methods)} of ${concerned} accounts would be served ${destinationOf(methods, apiVersion)}; --yes does it`,
    );
  await routes.set(ids, one?.id ?? EVERY_ACCOUNT, apiVersion, options.acceptAssumed);
  const verb = methods.length === 1 ? 'is' : 'are';
  const whose = one?.name ?? 'every account';
  terminal.out(
    json
      ? routedText({ methods: ids, account: one?.name, route: apiVersion })
      : `${namesOf(methods)} of ${whose} ${verb} served ${destinationOf(methods, apiVersion)}\n`,
  );
}

/** Throws `Refusal` if a write on V2 depends on an assumption that no operator has accepted. */
function checkAccepted(
  methods: readonly RoutedMethod[],
  apiVersion: ApiVersion | undefined,
  { acceptAssumed }: SetOptions,
): void {
  const assumed = methods.filter((method) => isAssumedWrite(method, apiVersion));
  if (assumed.length === 0 || acceptAssumed) return;
  throw new Refusal(
    `nothing was changed. On V2 ${assumed.map(({ id }) => id).join(', ')} would write on an assumption: nobody has seen V2 accept it; --accept-assumed does it`,
  );
}

/** Warns of what the accounts would miss, judging by what their programs use. */
async function warnOfMisses(
  { terminal }: CliParts,
  { usage }: Tools,
  change: {
    readonly ids: readonly string[];
    readonly apiVersion: ApiVersion;
    readonly followers: readonly Account[];
  },
): Promise<void> {
  const missed = await usage.missed(change.ids, change.apiVersion, change.followers);
  for (const line of missedLines(missed, change.followers.length)) terminal.err(`usage: ${line}\n`);
}

/** Returns the methods that the API version can serve. Throws `Refusal` if there are none. */
function servable(
  methods: readonly RoutedMethod[],
  apiVersion: ApiVersion | undefined,
  terminal: CliParts['terminal'],
): readonly RoutedMethod[] {
  if (apiVersion !== 'v2') return methods;
  const without = methods.filter(({ v2 }) => v2 === 'none');
  const [first] = without;
  if (first !== undefined && without.length === methods.length)
    throw new Refusal(
      `${first.id} cannot be served by V2: ${first.why ?? 'the mapping has no steps for it'}`,
    );
  for (const { id, why } of without)
    terminal.err(`${id} stays on V3: ${why ?? 'the mapping has no steps for V2'}\n`);
  return methods.filter(({ v2 }) => v2 !== 'none');
}

function warn(terminal: CliParts['terminal'], methods: readonly RoutedMethod[], hasV2: boolean): void {
  const isOne = methods.length === 1;
  for (const [names, lines] of grouped(methods.map((method) => [method.id, warningsOf(method, isOne)]))) {
    if (!isOne) terminal.err(`${names}\n`);
    for (const line of lines) terminal.err(`  ${line}\n`);
  }
  if (!hasV2) terminal.err('CAUSEWAY_V2_BASE_URL is not set: until it is, V3 serves them.\n');
}

function warningsOf(
  { v2, losses, toV3, evidence, assumed }: RoutedMethod,
  isOne: boolean,
): readonly string[] {
  const rests = evidenceText(evidence, 'v2');
  return [
    ...(isOne ? [] : [`grade ${v2}`]),
    ...(rests === undefined ? [] : [`V2 ${rests}`]),
    ...losses.map((loss) => `lost: ${loss}`),
    ...toV3.map((calls) => `still goes to V3, ${calls}`),
    ...assumed.map((assumption) => `assumed: ${assumption}`),
  ];
}

/** Each line once, under the names of all methods that have it: `client.get, client.list`. */
function grouped(
  methods: readonly (readonly [method: string, lines: readonly string[]])[],
): ReadonlyMap<string, readonly string[]> {
  const owners = new Map<string, string[]>();
  for (const [method, lines] of methods)
    for (const line of new Set(lines)) owners.set(line, [...(owners.get(line) ?? []), method]);
  const groups = new Map<string, string[]>();
  for (const [line, names] of owners) {
    const key = names.length === methods.length && names.length > 1 ? 'all of them' : names.join(', ');
    groups.set(key, [...(groups.get(key) ?? []), line]);
  }
  return groups;
}

const namesOf = ([first, ...others]: readonly RoutedMethod[]): string =>
  others.length === 0 ? (first?.id ?? '') : `${others.length + 1} methods`;

function apiVersionOf(wanted: string): ApiVersion | undefined {
  if (wanted === 'default') return undefined;
  const apiVersion = apiVersions.find((name) => name === wanted);
  if (apiVersion === undefined)
    throw new Misuse(`the route is ${apiVersions.join(', ')} or default, not ${JSON.stringify(wanted)}`);
  return apiVersion;
}
