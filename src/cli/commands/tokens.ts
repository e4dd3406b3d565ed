import { Command, Option } from 'commander';
import { DuplicateToken, tokenScopes, type ConsoleToken, type TokenScope } from '../../domain/token.ts';
import { UnusableToken } from '../../migration/tokens.ts';
import type { CliParts } from '../parts.ts';
import { formatOption, moment, print, type Format, type Records } from '../records.ts';
import { Misuse, Refusal } from '../terminal.ts';
import { withTools } from '../work.ts';

/** Stands in the audit for whoever sits at the terminal. */
const WHO = 'command line';

export function tokens(parts: CliParts): Command {
  return new Command('tokens')
    .description('Who may use console and API')
    .addCommand(create(parts))
    .addCommand(list(parts))
    .addCommand(revoke(parts));
}

interface CreateOptions {
  readonly scope: TokenScope;
  readonly format: Format;
}

function create(parts: CliParts): Command {
  return new Command('create')
    .description('Makes a token and shows it, once: it is kept nowhere')
    .argument('<name>', 'who or what will use it; stands in the audit beside everything done with it')
    .addOption(
      new Option('--scope <scope>', 'read: look; operate: act, too').choices(tokenScopes).default('read'),
    )
    .addOption(formatOption())
    .action(async (name: string, { scope, format }: CreateOptions) => {
      const { token, secret } = await withTools(parts, ({ tokens: book }) =>
        book.create(name, scope, WHO).catch((error: unknown) => {
          if (error instanceof UnusableToken) throw new Misuse(error.message);
          throw error instanceof DuplicateToken ? new Refusal(error.message) : error;
        }),
      );
      const shown = [{ name: token.name, scope: token.scope, token: secret.reveal() }];
      parts.terminal.out(print(shown, ['name', 'scope', 'token'], format, ''));
      if (format === 'table') parts.terminal.err('Keep the token now: it cannot be shown again.\n');
    });
}

const columns = ['name', 'scope', 'state', 'created', 'lastUsed', 'revoked', 'id'];

function list(parts: CliParts): Command {
  return new Command('list')
    .description('All tokens, revoked ones included; never the tokens themselves')
    .addOption(formatOption())
    .action(async ({ format }: { readonly format: Format }) => {
      const all = await withTools(parts, ({ tokens: book }) => book.list());
      const nothing = 'There is no token yet: causeway tokens create makes one.';
      parts.terminal.out(print(all.map(record), columns, format, nothing));
    });
}

const record = (token: ConsoleToken): Records[number] => ({
  name: token.name,
  scope: token.scope,
  state: token.revokedAt === undefined ? 'good' : 'revoked',
  created: moment(token.createdAt),
  lastUsed: moment(token.lastUsedAt),
  revoked: moment(token.revokedAt),
  id: token.id,
});

function revoke(parts: CliParts): Command {
  return new Command('revoke')
    .description('Ends a token and every session begun with it, at once and for good')
    .argument('<token>', 'name or id')
    .action(async (idOrName: string) => {
      const revoked = await withTools(parts, ({ tokens: book }) => book.revoke(idOrName, WHO));
      if (revoked === undefined)
        throw new Refusal(`there is no token ${JSON.stringify(idOrName)}; causeway tokens list shows all`);
      parts.terminal.out(`${revoked.name} is revoked\n`);
    });
}
