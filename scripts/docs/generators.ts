import { commandsDocument } from './commands.ts';
import { metricsDocument } from './metrics.ts';
import { configurationDocument, environmentExample } from './configuration.ts';
import { logSchema } from './log-schema.ts';
import { assumptionsDocument, mappingSchema, v2Schema } from './mapping.ts';
import { familyDocuments, methodsDocument } from './methods.ts';
import { sandboxOperations } from './sandbox/operations-page.ts';
import { statusReportJsonSchema } from './status.ts';
import { troubleshootDocuments } from './troubleshoot/pages.ts';
import type { Generator } from './generator.ts';

/** Every generated file; `npm run docs` writes them, `npm run check` compares them. */
export const generators: readonly Generator[] = [
  configurationDocument,
  environmentExample,
  methodsDocument,
  ...familyDocuments,
  assumptionsDocument,
  mappingSchema,
  v2Schema,
  statusReportJsonSchema,
  logSchema,
  sandboxOperations,
  ...troubleshootDocuments,
  commandsDocument,
  metricsDocument,
];
