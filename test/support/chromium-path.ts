import { accessSync, constants } from 'node:fs';
import { delimiter, join } from 'node:path';

const programs = ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'];

/**
 * `CAUSEWAY_TEST_CHROMIUM`, or the first Chromium on the PATH; undefined where there is none. An empty variable means
 * none either: that is how `npm test -- --quick` keeps a browser away.
 */
export function chromiumPath(env: NodeJS.ProcessEnv = process.env): string | undefined {
  const given = env.CAUSEWAY_TEST_CHROMIUM;
  if (given !== undefined) return given === '' ? undefined : given;
  return (env.PATH ?? '')
    .split(delimiter)
    .flatMap((folder) => programs.map((program) => join(folder, program)))
    .find(isProgram);
}

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK);
    return true;
  } catch {
    return false;
  }
}
