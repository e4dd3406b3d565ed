import type { Narrowing } from './report/filter-text.ts';

/** A filter under a name: it holds whichever accounts meet it at the time. */
export interface AccountGroup {
  readonly name: string;
  readonly filter: Narrowing;
  readonly savedAt: number;
  readonly savedBy: string;
}

/** Stores the groups of accounts that operators have saved. */
export interface GroupRepository {
  /** By name. */
  list(): Promise<readonly AccountGroup[]>;
  find(name: string): Promise<AccountGroup | undefined>;
  /** Replaces one of the same name. */
  save(group: AccountGroup): Promise<void>;
  /** Whether there was one. */
  remove(name: string): Promise<boolean>;
}

/** No group has this name. */
export class UnknownGroup extends Error {
  constructor(name: string) {
    super(`there is no group ${name}`);
    this.name = 'UnknownGroup';
  }
}
