/**
 * What the executable runs: the command line, and, when `causeway start` replaces its own process by the bridge, the
 * bridge. The bundler takes both as `scripts/pack.ts` wrote them.
 */
import { EMBEDDED, openEmbeddedFolder } from './embedded-folder.ts';

openEmbeddedFolder();

const isBridge = process.argv[2] === `${EMBEDDED}/src/launch.js`;
// Loaded only now, because the modules read their files while they are loaded.
if (isBridge) void import('../../src/main.ts');
else void import('../../src/cli/main.ts');
