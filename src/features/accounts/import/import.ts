/**
 * Imports an account list line by line (docs/campaign/migration.md).
 *
 * Each line is one transaction, so that a faulty line, or a process that ends, spoils no other. An account is found by
 * its account key or, without one, by its id. An empty cell keeps the stored value. Importing the same list again
 * changes nothing. A line's result never repeats its values, because one may be a key in the wrong column.
 */
import { type Account } from '../account.ts';
import { products, type Product } from '../../../upstream/organisation.ts';
import { DuplicateAccount, type AccountRepository } from '../model.ts';
import type { Seal } from '../../../lib/secret/seal.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { checkKey, keyPlaces, keyWarnings } from '../account-keys.ts';
import { checkedName, unknownApplication, type GivenChange } from '../account-change.ts';
import type { Accounts } from '../accounts.ts';
import { checkDetails, detailWarnings } from '../details-check.ts';
import { changesIn, type Change } from './changes.ts';
import type { AccountColumn } from './columns.ts';
import { UnusableAccount } from '../unusable-account.ts';

/** A line of an account list, its cells by column; an empty cell is left out. */
export interface ImportLine {
  /** Counted from 1, the header line. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<AccountColumn, string>>>;
  /** Why the line could not be read. */
  readonly fault?: string | undefined;
}

/** The effect of a line, or its forecast. */
export type LineVerdict = { readonly line: number } & (
  | ({ readonly verdict: 'new' | 'same' } & Taken)
  | ({
      readonly verdict: 'changed';
      readonly fields: readonly string[];
      readonly changes: readonly Change[];
    } & Taken)
  /** Nothing in the line was imported. Values are not repeated: one may be a key in the wrong column. */
  | { readonly verdict: 'faulty'; readonly faults: readonly string[] }
);

interface Taken {
  readonly name: string;
  /** Points to check, although the line was imported. */
  readonly warnings: readonly string[];
}

/** The parts of an import. */
export interface ImportParts {
  readonly accounts: Pick<Accounts, 'add' | 'set' | 'differing'>;
  readonly repository: AccountRepository;
  readonly seal: Pick<Seal, 'index'>;
  /** Names of the OAuth applications that an account can belong to. */
  readonly applications: readonly string[];
  /** The language of the e-mails for this wanted one; a different one if it has no texts. */
  readonly languageFor: (wanted: string) => string;
}

interface Reading {
  readonly accountKey: Secret | undefined;
  readonly id: string | undefined;
  readonly given: GivenChange;
}

class LineFault extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('; '));
    this.name = 'LineFault';
    this.faults = faults;
  }
}

/** Imports account lists. */
export class AccountImport {
  readonly #parts: ImportParts;

  constructor(parts: ImportParts) {
    this.#parts = parts;
  }

  /** One result per line, in order. `dry` writes nothing. Throws the store's errors. */
  async *run(
    lines: Iterable<ImportLine>,
    { dry, actor }: { readonly dry: boolean; readonly actor: string },
  ): AsyncGenerator<LineVerdict> {
    const seen = new Map<string, number>();
    const names = new Names(await this.#parts.repository.list());
    for (const line of lines) {
      try {
        const taken = await this.#take(line, seen, dry, actor);
        const { accountId, ...verdict } = taken;
        const warnings = [
          ...names.warningsFor(verdict.name, accountId, line.line),
          ...this.languageWarnings(line.cells.language),
          ...(verdict.verdict === 'same' ? [] : [...unusualKeys(line), ...detailWarnings(line.cells)]),
        ];
        yield { line: line.line, ...verdict, warnings };
      } catch (error) {
        yield { line: line.line, verdict: 'faulty', faults: faultsOf(error) };
      }
    }
  }

  /** A mistyped code would otherwise be noticed only by the customer, who cannot read the message. */
  languageWarnings(language = ''): readonly string[] {
    const wanted = language.trim().toLowerCase();
    if (wanted === '') return [];
    const written = this.#parts.languageFor(wanted);
    return written.split('-')[0] === wanted.split('-')[0]
      ? []
      : [`there are no texts in ${wanted}: e-mails will be in ${written}`];
  }

  async #take(line: ImportLine, seen: Map<string, number>, dry: boolean, actor: string): Promise<Deed> {
    const reading = readLine(line, this.#parts.applications);
    const known = await this.#known(reading, seen, line.line);
    if (known === undefined) return this.#add(reading, dry, actor);
    if (known.life.stage === 'closed') throw new LineFault(['the account is closed']);
    const { accounts } = this.#parts;
    const before = await this.#parts.repository.details(known.id);
    const fields = dry
      ? await accounts.differing(known.id, reading.given)
      : await accounts.set(known.id, reading.given, actor);
    const name = reading.given.name ?? known.name;
    const accountId = known.id;
    return fields.length === 0
      ? { verdict: 'same', name, accountId }
      : {
          verdict: 'changed',
          name,
          fields,
          changes: changesIn(fields, known, before, reading.given),
          accountId,
        };
  }

  /** Two lines about one account contradict or repeat each other: the second is not imported. */
  async #known(
    { accountKey, id }: Reading,
    seen: Map<string, number>,
    line: number,
  ): Promise<Account | undefined> {
    const { repository, seal } = this.#parts;
    const indexes = accountKey === undefined ? [] : seal.index(accountKey, keyPlaces.account.purpose);
    const byKey = (await repository.byKeyIndex(indexes))?.account;
    const byId = id === undefined ? undefined : await repository.byId(id);
    // As in a row that was copied: its name and e-mail address belong to one account, its id to another.
    if (accountKey !== undefined && byId !== undefined && byKey?.id !== byId.id)
      throw new LineFault([
        'the account with this id has another account key: correct one or leave out the id',
      ]);
    const account = byKey ?? byId;
    if (account === undefined && accountKey === undefined)
      throw new LineFault(['there is no account with this id, and an account key is needed for a new one']);
    const mark = account?.id ?? indexes[0] ?? '';
    const before = seen.get(mark) ?? seen.get(indexes[0] ?? mark);
    if (before !== undefined) throw new LineFault([`line ${before} is about the same account`]);
    seen.set(mark, line);
    if (indexes[0] !== undefined) seen.set(indexes[0], line);
    return account;
  }

