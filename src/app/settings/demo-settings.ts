import { readFileSync } from 'node:fs';
import { ownership } from '../../db/ownership.ts';
import { readEnvironment } from '../../lib/environment-file.ts';
import { demoPlace } from './demo-place.ts';

/** What starts a demo elsewhere is often exported, and so stands in the next command's environment too. */
const ofTheDemo: readonly string[] = ['CAUSEWAY_DATABASE_URL', 'CAUSEWAY_PORT', 'CAUSEWAY_METRICS_PORT'];

const isSetting = (name: string): boolean => /^CAUSEWAY_(?!TEST_)/.test(name) && !ofTheDemo.includes(name);

/**
 * The environment of the demo, for a tool that was given no setting (or none but those that move a demo): what its
 * `causeway.env` says, and that only beside a database that is marked as the demo's. Otherwise what was given.
 */
export async function withDemoSettings(env: NodeJS.ProcessEnv): Promise<NodeJS.ProcessEnv> {
  const given = Object.keys(env).filter((name) => isSetting(name) && env[name] !== '');
  if (given.length > 0) return env;
  const named = env.CAUSEWAY_DATABASE_URL === '' ? undefined : env.CAUSEWAY_DATABASE_URL;
  const { environmentFile } = demoPlace(named);
  const left = readEnvironment(textOf(environmentFile));
  const database = left.CAUSEWAY_DATABASE_URL;
  if (database === undefined || (named ?? database) !== database) return env;
  return (await ownership(database)) === 'demo' ? { ...env, ...left } : env;
}

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
