/**
 * Generates the list of assumptions, and the JSON schemas with which editors check `mappings/*.yaml`: `npm run docs`
 * writes them, `--check` fails if a file differs.
 */
import { join } from 'node:path';
import { z } from 'zod';
import { readMappings } from '../../src/mapping/compile/read.ts';
import { familySchema, type LocalSource, type MethodSource } from '../../src/mapping/compile/schema.ts';
import { v2FileSchema } from '../../src/mapping/compile/v2/v2-file-schema.ts';
import type { Generator } from './generator.ts';

const folder = join(import.meta.dirname, '..', '..', 'mappings');

/** The first line of each page. */
export const GENERATED = '<!-- Generated from mappings/ by `npm run docs`; edit the mapping instead. -->';

/** The assumptions of a method about V3 and V2. */
function assumedOf(method: MethodSource | LocalSource): readonly string[] {
  const v2 =
    'v2' in method && method.v2 !== undefined && 'steps' in method.v2 ? (method.v2.assumed ?? []) : [];
  return [...(method.assumed ?? []), ...v2];
}

export const assumptionsDocument: Generator = {
  path: 'docs/reference/assumptions.md',
  write: () => {
    const files = readMappings(folder);
    const general = [files.identifiers, ...(files.v2 === undefined ? [] : [files.v2])];
    const parts = [...files.families, ...general].flatMap(({ file, source }) => {
      const own = (source.assumed ?? []).map((text) => `- ${text}`);
      const methods = 'methods' in source ? Object.entries(source.methods) : [];
      const perMethod = methods.flatMap(([id, method]) =>
        assumedOf(method).map((text) => `- \`${id}\`: ${text}`),
      );
      const all = [...own, ...perMethod];
      return all.length === 0 ? [] : [`## ${file}`, '', `Source: ${source.source}.`, '', ...all, ''];
    });
    return `${[
      '# Assumptions',
      '',
      GENERATED,
      '',
      'What the specification does not say and the mapping had to assume. Each assumption is data: if your service differs,',
      'point `CAUSEWAY_MAPPINGS` at an edited copy of the folder, or `CAUSEWAY_UPSTREAM_PROFILE` at a profile of your own.',
      '',
      ...parts,
    ]
      .join('\n')
      .trimEnd()}\n`;
  },
};

export const mappingSchema: Generator = {
  path: 'mappings/schema.json',
  write: () => `${JSON.stringify({ title: 'A mapping file', ...z.toJSONSchema(familySchema) }, null, 2)}\n`,
};

export const v2Schema: Generator = {
  path: 'mappings/v2.schema.json',
  write: () => `${JSON.stringify({ title: 'v2.yaml', ...z.toJSONSchema(v2FileSchema) }, null, 2)}\n`,
};
