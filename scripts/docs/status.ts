import { z } from 'zod';
import { statusReportSchema } from '../../src/features/status/model.ts';
import type { Generator } from './generator.ts';

export const statusReportJsonSchema: Generator = {
  path: 'docs/reference/migration-status.schema.json',
  write: () =>
    `${JSON.stringify({ title: 'Where the migration stands', ...z.toJSONSchema(statusReportSchema) }, null, 2)}\n`,
};
