import { Command, InvalidArgumentError } from 'commander';
import { AT_TERMINAL, type Tools } from '../../app/tools/model.ts';
import { AlreadyServed, CanaryUnderWay, type Canary } from '../../features/canary/canary.ts';
import { trialStateWords } from '../../features/status/code-words.ts';
import type { Account } from '../../features/accounts/account.ts';
import { Refusal } from '../../lib/log/terminal.ts';
import { counted } from '../../lib/text/counted.ts';
import { DAY, HOUR, MINUTE } from '../../lib/time/clock.ts';
import { EVERY_ACCOUNT, type ApiVersion } from '../../mapping/routes/routes.ts';
import type { CliParts } from '../parts.ts';
import { formatOption, jsonText, moment, print, type Format, type Records } from '../records.ts';
import { withTools } from '../work.ts';

const UNITS = { m: MINUTE, h: HOUR, d: DAY } as const;

/** Default length of a trial, in milliseconds. */
export const USUAL_TRIAL = DAY;

/** Parses `30m`, `12h` or `1d`; returns milliseconds. */
export function durationOf(text: string): number {
  const [, count, unit] = /^([1-9]\d{0,3})([mhd])$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError('It must be minutes, hours or days: 30m, 12h, 1d.');
  return Number(count) * UNITS[unit as keyof typeof UNITS];
}

/**
 * The outcome of `route set` as JSON. `account` undefined: every account; `route` undefined: the default; `until`: end
 * of a trial.
 */
export const routedText = ({
  methods,
  account,
  route,
  until,
}: {
  readonly methods: readonly string[];
  readonly account: string | undefined;
  readonly route: ApiVersion | undefined;
  readonly until?: number;
}): string =>
  jsonText({
    methods,
    account: account ?? EVERY_ACCOUNT,
    route: route ?? 'default',
    until: moment(until),
  });

/**
 * Starts the trial for the account and prints when it ends. Throws `Refusal` while another trial is running, and for an
 * account that has not moved or has the route.
 */
export async function tryOn(
  parts: CliParts,
  { canaries }: Tools,
  account: Account,
  change: {
    readonly methods: readonly string[];
    readonly route: ApiVersion;
    readonly time: number;
    readonly json: boolean;
  },
): Promise<void> {
  const { methods, route, time, json } = change;
  if (account.life.stage !== 'migrated')
    throw new Refusal(
      `nothing was changed. ${account.name} has not moved, so ${route.toUpperCase()} would serve none of its calls; try the route on an account that has`,
    );
  const until = parts.now() + time;
  const tried = await canaries
    .begin(account.id, methods, route, until, AT_TERMINAL)
    .catch((error: unknown) => {
      if (error instanceof AlreadyServed)
        throw new Refusal(
          `nothing was changed. ${account.name} has the route ${route} already; to try it, set another one first`,
        );
      if (!(error instanceof CanaryUnderWay)) throw error;
      throw new Refusal(
        `a route is already being tried on ${account.name}; causeway route canaries shows it`,
      );
    });
  const what =
    tried.length === 1
      ? `${tried[0] ?? ''} of ${account.name} is`
      : `${tried.length} methods of ${account.name} are`;
  parts.terminal.out(
    json
      ? routedText({ methods: tried, account: account.name, route, until })
      : `${what} served from ${route}, on trial until ${moment(until) ?? ''}\n`,
  );
  const others = methods.length - tried.length;
  if (others > 0)
    parts.terminal.err(
      `${counted(others, 'other method')} ${others === 1 ? 'has' : 'have'} this route already.\n`,
    );
  parts.terminal.err(
    'It is taken back automatically if calls fail or lose more than before; causeway route canaries shows its progress.\n',
  );
}

const columns = ['account', 'methods', 'route', 'since', 'until', 'calls', 'failed', 'lost', 'state', 'why'];

/** Builds the command that lists trials. */
export function canaries(parts: CliParts): Command {
  return new Command('canaries')
    .description(
      'Lists trials of routes on one account (route set --canary), with their progress and outcome',
    )
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const records = await withTools(parts, async ({ canaries: repository, accounts }) => {
        const names = new Map((await accounts.list()).map(({ id, name }) => [id, name]));
        return (await repository.list()).map((one) => recordOf(one, names.get(one.accountId), format));
      });
      parts.terminal.out(print(records, columns, format, 'No route has been tried on an account.'));
    });
}

const recordOf = (canary: Canary, name: string | undefined, format: Format): Records[number] => ({
  account: name ?? canary.accountId,
  methods: canary.methods.length === 1 ? canary.methods[0] : `${canary.methods.length} methods`,
  route: canary.route,
  since: moment(canary.begunAt),
  until: moment(canary.until),
  ...canary.counts,
  state: format === 'table' ? trialStateWords(canary) : (canary.outcome ?? 'running'),
  why: canary.reason,
});
