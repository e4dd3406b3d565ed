import { Command } from 'commander';
import { EVERY_ACCOUNT, apiVersions, type ApiVersion } from '../../mapping/routes/routes.ts';
import type { CliParts } from '../parts.ts';
import { formatOption, moment, print, type Format, type Records } from '../records.ts';
import { Misuse, Refusal } from '../../lib/terminal.ts';
import { findAccount, withTools } from '../work.ts';

/** Stands beside the override for whoever sits at the terminal. */
const WHO = 'command line';

/**
 * `causeway route`: which methods are served from V2 and which from V3, per account or for all. A running bridge
 * follows within a second.
 */
export function route(parts: CliParts): Command {
  return new Command('route')
    .description('Which API serves a method: V3 (XML) or V2 (JSON)')
    .addCommand(list(parts))
    .addCommand(set(parts));
}

const columns = ['method', 'account', 'route', 'default', 'v2', 'since', 'by'];

function list(parts: CliParts): Command {
  return new Command('list')
    .description(
      'Every method with its route: the mapping’s default, and what was set for one account or all',
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
            since: moment(at),
            by: actor,
          };
        });
        const unset = methods
          .filter(
            ({ id }) => !overrides.some(({ method, account }) => method === id && account === EVERY_ACCOUNT),
          )
          .map(({ id, route: apiVersion, v2 }): Records[number] => ({
            method: id,
            account: EVERY_ACCOUNT,
            route: apiVersion,
            default: apiVersion,
            v2,
            since: undefined,
            by: undefined,
          }));
        return onlySet === true ? chosen : [...chosen, ...unset].sort(byMethod);
      });
      parts.terminal.out(
        print(records, columns, format, 'Nothing was set: every method goes its default way.'),
      );
    });
}

const byMethod = (one: Records[number], other: Records[number]): number =>
  String(one.method).localeCompare(String(other.method));

interface SetOptions {
  readonly account?: string;
  readonly all?: boolean;
}

function set(parts: CliParts): Command {
  return new Command('set')
    .description('Routes a method for one account or for all; a running bridge applies it within a second')
    .argument('<method>', 'as causeway route list names it: client.list')
    .argument('<route>', 'v2, v3, or default to take back what was set')
    .option('--account <account>', 'for this account only: its name or id')
    .option('--all', 'for every account without a route of its own; the default')
    .action(async (method: string, wanted: string, { account, all }: SetOptions) => {
      if (account !== undefined && all === true) throw new Misuse('--account and --all exclude each other');
      const apiVersion = apiVersionOf(wanted);
      await withTools(parts, async ({ routes, accounts }) => {
        const known = routes.method(method);
        if (apiVersion === 'v2' && known.v2 === 'none')
          throw new Refusal(`${method} has no V2 way: ${known.why ?? 'the mapping knows none'}`);
        const found = account === undefined ? undefined : await findAccount(accounts, account);
        if (apiVersion === 'v2' && found?.product === 'practice')
          throw new Refusal(`${found.name} is of the practice variant, which has no V2`);
        await routes.set(method, found?.id ?? EVERY_ACCOUNT, apiVersion, WHO);
        const whose = found?.name ?? 'every account';
        parts.terminal.out(
          `${method} of ${whose} is served ${apiVersion === undefined ? `by default (${known.route})` : `from ${apiVersion}`}\n`,
        );
        if (apiVersion === 'v2')
          for (const loss of known.losses) parts.terminal.err(`  lost on the way: ${loss}\n`);
        if (apiVersion === 'v2' && !routes.hasV2)
          parts.terminal.err('CAUSEWAY_V2_BASE_URL is not set: until it is, V3 serves it.\n');
      });
    });
}

function apiVersionOf(wanted: string): ApiVersion | undefined {
  if (wanted === 'default') return undefined;
  const apiVersion = apiVersions.find((name) => name === wanted);
  if (apiVersion === undefined)
    throw new Misuse(`the route is ${apiVersions.join(', ')} or default, not ${JSON.stringify(wanted)}`);
  return apiVersion;
}
