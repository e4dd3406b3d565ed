import type { Engine } from '../../db/engine.ts';
import type { GroupRepository } from '../status/groups.ts';
import { StoredGroups } from '../status/sql/groups.ts';

/** What operators leave in the database for themselves. */
export interface ConsoleStore {
  readonly groups: GroupRepository;
}

/** On one database. */
export const consoleOn = (engine: Engine): ConsoleStore => ({ groups: new StoredGroups(engine) });
