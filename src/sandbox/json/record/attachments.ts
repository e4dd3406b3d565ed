/**
 * Notes and documents as their owning records show them. Clients, jobs, suppliers, quotes and invoices each
 * have their own names for author, folder and text; the differing rows are listed here. File sizes are read
 * for all documents of a page at once.
 */
import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { documentRows } from '../../tables/clients/document.ts';
import { noteRows } from '../../tables/clients/note.ts';
import { column, type ColumnsOf, loaded, ownedColumn, timeColumns, uuidColumn } from './columns.ts';
import { phaseUuidOrNull } from './phases.ts';
import { renamedColumns } from './record.ts';
import { authorsOf, staffRef, type StaffRef } from './refs.ts';
import { count, dayOf, dayOrNull, idOrNull, joinedName, orNull, text, textOrNull } from './values.ts';

type Written = 'note' | 'comment' | 'document';

/** Authors are stored by name. */
const byAuthor = <T>(schema: z.ZodType<T>, value: (author: StaffRef | null) => T) =>
  loaded<Written, T>(schema, async (call) => {
    const author = await authorsOf(call);
    return ({ fields }) => value(author(fields.createdBy));
  });

/** The author. */
export const author = byAuthor(staffRef.nullable(), (of) => of);
const authorUUID = byAuthor(idOrNull, (of) => of?.uuid ?? null);
const authorNames = (prefix: string): ColumnsOf<Written> => ({
  [`${prefix}FirstName`]: byAuthor(textOrNull, (of) => of?.firstName ?? null),
  [`${prefix}LastName`]: byAuthor(textOrNull, (of) => of?.lastName ?? null),
});

const comments = ownedColumn('comment', {
  comment: column(text, ({ fields }) => fields.text),
  createdBy: author,
  ...timeColumns,
});

const folderPhase = column<StoredRecord<'note' | 'document'>, string | null>(textOrNull, ({ fields }) =>
  orNull(fields.folder),
);
const folderText: ColumnsOf<'note' | 'document'> = { phase: folderPhase };
/** The phase of the job that a note or document belongs to. */
export const folderUUID: ColumnsOf<'note' | 'document'> = {
  phaseUUID: column(idOrNull, ({ owner = '', fields }) => phaseUuidOrNull(owner, fields.folder)),
};

const noteDay = column<StoredRecord<'note'>, string | null>(dayOrNull, ({ fields }) => dayOf(fields.date));

const clientNote: ColumnsOf<'note'> = {
  uuid: uuidColumn,
  ...renamedColumns(noteRows, { title: 'name', description: 'text' }),
  date: noteDay,
  ...folderText,
  ...timeColumns,
};

const bareNote: ColumnsOf<'note'> = {
  uuid: uuidColumn,
  title: column(textOrNull, ({ name }) => orNull(name)),
  description: column(text, ({ fields }) => fields.text),
  date: noteDay,
  ...timeColumns,
};

/** A note of a task has no phase of its own. */
export const taskNote: ColumnsOf<'note'> = { ...bareNote, createdBy: author, comments };
export const jobNote: ColumnsOf<'note'> = { ...bareNote, ...folderUUID, createdBy: author };

/** What all forms of a document share; each spells the uploader differently. */
export const document: ColumnsOf<'document'> = {
  uuid: uuidColumn,
  ...renamedColumns(documentRows, { title: 'name' }),
  fileName: column(text, ({ fields }) => fields.fileName),
  // The size of the stored file.
  fileSize: loaded(count, async (call, documents) => {
    const files = documents.map(({ fields }) => fields.file);
    const sizes = await call.files.sizes(call.records.organisationId, files);
    return ({ fields }) => sizes.get(fields.file) ?? 0;
  }),
  ...renamedColumns(documentRows, { note: 'text' }),
  // A link that gives access to the file without a token.
  downloadURL: loaded(z.url(), async (call, documents) => {
    const files = documents.map(({ fields }) => fields.file);
    const tokens = await call.files.tokens(call.records.organisationId, files);
    return ({ fields }) => `${call.publicUrl}/v2/files/${tokens.get(fields.file) ?? ''}`;
  }),
  ...timeColumns,
};

/** The attachments in a list of their owners, and in a single owner. */
export const clientAttachments = {
  list: {
    notes: ownedColumn('note', { ...clientNote, ...authorNames('createdBy') }),
    documents: ownedColumn('document', {
      ...document,
      ...folderText,
      ...authorNames('uploadedBy'),
    }),
  },
  detail: {
    notes: ownedColumn('note', { ...clientNote, createdBy: author, comments }),
    documents: ownedColumn('document', {
      ...document,
      ...folderText,
      uploadedBy: author,
    }),
  },
};

export const jobAttachments = {
  list: {
    notes: ownedColumn('note', { ...bareNote, ...folderUUID, createdByUUID: authorUUID }),
    documents: ownedColumn('document', {
      ...document,
      ...folderUUID,
      uploadedByUUID: authorUUID,
    }),
  },
  detail: {
    notes: ownedColumn('note', { ...jobNote, comments }),
    documents: ownedColumn('document', { ...document, ...folderUUID, uploadedBy: author }),
  },
};

/**
 * The attachments of a quote, an order or a supplier, in a list and alone. `phase`: the document's key for
 * its folder.
 */
export const attachmentsOf = (phase = 'phase') => {
  const placed: ColumnsOf<'document'> = { ...document, [phase]: folderPhase };
  return {
    list: {
      notes: ownedColumn('note', { ...clientNote, createdByUUID: authorUUID }),
      documents: ownedColumn('document', { ...placed, uploadedByUUID: authorUUID }),
    },
    detail: {
      notes: ownedColumn('note', { ...clientNote, createdBy: author, comments }),
      documents: ownedColumn('document', { ...placed, uploadedBy: author }),
    },
  };
};

/** A note on its own, and as part of an invoice. */
export const noteAlone: ColumnsOf<'note'> = { ...clientNote, createdBy: author };

export const invoiceNotes = {
  list: { notes: ownedColumn('note', { ...clientNote, createdByUUID: authorUUID }) },
  detail: { notes: ownedColumn('note', noteAlone) },
};

/** Notes of a supplier say `note` where all others say `description`, and have no date. */
const supplierNote: ColumnsOf<'note'> = {
  uuid: uuidColumn,
  ...renamedColumns(noteRows, { title: 'name', note: 'text' }),
  ...folderText,
  ...timeColumns,
};
const detailedNotes = ownedColumn('note', {
  ...supplierNote,
  createdBy: author,
  comments,
});
const nameOf = byAuthor(textOrNull, (of) => of && joinedName(of.firstName, of.lastName));
const documentsBy = (uploadedBy: ColumnsOf<'document'>[string]) =>
  ownedColumn('document', { ...document, ...folderText, uploadedBy });

export const supplierAttachments = {
  list: {
    notes: ownedColumn('note', { ...supplierNote, createdByUUID: authorUUID }),
    documents: documentsBy(nameOf),
  },
  detail: { notes: detailedNotes, documents: documentsBy(author) },
  saved: { notes: detailedNotes, documents: documentsBy(nameOf) },
};
