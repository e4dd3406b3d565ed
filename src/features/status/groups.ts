import type { Narrowing } from './report/filter-text.ts';

/** A saved filter with a name: the group holds the accounts that match at the time. */
export interface AccountGroup {
  readonly name: string;
  readonly filter: Narrowing;
  readonly savedAt: number;
  readonly savedBy: string;
}

/** Stores the groups of accounts that operators save. */
export interface GroupRepository {
  /** Sorted by name. */
  list(): Promise<readonly AccountGroup[]>;
  find(name: string): Promise<AccountGroup | undefined>;
  /** Replaces a group of the same name. */
  save(group: AccountGroup): Promise<void>;
  /** Returns whether the group existed. */
  remove(name: string): Promise<boolean>;
}

/** No group has this name. */
export class UnknownGroup extends Error {
  constructor(name: string) {
    super(`there is no group ${name}`);
    this.name = 'UnknownGroup';
  }
}
