import { z } from 'zod';
import { accountColumnNames } from '../../../../features/accounts/import/columns.ts';
import type { LineVerdict } from '../../../../features/accounts/import/import.ts';
import { endpoint, type Endpoint } from '../../endpoint.ts';
import { count, orNull } from '../../shapes.ts';

/** Null and lists, as in an export. */
const cellSchema = z.union([z.string(), z.null(), z.array(z.string()).transform((texts) => texts.join(' '))]);

const lineSchema = z.partialRecord(z.enum(accountColumnNames as [string, ...string[]]), cellSchema);

const verdictSchema = z.strictObject({
  line: count.describe('From 1, as they were sent'),
  verdict: z.enum(['new', 'same', 'changed', 'faulty']),
  name: z.string().nullable(),
  fields: z.array(z.string()).describe('What changed'),
  changes: z
    .array(z.strictObject({ field: z.string(), from: z.string().nullable(), to: z.string().nullable() }))
    .describe('Old and new values; keys are left out'),
  faults: z.array(z.string()),
  warnings: z.array(z.string()).describe('What should be checked, although the line was imported'),
});

const verdictOf = (verdict: LineVerdict): z.infer<typeof verdictSchema> => ({
  line: verdict.line,
  verdict: verdict.verdict,
  name: verdict.verdict === 'faulty' ? null : verdict.name,
  fields: verdict.verdict === 'changed' ? [...verdict.fields] : [],
  changes:
    verdict.verdict === 'changed'
      ? verdict.changes.map(({ field, from, to }) => ({ field, from: orNull(from), to: orNull(to) }))
      : [],
  faults: verdict.verdict === 'faulty' ? [...verdict.faults] : [],
  warnings: verdict.verdict === 'faulty' ? [] : [...verdict.warnings],
});

const MOST_LINES = 10_000;

const importAll = endpoint({
  id: 'importAccounts',
  verb: 'POST',
  path: '/accounts/import',
  area: 'Accounts',
  summary: 'Imports a list of accounts: adds new ones and updates known ones',
  notes:
    'Lines are independent: a faulty line does not affect the others. An account is identified by its account key or its id.',
  scope: 'operate',
  longest: 8 * 1024 * 1024,
  body: {
    name: 'AccountImport',
    schema: z.strictObject({
      accounts: z.array(lineSchema).max(MOST_LINES),
      dryRun: z.boolean().default(false).describe('Only say what would happen'),
    }),
  },
  reply: { name: 'AccountImportResult', schema: z.strictObject({ lines: z.array(verdictSchema) }) },
  async handle({ admin, who, body: { accounts, dryRun } }) {
    const lines = accounts.map((cells, index) => ({ line: index + 1, cells: withoutEmpty(cells) }));
    return { lines: (await admin.accounts.import(lines, dryRun, who)).map(verdictOf) };
  },
});

/** An empty cell keeps the stored value, as in a file. */
const withoutEmpty = (cells: Readonly<Record<string, string | null | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(cells).flatMap(([name, cell]) => (cell ? [[name, cell]] : [])));

export const accountImportOperations: readonly Endpoint[] = [importAll];
