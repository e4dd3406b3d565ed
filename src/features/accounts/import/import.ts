/**
 * Imports an account list line by line (docs/campaign/migration.md).
 *
 * Each line is one transaction, so that a faulty line, or a process that ends, spoils no other. An account is found by
 * its account key or, without one, by its id. An empty cell keeps the stored value. Importing the same list again
 * changes nothing. An exported list also names the closed accounts: one that is new here is added as closed, so that
 * the calls of a customer who left stay refused. A line's result never repeats its values, because one may be a key in
 * the wrong column.
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
import { changesIn, otherCustomerWarnings, type Change } from './changes.ts';
import type { AccountColumn } from './columns.ts';
import { Names } from './names.ts';
import { UnusableAccount } from '../unusable-account.ts';

/** A line of an account list, its cells by column; an empty cell is left out. */
export interface ImportLine {
  /** Counted from 1, the header line. */
  readonly line: number;
  readonly cells: Readonly<Partial<Record<AccountColumn, string>>>;
  /** Why the line could not be read. */
  readonly fault?: string | undefined;
  /** The cells of every line of the file that a fault takes, as far as they can be told, if these are several. */
  readonly unread?: readonly ImportLine['cells'][];
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
  | {
      readonly verdict: 'faulty';
      readonly faults: readonly string[];
      /** Of the file. */
      readonly lines: number;
    }
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
  /** According to the list. */
  readonly isClosed: boolean;
  readonly isIssued: boolean;
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
    const seen: Seen = new Map();
    const names = new Names(await this.#parts.repository.list());
    for (const line of lines) {
      try {
        const taken = await this.#take(line, seen, dry, actor);
        const { accountId, isClosed, ...verdict } = taken;
        const warnings = [
          ...closedWarnings(line, taken),
          ...(isClosed ? [] : names.warningsFor(verdict.name, accountId, line.line)),
          ...('changes' in verdict ? otherCustomerWarnings(verdict.changes) : []),
          ...this.languageWarnings(line.cells.language),
          ...(verdict.verdict === 'same' ? [] : [...unusualKeys(line), ...detailWarnings(line.cells)]),
        ];
        yield { line: line.line, ...verdict, warnings };
      } catch (error) {
        const lines = line.unread?.length ?? 1;
        yield { line: line.line, verdict: 'faulty', faults: faultsOf(error), lines };
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

  async #take(line: ImportLine, seen: Seen, dry: boolean, actor: string): Promise<Deed> {
    const reading = readLine(line, this.#parts.applications);
    const known = await this.#known(reading, seen, line.line);
    if (known === undefined) return this.#add(reading, dry, actor);
    const { accounts } = this.#parts;
    if (known.life.stage === 'closed') {
      const differs = !reading.isClosed || (await accounts.differing(known.id, reading.given)).length > 0;
      if (differs) throw new LineFault(['the account is closed']);
      return { verdict: 'same', name: known.name, accountId: known.id, isClosed: true };
    }
    const before = await this.#parts.repository.details(known.id);
    const fields = dry
      ? await accounts.differing(known.id, reading.given)
      : await accounts.set(known.id, reading.given, actor);
    const name = reading.given.name ?? known.name;
    const accountId = known.id;
    return fields.length === 0
      ? { verdict: 'same', name, accountId, isClosed: false }
      : {
          verdict: 'changed',
          name,
          fields,
          changes: changesIn(fields, known, before, reading.given),
          accountId,
          isClosed: false,
        };
  }

  /** Two lines about one account contradict or repeat each other: the second is not imported. */
  async #known({ accountKey, id, given }: Reading, seen: Seen, line: number): Promise<Account | undefined> {
    const { repository, seal } = this.#parts;
    const indexes = accountKey === undefined ? [] : seal.index(accountKey, keyPlaces.account.purpose);
    const byKey = (await repository.byKeyIndex(indexes))?.account;
    const byId = id === undefined ? undefined : await repository.byId(id);
    checkMatch(accountKey, byKey, byId);
    const account = byKey ?? byId;
    const name = given.name ?? account?.name ?? '';
    noteLine(seen, { index: indexes[0], accountId: account?.id }, `${line} (${name})`);
    return account;
  }

  async #add({ accountKey, given, isClosed, isIssued }: Reading, dry: boolean, actor: string): Promise<Deed> {
    const { name, product, application, apiKey, ...details } = given;
    if (name === undefined || accountKey === undefined) throw new LineFault(['a new account needs a name']);
    if (dry) return { verdict: 'new', name, accountId: undefined, isClosed };
    const { id } = await this.#parts.accounts.add(
      { name, accountKey, product, application, apiKey, details, isClosed, isIssued },
      actor,
    );
    return { verdict: 'new', name, accountId: id, isClosed };
  }
}

/** The lines before, in words, by the key and by the account that each is about. */
type Seen = Map<string, string>;

/** Throws `LineFault`. */
function checkMatch(
  accountKey: Secret | undefined,
  byKey: Account | undefined,
  byId: Account | undefined,
): void {
  if (accountKey === undefined && byId === undefined)
    throw new LineFault(['there is no account with this id, and an account key is needed for a new one']);
  // As in a row that was copied: its name and e-mail address belong to one account, its id to another.
  if (accountKey !== undefined && byId !== undefined && byKey?.id !== byId.id)
    throw new LineFault([
      'the account with this id has another account key: correct one or leave out the id',
    ]);
}

/** Throws `LineFault` if a line before is about the same account. */
function noteLine(
  seen: Seen,
  { index, accountId }: { readonly index: string | undefined; readonly accountId: string | undefined },
  words: string,
): void {
  const marks = [index, accountId].filter((mark) => mark !== undefined);
  const known = marks.find((mark) => seen.has(mark));
  if (known !== undefined)
    throw new LineFault([
      `line ${seen.get(known) ?? ''} ${known === index ? 'has the same account key' : 'is about the same account'}`,
    ]);
  for (const mark of marks) seen.set(mark, words);
}

type WithoutLine<Verdict> = Verdict extends unknown ? Omit<Verdict, 'line' | 'warnings'> : never;
type Deed = WithoutLine<Exclude<LineVerdict, { verdict: 'faulty' }>> & {
  /** Undefined if a dry run would add it. */
  readonly accountId: string | undefined;
  readonly isClosed: boolean;
};

const isClosedIn = (stage: string | undefined): boolean => stage?.trim().toLowerCase() === 'closed';

function closedWarnings({ cells }: ImportLine, { verdict, isClosed }: Deed): readonly string[] {
  if (!isClosedIn(cells.stage)) return [];
  if (!isClosed) return ['the list says that it is closed, and here it is not'];
  return verdict === 'new' ? ['added as closed, as the list says'] : [];
}

/** Reports all faults of a line at once. */
function readLine({ cells, fault }: ImportLine, applications: readonly string[]): Reading {
  if (fault !== undefined) throw new LineFault([fault]);
  const { name, product, application, accountKey, apiKey, id, stage, origin, ...details } = cells;
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
    // PostgreSQL takes no text with this character.
    ...faultIf(id?.includes('\0') === true, 'the id contains the character U+0000'),
  ];
  if (faults.length > 0) throw new LineFault(faults);
  return {
    accountKey: accountKey === undefined ? undefined : new Secret(accountKey),
    id,
    isClosed: isClosedIn(stage),
    isIssued: origin?.trim().toLowerCase() === 'issued',
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
