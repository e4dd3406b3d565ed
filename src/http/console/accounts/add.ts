import { products } from '../../../upstream/organisation.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import type { AddedAccount } from '../../../features/accounts/accounts.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';
import { addedWith } from './account.ts';
import { askedBy, detailFields } from './edited.ts';

export interface AddParts {
  readonly admin: Pick<AdminService, 'accounts'>;
  readonly pages: ConsolePages;
}

/** The form for a new account; `given` without its keys, which are typed again. */
export function addForm(
  { admin, pages }: AddParts,
  { response, session }: Visit,
  problem?: string,
  given: Readonly<Record<string, string>> = {},
): void {
  pages.send(response, problem === undefined ? 200 : 400, 'account-new', {
    title: 'Add an account',
    under: '/accounts',
    session,
    problem,
    given,
    products,
    applications: admin.accounts.applications,
  });
}

/** Adds an account with the keys that were typed, or with new keys, which the next page shows once. */
export async function addAccount(parts: AddParts, deed: Deed): Promise<void> {
  const { form, response, session, who } = deed;
  const { accounts } = parts.admin;
  const text = (name: string): string => (form.get(name) ?? '').trim();
  const details = Object.fromEntries(detailFields.map((name) => [name, text(name)]));
  const product = products.find((one) => one === text('product'));
  const application = text('application') === '' ? undefined : text('application');
  const account = { name: text('name'), sameName: text('sameName') === 'yes', product, application, details };
  try {
    if (text('keys') === 'new') {
      const { account: added, keys } = await accounts.issue(account, who);
      parts.pages.send(response, 200, 'account-keys', {
        title: added.name,
        under: '/accounts',
        session,
        account: added,
        keys: { apiKey: keys.apiKey.reveal(), accountKey: keys.accountKey.reveal() },
      });
      return;
    }
    const keys = keysIn(text);
    const added = await accounts.add({ ...account, ...keys }, who);
    parts.pages.redirect(response, `${CONSOLE_PATH}/accounts/${added.id}?done=${addedWith(keys)}`);
  } catch (error) {
    if (!(error instanceof AdminRefusal)) throw error;
    const names = [...detailFields, 'name', 'product', 'application', 'keys', 'sameName'];
    const given = Object.fromEntries(names.map((name) => [name, text(name)])) as Record<string, string>;
    addForm(parts, deed, sentenceOf(error.message), { ...given, ...askedBy(error) });
  }
}

function keysIn(text: (name: string) => string): Pick<AddedAccount, 'accountKey' | 'apiKey'> {
  const [accountKey, apiKey] = [text('accountKey'), text('apiKey')];
  return {
    accountKey: new Secret(accountKey),
    ...(apiKey === '' ? {} : { apiKey: new Secret(apiKey) }),
  };
}
