import type { Account } from '../account.ts';

interface Bearer {
  readonly accountId: string | undefined;
  /** Line of the list that has the name, if any. */
  readonly line: number | undefined;
}

/** The names of accounts. Two accounts may share one, but commands and people identify accounts by name. */
export class Names {
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
