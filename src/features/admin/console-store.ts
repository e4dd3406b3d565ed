import type { Engine } from '../../db/engine.ts';
import type { GroupRepository } from '../status/groups.ts';
import type { ResultRepository } from './results.ts';
import { StoredResults } from './sql/results.ts';
import type { TextRepository } from '../texts/changed/changes.ts';
import { StoredTexts } from '../texts/changed/stored-texts.ts';
import { StoredGroups } from '../status/sql/groups.ts';

/** The stores of the operators' own data: saved groups, results of forms, changed texts. */
export interface ConsoleStore {
  readonly groups: GroupRepository;
  readonly results: ResultRepository;
  readonly texts: TextRepository;
}

/** The stores on one database. */
export const consoleOn = (engine: Engine): ConsoleStore => ({
  groups: new StoredGroups(engine),
  results: new StoredResults(engine),
  texts: new StoredTexts(engine),
});
