import { configurationDocument, environmentExample } from './configuration.ts';
import { assumptionsDocument, mappingSchema, methodsDocument, v2Schema } from './mapping.ts';
import { sandboxOperations } from './sandbox/operations-page.ts';
import { statusReportJsonSchema } from './status.ts';
import type { Generator } from './generator.ts';

/** Every generated file; `npm run docs` writes them, `npm run check` compares them. */
export const generators: readonly Generator[] = [
  configurationDocument,
  environmentExample,
  methodsDocument,
  assumptionsDocument,
  mappingSchema,
  v2Schema,
  statusReportJsonSchema,
  sandboxOperations,
];
