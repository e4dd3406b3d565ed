import type { Files } from '../records/files.ts';
import { isoDate, isoDateTime } from '../xml/values.ts';
import type { Book, Identity } from './book.ts';
import { millis, textsOf } from './forms.ts';
import type { SeedDocument, SeedNote } from './schema.ts';

/** A record of the seed that others belong to. */
export interface Owner {
  readonly identity: Identity;
}

/** What belongs to the records, each with its owner. */
export const owned = <O extends Owner, T extends object>(
  owners: readonly O[],
  of: (owner: O) => readonly T[] | undefined,
): readonly (T & { readonly owner: string })[] =>
  owners.flatMap((owner) => (of(owner) ?? []).map((one) => ({ ...one, owner: owner.identity.uuid })));

interface WithNotes extends Owner {
  readonly notes?: readonly SeedNote[] | undefined;
}

export async function seedNotes(book: Book, owners: readonly WithNotes[], now: number): Promise<void> {
  const given = owned(owners, ({ notes: all }) => all);
  const notes = await book.identify('note', given, ({ title }) => title);
  await book.write(
    'note',
    notes.map((note) => ({
      ...note.identity,
      name: note.title,
      owner: note.owner,
      fields: {
        ...textsOf(note, ['text', 'folder', 'createdBy']),
        date: isoDateTime(millis(note.date) ?? now),
      },
    })),
  );
  const comments = await book.identify(
    'comment',
    owned(notes, (note) => note.comments),
    () => '',
  );
  await book.write(
    'comment',
    comments.map((comment) => ({
      ...comment.identity,
      name: '',
      owner: comment.owner,
      fields: {
        ...textsOf(comment, ['text', 'createdBy']),
        date: isoDateTime(millis(comment.date) ?? now),
      },
    })),
  );
}

interface WithDocuments extends Owner {
  readonly documents?: readonly SeedDocument[] | undefined;
}

export async function seedDocuments(
  book: Book,
  files: Files,
  organisationId: string,
  owners: readonly WithDocuments[],
  now: number,
): Promise<void> {
  const given = owned(owners, ({ documents }) => documents);
  for (const document of await book.identify('document', given, ({ title }) => title)) {
    const content = Buffer.from(document.content, 'base64');
    const file = await files.add(organisationId, { name: document.fileName, content });
    const fields = {
      ...textsOf(document, ['text', 'folder', 'createdBy', 'fileName']),
      date: document.date ?? isoDate(now),
      file,
    };
    await book.write('document', [
      { ...document.identity, name: document.title, owner: document.owner, fields },
    ]);
  }
}
