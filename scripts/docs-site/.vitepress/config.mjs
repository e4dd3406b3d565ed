import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

// VitePress looks for its configuration here and bundles it; Node itself loads ../config.ts. npm run docs:site runs in
// the project folder.
const file = pathToFileURL(join(process.cwd(), 'scripts', 'docs-site', 'config.ts'));
const { default: config } = await import(file.href);
export default config;
