import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ClientLanguage } from './client-model.ts';
import type { GoldenFile } from '../rehearsal/order.ts';

/**
 * Modules of this project, below `src/`, that a TypeScript client includes unchanged, so that it treats
 * values as the bridge does. They import only each other. `scripts/pack.ts` keeps their source in the
 * package.
 */
export const sharedSources = [
  'lib/text/uuid.ts',
  'mapping/amount-formats.ts',
  'mapping/compile/generic/template.ts',
  'mapping/compile/path.ts',
  'mapping/format.ts',
  'mapping/formats.ts',
  'mapping/numbers.ts',
  'proof/client/client-tables.ts',
  'proof/client/plain-xml.ts',
  'proof/client/recorded-case.ts',
  'proof/rehearsal/golden-format.ts',
  'proxy/translate/json/exact-number.ts',
  'proxy/translate/template-values.ts',
] as const;

const source = join(import.meta.dirname, '..', '..');
const assets = join(import.meta.dirname, 'assets');

/** In a client the shared modules are beside those of the runtime. */
const placed = (text: string): string => text.replaceAll("'../../../../../", "'../shared/");

/** The files that are the same in every client of a language, with their paths in it. */
export const fixedFiles = (language: ClientLanguage): readonly GoldenFile[] =>
  ['runtime', 'testing'].flatMap((folder) =>
    readdirSync(join(assets, language, folder))
      .toSorted()
      .map((name) => ({
        path: `${folder}/${name}`,
        content: placed(readFileSync(join(assets, language, folder, name), 'utf8')),
      })),
  );

/** Below `shared/`, as in `src/`. */
export const sharedFiles = (): readonly GoldenFile[] =>
  sharedSources.map((path) => ({
    path: `shared/${path}`,
    content: readFileSync(join(source, path), 'utf8'),
  }));
