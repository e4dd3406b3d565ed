import { configurationDocument, environmentExample } from './configuration.ts';
import type { Generator } from './generator.ts';

/** Every generated file; `npm run docs` writes them, `npm run check` compares them. */
export const generators: readonly Generator[] = [configurationDocument, environmentExample];
