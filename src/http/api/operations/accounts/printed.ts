import { z } from 'zod';
import type { Account } from '../../../../features/accounts/account.ts';
import type { AdminService } from '../../../../features/admin/admin.ts';
import { accountIn, endpoint, fileOf, type Endpoint } from '../../endpoint.ts';

/** An operation that returns a report of one account as a page of its own, to print and to keep as `file`. */
export const printed = (
  { id, path, summary, name, file }: Readonly<Record<'id' | 'path' | 'summary' | 'name' | 'file', string>>,
  page: (admin: AdminService, account: Account) => Promise<string>,
): Endpoint =>
  endpoint({
    ...{ id, path, summary, verb: 'GET', area: 'Accounts', scope: 'read', type: 'text/html' },
    reply: { name, schema: z.string() },
    async handle({ admin, path: values }) {
      return fileOf(await page(admin, await admin.accounts.find(accountIn(values))), file);
    },
  });
