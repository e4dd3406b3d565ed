import { z } from 'zod';
import { documentRows } from '../../tables/clients/document.ts';
import { commentRows, noteRows } from '../../tables/clients/note.ts';
import { isoDate } from '../../tables/values.ts';
import type { SeedTable } from '../table.ts';
import { name } from '../values.ts';

/** Notes of a record, each with its comments. */
export const notes = {
  kind: 'note',
  rows: noteRows,
  owns: { comments: { kind: 'comment', rows: commentRows } },
} as const satisfies SeedTable;

/** Documents of a record. `content`: base64. */
export const documents = {
  kind: 'document',
  rows: documentRows,
  takes: { fileName: name, content: z.base64() },
  further: async ({ date, fileName, content }, writer) => {
    const bytes = Buffer.from(String(content), 'base64');
    const file = await writer.addFile({ name: String(fileName), content: bytes });
    return { fields: { date: date ?? isoDate(writer.now), file } };
  },
} as const satisfies SeedTable;
