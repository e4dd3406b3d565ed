import { z } from 'zod';
import { watchShown, shownWatchSchema } from '../../../../features/cutover/watch/shown.ts';
import type { Account } from '../../../../features/accounts/account.ts';
import type { AdminService } from '../../../../features/admin/admin.ts';
import { accountIn, endpoint, type Endpoint } from '../../endpoint.ts';
import { perhaps } from '../../shapes.ts';

const schema = z.strictObject({ watch: perhaps(shownWatchSchema).describe('null: it is not watched') });
const reply = { name: 'AccountWatch', schema };

async function replyFor(admin: AdminService, account: Account): Promise<z.infer<typeof schema>> {
  const watch = await admin.watch.show(account);
  return { watch: watch === undefined ? null : watchShown(watch) };
}

const show = endpoint({
  id: 'showWatch',
  verb: 'GET',
  path: '/accounts/{account}/watch',
  area: 'Accounts',
  summary: 'Shows what differs from before the account’s move, for some days after it',
  scope: 'read',
  reply,
  async handle({ admin, path }) {
    return replyFor(admin, await admin.accounts.find(accountIn(path)));
  },
});

const dismiss = endpoint({
  id: 'dismissWatch',
  verb: 'POST',
  path: '/accounts/{account}/watch/dismissal',
  area: 'Accounts',
  summary: 'Removes the flag; the present differences do not flag the account again',
  scope: 'operate',
  body: { name: 'WatchDismissal', schema: z.strictObject({ reason: z.string().max(500) }) },
  reply,
  async handle({ admin, path, who, body }) {
    const account = await admin.accounts.find(accountIn(path));
    await admin.watch.dismiss(account, body.reason, who);
    return replyFor(admin, account);
  },
});

export const watchOperations: readonly Endpoint[] = [show, dismiss];
