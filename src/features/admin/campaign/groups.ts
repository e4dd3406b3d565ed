import type { AccountGroup, GroupRepository } from '../../status/groups.ts';
import { filterIn, filterText, unknownIn, type Narrowing } from '../../status/report/filter-text.ts';
import { auditDeed, type AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

export interface AdminGroupsParts extends AuditParts {
  readonly groups: GroupRepository;
}

/** The form of the names of groups and waves, which appear in addresses and in commands. */
export const nameForm = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u;

/** The filters of a query string. Throws `AdminRefusal` unusable if it has another part. */
export function filterOf(query: URLSearchParams): Narrowing {
  const unknown = unknownIn(query);
  if (unknown !== undefined) throw new AdminRefusal('unusable', `there is no filter ${unknown}`);
  return filterIn(query);
}

/**
 * Groups of accounts that operators save under a name, for console, API and command line alike.
 *
 * A group holds filters, not accounts: the accounts that match at the time belong to it. So a group "ready to invite"
 * fills while numbers are read, without any upkeep.
 */
export class AdminGroups {
  readonly #parts: AdminGroupsParts;

  constructor(parts: AdminGroupsParts) {
    this.#parts = parts;
  }

  /** Sorted by name. */
  list(): Promise<readonly AccountGroup[]> {
    return this.#parts.groups.list();
  }

  /** The filters that a group of this name would hold. Throws `AdminRefusal` unusable. */
  checked(name: string, given: Narrowing | string): Narrowing {
    const filter = typeof given === 'string' ? filterOf(new URLSearchParams(given)) : given;
    if (!nameForm.test(name))
      throw new AdminRefusal(
        'unusable',
        'the name of a group must be 1 to 60 letters, digits, spaces or .-_',
      );
    if (filterText(filter) === '') throw new AdminRefusal('unusable', 'a group needs at least one filter');
    return filter;
  }

  /** Replaces a group of the same name. Throws `AdminRefusal` unusable. */
  async save(name: string, given: Narrowing | string, who: string): Promise<AccountGroup> {
    const { groups, clock } = this.#parts;
    const group = { name, filter: this.checked(name, given), savedAt: clock.now(), savedBy: who };
    await groups.save(group);
    await auditDeed(this.#parts, {
      who,
      action: 'groups.save',
      detail: `${name}: ${filterText(group.filter)}`,
    });
    return group;
  }

  /** Its accounts stay as they are. Throws `AdminRefusal` unknown. */
  async remove(name: string, who: string): Promise<void> {
    if (!(await this.#parts.groups.remove(name)))
      throw new AdminRefusal('unknown', `there is no group ${name}`);
    await auditDeed(this.#parts, { who, action: 'groups.remove', detail: name });
  }
}
