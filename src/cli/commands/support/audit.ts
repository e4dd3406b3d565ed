/** `causeway audit`: the operators' actions in console, API and command line. */
import { Command } from 'commander';
import { auditColumns, auditOrders, type AuditPage } from '../../../features/admin/audit.ts';
import { printPage, withPages, type PageOptions } from '../../paged-list.ts';
import type { CliParts } from '../../parts.ts';
import { withTools } from '../../work.ts';

type AuditOptions = PageOptions<'who' | 'action'> & Pick<AuditPage, 'who' | 'action'>;

/** Builds `causeway audit`. */
export const audit = (parts: CliParts): Command =>
  withPages(
    new Command('audit')
      .description('Lists who did what to which accounts in the console, the API and the command line')
      .option('--who <name>', 'only what this token or person did, or "command line"')
      .option('--action <action>', 'only this action, such as invite or tokens.create'),
    auditOrders,
  ).action(async ({ format, limit, ...page }: AuditOptions) => {
    const { rows, names } = await withTools(parts, async (tools) => ({
      rows: await tools.audit(limit, page),
      names: new Map((await tools.accounts.list()).map(({ id, name }) => [id, name])),
    }));
    const list = {
      orders: auditOrders,
      columns: auditColumns(names),
      table: ['at', 'who', 'action', 'accounts', 'detail'],
      nothing: 'Nothing has been done.',
      idOf: ({ seq }: (typeof rows)[number]) => seq,
    };
    printPage(parts, list, { ...page, limit, format }, rows);
  });
