import type { Engine } from '../../db/engine.ts';
import type { GroupRepository } from '../status/groups.ts';
import type { ResultRepository } from './results.ts';
import { StoredResults } from './sql/results.ts';
import type { TextRepository } from '../texts/changed/changes.ts';
import { StoredTexts } from '../texts/changed/stored-texts.ts';
import { StoredGroups } from '../status/sql/groups.ts';

/** What operators leave in the database for themselves. */
export interface ConsoleStore {
  readonly groups: GroupRepository;
  readonly results: ResultRepository;
  readonly texts: TextRepository;
}

/** On one database. */
export const consoleOn = (engine: Engine): ConsoleStore => ({
  groups: new StoredGroups(engine),
  results: new StoredResults(engine),
  texts: new StoredTexts(engine),
});
