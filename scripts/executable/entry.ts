/**
 * The entry point of the executable: the command line; the bridge, when `causeway start` replaces its own process by
 * it; or the process in which accounts are rehearsed. The bundler takes all three in the form written by
 * `scripts/pack.ts`.
 */
import { EMBEDDED, openEmbeddedFolder } from './embedded-folder.ts';

openEmbeddedFolder();

const isLaunched = process.argv[2] === `${EMBEDDED}/src/launch.js`;
// Loaded only now, because the modules read files while they are loaded.
if (isLaunched && process.argv[3] === 'replay/main.ts') void import('../../src/replay/main.ts');
else if (isLaunched) void import('../../src/main.ts');
else void import('../../src/cli/main.ts');
