import type { Files } from '../records/files.ts';
import { documentRows } from '../tables/clients/document.ts';
import { commentRows, noteRows } from '../tables/clients/note.ts';
import { isoDate } from '../tables/values.ts';
import type { Identity } from './id-book.ts';
import type { SeedTable } from './table.ts';

export const notes: SeedTable = {
  kind: 'note',
  rows: noteRows,
  owns: { comments: { kind: 'comment', rows: commentRows } },
};

export const documents = (files: Files, organisationId: string): SeedTable => ({
  kind: 'document',
  rows: documentRows,
  further: async ({ date, fileName, content }, { now }) => {
    const bytes = Buffer.from(String(content), 'base64');
    const file = await files.add(organisationId, { name: String(fileName), content: bytes });
    return { fields: { date: date ?? isoDate(now), file } };
  },
});

/** What belongs to the records, each with its owner. */
export const owned = <O extends { readonly identity: Identity }, T extends object>(
  owners: readonly O[],
  of: (owner: O) => readonly T[] | undefined,
): readonly (T & { readonly owner: string })[] =>
  owners.flatMap((owner) => (of(owner) ?? []).map((one) => ({ ...one, owner: owner.identity.uuid })));
