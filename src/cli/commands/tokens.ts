import { Command, InvalidArgumentError, Option } from 'commander';
import { DAY } from '../../lib/time/clock.ts';
import {
  DuplicateToken,
  tokenScopes,
  tokenState,
  type ConsoleToken,
  type TokenScope,
} from '../../features/admin/tokens/token.ts';
import { UnusableToken } from '../../features/admin/tokens/tokens.ts';
import { commandGroup, listCommand } from '../command.ts';
import { AT_TERMINAL } from '../../app/tools/model.ts';
import type { CliParts } from '../parts.ts';
import { formatOption, moment, print, type Format, type Records } from '../records.ts';
import { Misuse, Refusal } from '../../lib/log/terminal.ts';
import { withTools } from '../work.ts';

/** `causeway tokens`: access to console and API. A token is shown only once, when it is created. */
export function tokens(parts: CliParts): Command {
  return commandGroup(
    'tokens',
    'Who may use console and API',
    create(parts),
    list(parts),
    revoke(parts),
    admit(parts),
  );
}

interface CreateOptions {
  readonly scope: TokenScope;
  readonly format: Format;
  readonly expires?: (now: number) => number;
}

function expiry(text: string): (now: number) => number {
  const [, days] = /^([1-9]\d{0,3})d$/.exec(text) ?? [];
  if (days !== undefined) return (now) => now + Number(days) * DAY;
  const day = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(text) : Number.NaN;
  if (Number.isNaN(day))
    throw new InvalidArgumentError('It must be a number of days (90d) or a date (2027-06-30).');
  return () => day;
}

function create(parts: CliParts): Command {
  return new Command('create')
    .description('Creates a token and shows it once; it is not stored')
    .argument('<name>', 'name of the user; the audit log shows it with every action')
    .addOption(
      new Option(
        '--scope <scope>',
        'read: view only; operate: also act; administer: also create and revoke tokens',
      )
        .choices(tokenScopes)
        .default('read'),
    )
    .option('--expires <when>', 'expires after some days (90d) or on a date (2027-06-30, UTC)', expiry)
    .addOption(formatOption())
    .action(async (name: string, { scope, format, expires }: CreateOptions) => {
      const { token, secret } = await withTools(parts, ({ tokens: repository }) =>
        repository.create(name, scope, AT_TERMINAL, expires?.(parts.now())).catch((error: unknown) => {
          if (error instanceof UnusableToken) throw new Misuse(error.message);
          throw error instanceof DuplicateToken ? new Refusal(error.message) : error;
        }),
      );
      const shown = [
        {
          name: token.name,
          scope: token.scope,
          expires: moment(token.expiresAt),
          token: secret.reveal(),
        },
      ];
      parts.terminal.out(print(shown, ['name', 'scope', 'expires', 'token'], format, ''));
      if (format === 'table') parts.terminal.err('Save the token now: it cannot be shown again.\n');
    });
}

const columns = ['name', 'scope', 'state', 'created', 'lastUsed', 'expires', 'revoked', 'subject', 'id'];

const list = (parts: CliParts): Command =>
  listCommand(parts, {
    what: 'Lists all tokens, and people who have signed in with OpenID Connect, including revoked ones; never shows the tokens themselves',
    columns,
    nothing: 'There is no token yet: causeway tokens create makes one.',
    load: async ({ tokens: repository }) =>
      (await repository.list()).map((token) => record(token, parts.now())),
  });

const record = (token: ConsoleToken, now: number): Records[number] => ({
  name: token.name,
  scope: token.scope,
  state: tokenState(token, now),
  created: moment(token.createdAt),
  lastUsed: moment(token.lastUsedAt),
  expires: moment(token.expiresAt),
  revoked: moment(token.revokedAt),
  subject: token.subject ?? '',
  id: token.id,
});

function revoke(parts: CliParts): Command {
  return new Command('revoke')
    .description(
      'Revokes a token or a person and ends their sessions at once; the revocation of a token is permanent',
    )
    .argument('<token>', 'name or id')
    .action(async (idOrName: string) => {
      const revoked = await withTools(parts, ({ tokens: repository }) =>
        repository.revoke(idOrName, AT_TERMINAL),
      );
      if (revoked === undefined)
        throw new Refusal(`there is no token ${JSON.stringify(idOrName)}; causeway tokens list shows all`);
      parts.terminal.out(`${revoked.name} is revoked\n`);
    });
}

function admit(parts: CliParts): Command {
  return new Command('admit')
    .description('Allows a revoked person to sign in with OpenID Connect again')
    .argument('<person>', 'name or id')
    .action(async (idOrName: string) => {
      const admitted = await withTools(parts, ({ tokens: repository }) =>
        repository.admit(idOrName, AT_TERMINAL),
      );
      if (admitted === undefined)
        throw new Refusal(`there is no person ${JSON.stringify(idOrName)}; causeway tokens list shows all`);
      parts.terminal.out(`${admitted.name} may sign in again\n`);
    });
}
