import { Command } from 'commander';
import { statusAddresses } from '../../../features/connection/embedding.ts';
import type { CliParts } from '../../parts.ts';
import { formatOption, moment, print, type Format } from '../../records.ts';
import { findAccount, withTools } from '../../work.ts';

/**
 * `causeway accounts status-token`: for an integrator that shows the customer's view of the connection in its
 * own product.
 */
export const statusToken = (parts: CliParts): Command =>
  new Command('status-token')
    .description('Creates a token that shows the customer’s view of the connection for ten minutes')
    .argument('<account>', 'name or id')
    .addOption(formatOption())
    .addHelpText(
      'after',
      '\nThe origins in CAUSEWAY_EMBED_ORIGINS may show the page in a frame; both addresses are below the public URL.',
    )
    .action(async (idOrName: string, { format }: { readonly format: Format }) => {
      const { token, expiresAt } = await withTools(parts, async (tools) =>
        tools.statusToken(await findAccount(tools.accounts, idOrName)),
      );
      const record = { token, ...statusAddresses(token), expires: moment(expiresAt) };
      parts.terminal.out(print([record], ['page', 'json', 'token', 'expires'], format, ''));
    });
