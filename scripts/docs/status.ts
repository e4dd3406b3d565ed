import { z } from 'zod';
import { boardSchema } from '../../src/features/status/model.ts';
import type { Generator } from './generator.ts';

export const boardJsonSchema: Generator = {
  path: 'docs/migration-status.schema.json',
  write: () =>
    `${JSON.stringify({ title: 'Where the migration stands', ...z.toJSONSchema(boardSchema) }, null, 2)}\n`,
};
