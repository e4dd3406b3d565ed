import { readFileSync } from 'node:fs';
import { FileLock } from '../../db/file-lock.ts';
import { ownership } from '../../db/ownership.ts';
import { readEnvironment } from '../../lib/environment-file.ts';
import { demoPlace } from './demo-place.ts';

/**
 * These variables, which change the place of a demo, are often exported and so present in the next command's
 * environment too.
 */
const ofTheDemo: readonly string[] = ['CAUSEWAY_DATABASE_URL', 'CAUSEWAY_PORT', 'CAUSEWAY_METRICS_PORT'];

const isSetting = (name: string): boolean => /^CAUSEWAY_(?!TEST_)/.test(name) && !ofTheDemo.includes(name);

/**
 * The demo's environment, for a tool without settings (or only with those that change a demo's place): the content of
 * its `causeway.env`, but only beside a database marked as the demo's. Otherwise the given environment.
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

/** Whether the demo whose settings `withDemoSettings` returned is running. */
export const isDemoRunning = ({ CAUSEWAY_DATABASE_URL: database }: NodeJS.ProcessEnv): boolean =>
  FileLock.isHeld(demoPlace(database === '' ? undefined : database).lockFile);

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
