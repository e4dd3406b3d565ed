import { Resolver } from 'node:dns/promises';
import { examine } from '../../../src/app/doctor/examine.ts';
import type { Check, Finding, Situation } from '../../../src/app/doctor/model.ts';
import type { Settings } from '../../../src/app/settings/model.ts';
import { readSettings } from '../../../src/app/settings/settings.ts';
import { newKeyLine } from '../../../src/tokens/sealing/keyring.ts';

type Environment = Readonly<Record<string, string>>;

const key = newKeyLine();

export const settingsOf = (env: Environment): Settings =>
  readSettings({ env: { CAUSEWAY_ENCRYPTION_KEYS: key, ...env } });

/** What the checks for these settings find, the clock being right and DNS this machine's unless said. */
export function found(
  checks: (settings: Settings) => readonly Check[],
  env: Environment,
  given: Partial<Situation> = {},
): Promise<readonly Finding[]> {
  const settings = settingsOf(env);
  return examine(checks(settings), {
    settings,
    env,
    now: () => Date.now(),
    resolver: new Resolver(),
    ca: undefined,
    dkimSelector: undefined,
    ...given,
  });
}

/** State and reason of the rows whose name begins so. */
export const rows = (findings: readonly Finding[], what: string): readonly string[] =>
  findings.filter((one) => one.what.startsWith(what)).map(({ state, why }) => `${state}: ${why}`);
