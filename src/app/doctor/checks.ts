import type { Settings } from '../settings/model.ts';
import { databaseChecks } from './database.ts';
import { mailDomainChecks } from './mail-domain.ts';
import type { Check } from './model.ts';
import { missingChecks } from './missing.ts';
import { publicChecks } from './public-address.ts';
import { settingsCheck } from './safe-settings.ts';
import { judgeMapping } from './startable.ts';
import { surroundingChecks } from './surroundings.ts';

/** All checks of `causeway doctor --production` for these settings, in the order of its rows. */
export const checksOf = (settings: Settings): readonly Check[] => [
  ...missingChecks(settings),
  ...publicChecks(settings),
  { what: 'mappings', examine: () => judgeMapping(settings) },
  ...surroundingChecks(settings),
  ...databaseChecks(settings),
  ...mailDomainChecks(settings),
  settingsCheck,
];