  async #add({ accountKey, given }: Reading, dry: boolean, actor: string): Promise<Deed> {
    const { name, product, application, apiKey, ...details } = given;
    if (name === undefined || accountKey === undefined) throw new LineFault(['a new account needs a name']);
    if (dry) return { verdict: 'new', name, accountId: undefined };
    const { id } = await this.#parts.accounts.add(
      { name, accountKey, product, application, apiKey, details },
      actor,
    );
    return { verdict: 'new', name, accountId: id };
  }
}

type WithoutLine<Verdict> = Verdict extends unknown ? Omit<Verdict, 'line' | 'warnings'> : never;
type Deed = WithoutLine<Exclude<LineVerdict, { verdict: 'faulty' }>> & {
  /** Undefined if a dry run would add it. */
  readonly accountId: string | undefined;
};

interface Bearer {
  readonly accountId: string | undefined;
  /** Line of the list that has the name, if any. */
  readonly line: number | undefined;
}

/** The names of accounts. Two accounts may share one, but commands and people identify accounts by name. */
class Names {
  readonly #bearers = new Map<string, Bearer[]>();
  readonly #names = new Map<string, string>();

  constructor(accounts: readonly Account[]) {
    for (const { id, name, life } of accounts)
      if (life.stage !== 'closed') this.#bear(name, { accountId: id, line: undefined });
  }

  /** Registers this name for the line's account. */
  warningsFor(name: string, accountId: string | undefined, line: number): readonly string[] {
    const others = (this.#bearers.get(foldedName(name)) ?? []).filter(
      (other) => other.accountId === undefined || other.accountId !== accountId,
    );
    this.#forget(accountId);
    this.#bear(name, { accountId, line });
    const [other] = others;
    if (other === undefined) return [];
    const where = other.line === undefined ? 'another account' : `the account of line ${other.line}`;
    return [`${where} has the same name: use its id in commands`];
  }

  #bear(name: string, bearer: Bearer): void {
    const folded = foldedName(name);
    const bearers = this.#bearers.get(folded);
    if (bearers === undefined) this.#bearers.set(folded, [bearer]);
    else bearers.push(bearer);
    if (bearer.accountId !== undefined) this.#names.set(bearer.accountId, folded);
  }

  /** Removes its previous name. */
  #forget(accountId: string | undefined): void {
    const folded = accountId === undefined ? undefined : this.#names.get(accountId);
    const bearers = folded === undefined ? undefined : this.#bearers.get(folded);
    if (folded === undefined || bearers === undefined) return;
    this.#bearers.set(
      folded,
      bearers.filter((bearer) => bearer.accountId !== accountId),
    );
  }
}

/** Folded as in the look-up of names by commands. */
const foldedName = (name: string): string => name.trim().toLowerCase();

/** Reports all faults of a line at once. */
function readLine({ cells, fault }: ImportLine, applications: readonly string[]): Reading {
  if (fault !== undefined) throw new LineFault([fault]);
  const { name, product, application, accountKey, apiKey, id, ...details } = cells;
  const faults = [
    ...faultsIn(name, checkedName),
    ...faultsIn(accountKey, (key) => {
      checkKey(new Secret(key), 'account key');
    }),
    ...faultsIn(apiKey, (key) => {
      checkKey(new Secret(key), 'API key');
    }),
    ...faultIf(
      product !== undefined && productOf(product) === undefined,
      `the product must be ${products.join(' or ')}`,
    ),
    ...faultIf(
      application !== undefined && !applications.includes(application.toLowerCase()),
      unknownApplication(applications),
    ),
    ...checkDetails(details).faults.map(({ message }) => message),
    ...faultIf(accountKey === undefined && id === undefined, 'the account key is missing'),
  ];
  if (faults.length > 0) throw new LineFault(faults);
  return {
    accountKey: accountKey === undefined ? undefined : new Secret(accountKey),
    id,
    given: {
      ...details,
      name,
      product: product === undefined ? undefined : productOf(product),
      application: application?.toLowerCase(),
      apiKey: apiKey === undefined ? undefined : new Secret(apiKey),
    },
  };
}

const unusualKeys = ({ cells: { accountKey, apiKey } }: ImportLine): readonly string[] =>
  keyWarnings({
    accountKey: accountKey === undefined ? undefined : new Secret(accountKey),
    apiKey: apiKey === undefined ? undefined : new Secret(apiKey),
  });

const faultIf = (wrong: boolean, words: string): readonly string[] => (wrong ? [words] : []);

const productOf = (text: string): Product | undefined => products.find((one) => one === text.toLowerCase());

function faultsIn(cell: string | undefined, check: (cell: string) => unknown): readonly string[] {
  if (cell === undefined) return [];
  try {
    check(cell);
    return [];
  } catch (error) {
    return faultsOf(error);
  }
}

function faultsOf(error: unknown): readonly string[] {
  if (error instanceof LineFault) return error.faults;
  if (error instanceof UnusableAccount || error instanceof DuplicateAccount) return [error.message];
  throw error;
}
