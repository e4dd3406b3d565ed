import type { Clock } from '../../../lib/time/clock.ts';
import type { AccountGroup, GroupRepository } from '../../status/groups.ts';
import { filterText, type Narrowing } from '../../status/report/filter-text.ts';
import type { AuditRepository } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

export interface AdminGroupsParts {
  readonly groups: GroupRepository;
  readonly audit: Pick<AuditRepository, 'write'>;
  readonly clock: Clock;
}

/**
 * Groups of accounts that operators save under a name, for console, API and command line alike.
 *
 * A group holds filters, not accounts: whoever meets them at the time belongs to it. So a group "ready to invite"
 * fills while numbers are read, and nobody has to keep it up to date.
 */
export class AdminGroups {
  readonly #parts: AdminGroupsParts;

  constructor(parts: AdminGroupsParts) {
    this.#parts = parts;
  }

  /** By name. */
  list(): Promise<readonly AccountGroup[]> {
    return this.#parts.groups.list();
  }

  /** Replaces one of the same name. Throws `AdminRefusal` unusable. */
  async save(name: string, filter: Narrowing, who: string): Promise<AccountGroup> {
    const { groups, clock } = this.#parts;
    if (!nameForm.test(name))
      throw new AdminRefusal('unusable', 'the name of a group has 1 to 60 letters, digits, spaces or .-_');
    const query = filterText(filter);
    if (query === '') throw new AdminRefusal('unusable', 'a group needs at least one filter');
    const group = { name, filter, savedAt: clock.now(), savedBy: who };
    await groups.save(group);
    await this.#wrote(who, 'groups.save', `${name}: ${query}`);
    return group;
  }

  /** Its accounts stay as they are. Throws `AdminRefusal` unknown. */
  async remove(name: string, who: string): Promise<void> {
    if (!(await this.#parts.groups.remove(name)))
      throw new AdminRefusal('unknown', `there is no group ${name}`);
    await this.#wrote(who, 'groups.remove', name);
  }

  async #wrote(who: string, action: string, detail: string): Promise<void> {
    const { audit, clock } = this.#parts;
    await audit.write({ at: clock.now(), who, action, accountIds: [], detail });
  }
}

const nameForm = /^[\p{L}\p{N}](?:[\p{L}\p{N} ._-]{0,58}[\p{L}\p{N}])?$/u;
