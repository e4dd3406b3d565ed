import type { Account } from '../features/accounts/account.ts';
import type { AccountRepository } from '../features/accounts/model.ts';
import { stageWords } from '../features/status/code-words.ts';
import { nearest } from '../lib/text/nearest.ts';
import { AdminRefusal, NameTaken } from '../features/admin/refusal.ts';
import type { CliParts } from './parts.ts';
import { Refusal } from '../lib/log/terminal.ts';
import type { Tools } from '../app/tools/model.ts';

/**
 * Opens the tools for one piece of work and always closes them afterwards. Turns refusals of the admin
 * service into refusals of the command line.
 */
export async function withTools<Result>(
  parts: CliParts,
  work: (tools: Tools) => Promise<Result>,
): Promise<Result> {
  const tools = await parts.openTools();
  try {
    return await work(tools);
  } catch (error) {
    if (error instanceof NameTaken) throw new Refusal(`${error.message} (--same-name)`);
    throw error instanceof AdminRefusal ? new Refusal(error.message) : error;
  } finally {
    await tools.close();
  }
}

/** Finds an account by id or name. Throws `Refusal` with similar names. */
export async function findAccount(repository: AccountRepository, idOrName: string): Promise<Account> {
  const byId = await repository.byId(idOrName);
  if (byId !== undefined) return byId;
  const all = await repository.list();
  const exact = all.filter(({ name }) => name === idOrName);
  const alike = all.filter(({ name }) => name.toLowerCase() === idOrName.toLowerCase());
  const [only, ...others] = exact.length > 0 ? exact : alike;
  if (only !== undefined && others.length > 0) {
    const ids = await Promise.all([only, ...others].map((one) => described(repository, one)));
    throw new Refusal(
      `several accounts are named ${JSON.stringify(idOrName)}; use the id: ${ids.join(', ')}`,
    );
  }
  if (only !== undefined) return only;
  const near = nearest(idOrName, [...new Set(all.map(({ name }) => name))]);
  const hint = near.length === 0 ? 'causeway accounts list shows all' : `did you mean ${near.join(' or ')}?`;
  throw new Refusal(`there is no account ${JSON.stringify(idOrName)}; ${hint}`);
}

/** The id of an account, and by what people tell it from another of the same name. */
async function described(repository: AccountRepository, { id, life }: Account): Promise<string> {
  const { email = 'no e-mail address' } = await repository.details(id);
  return `${id} (${stageWords(life.stage)}, ${email})`;
}
