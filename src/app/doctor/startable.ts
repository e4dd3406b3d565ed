/** The checks of what would end the start of a bridge, or keep a running one from renewing tokens. */
import type { Engine } from '../../db/engine.ts';
import { missingSteps } from '../../db/migrate.ts';
import { migrations } from '../../db/migrations/index.ts';
import { StoredSettings } from '../../db/settings.ts';
import { counted } from '../../lib/text/counted.ts';
import { loadMapping } from '../../mapping/compile/compile.ts';
import { MappingFaults } from '../../mapping/compile/fault.ts';
import { skipNumbers } from '../../mapping/crosswalk/skipped-numbers.ts';
import { doubtOf } from '../../tokens/deployment/deployment.ts';
import { StoredDeployment } from '../../tokens/deployment/deployment-repository.ts';
import { KeyRing } from '../../tokens/sealing/keyring.ts';
import { StoredSealed } from '../../tokens/sealing/sealed-values.ts';
import { openEngine } from '../migration.ts';
import { fileOf } from '../open-database.ts';
import type { Settings } from '../settings/model.ts';
import { keyOfAnother, lackingKeys, WrongKeys } from '../wiring/key-check.ts';
import { routed } from '../wiring/routed.ts';
import { failed, ok, unknown, warning, type Verdict } from './model.ts';

/** The mapping files, compiled as at the start. */
export function judgeMapping({ mappings, profile, routes }: Settings): Verdict {
  try {
    const { methods } = routed(loadMapping(mappings, profile.v3.identifiers), routes);
    return ok(`${counted(methods.length, 'method')} of ${mappings}`);
  } catch (error) {
    if (!(error instanceof MappingFaults)) throw error;
    return failed(error.message, 'correct them: causeway mappings check');
  }
}

/** Whether the keys open what is sealed in the database. */
export const judgeKeys = (engine: Engine, keys: Settings['encryptionKeys']): Promise<Verdict> =>
  ifPresent(engine, async () => {
    const sealing = { settings: new StoredSettings(engine), sealed: new StoredSealed(engine) };
    const lacking = await lackingKeys(sealing, KeyRing.parse(keys));
    return lacking.length === 0
      ? ok('they open everything in the database')
      : failed(new WrongKeys(lacking).message, 'add them to CAUSEWAY_ENCRYPTION_KEYS (docs/secure/keys.md)');
  });

/** With an older schema, only the value that every database contains can be read. Throws `WrongKeys`. */
export async function checkKeysBeforeMigration({ database, encryptionKeys }: Settings): Promise<void> {
  const engine = await openEngine(database.reveal());
  try {
    const lacking = await keyOfAnother(new StoredSettings(engine), KeyRing.parse(encryptionKeys));
    if (lacking !== undefined) throw new WrongKeys([lacking]);
  } finally {
    await engine.db.destroy();
  }
}

/** Whether this database is the one whose tokens may be renewed. */
export const judgeDeployment = (engine: Engine, { database, deploymentFile }: Settings): Promise<Verdict> =>
  ifPresent(engine, async () => {
    const file = fileOf(database.reveal(), deploymentFile);
    const view = await new StoredDeployment(engine, file, skipNumbers).look();
    const doubt = doubtOf(view);
    if (doubt !== undefined)
      return failed(`no token is renewed: ${doubt.words}`, 'see causeway deployment show');
    return view.withheld === 0
      ? ok('tokens are renewed')
      : warning(`${counted(view.withheld, 'consent')} withheld`, 'see causeway deployment show');
  });

/** With an older schema, the tables may not be there yet. */
async function ifPresent(engine: Engine, judge: () => Promise<Verdict>): Promise<Verdict> {
  const { version, steps } = await missingSteps(engine, migrations);
  if (steps.length === 0) return judge();
  const why = version === 0 ? 'there is no database yet' : `its schema is ${version}, an older one`;
  return unknown(why, 'start the bridge, then run doctor again');
}
