import { z } from 'zod';
import type { StoredRecord } from '../records/kinds.ts';
import type { JsonCall } from './call.ts';
import { type StaffRef, authorsOf } from './refs.ts';
import { count, id, orNull, text, textOrNull, times, timesOf } from './values.ts';

/** What every form of a document says; the phase and the uploader are spelled differently from place to place. */
export const documentCommon = {
  uuid: id,
  title: text,
  fileName: text,
  fileSize: count,
  note: textOrNull,
  downloadURL: z.url(),
  ...times,
};

export interface ShownDocument {
  readonly common: z.infer<z.ZodObject<typeof documentCommon>>;
  readonly folder: string;
  readonly uploadedBy: StaffRef | null;
}

/** Sizes are those of the files themselves; a link is a key to its file and needs no token. */
export async function documentsShown(
  call: JsonCall,
  documents: readonly StoredRecord<'document'>[],
): Promise<readonly ShownDocument[]> {
  const files = documents.map(({ fields }) => fields.file);
  const sizes = await sizesOf(call, files);
  const tokens = await call.files.tokens(call.records.organisationId, files);
  const author = await authorsOf(call);
  return documents.map((document) => {
    const { fields } = document;
    return {
      common: {
        uuid: document.uuid,
        title: document.name,
        fileName: fields.fileName,
        fileSize: sizes.get(fields.file) ?? 0,
        note: orNull(fields.text),
        downloadURL: `${call.publicUrl}/v2/files/${tokens.get(fields.file) ?? ''}`,
        ...timesOf(document),
      },
      folder: fields.folder,
      uploadedBy: author(fields.createdBy),
    };
  });
}

async function sizesOf(call: JsonCall, files: readonly string[]): Promise<ReadonlyMap<string, number>> {
  if (files.length === 0) return new Map();
  const rows = await call.db
    .selectFrom('record_files')
    .select((select) => ['uuid', select.fn<number>('length', ['content']).as('size')])
    .where('organisation_id', '=', call.records.organisationId)
    .where('uuid', 'in', files)
    .execute();
  return new Map(rows.map(({ uuid, size }) => [uuid, size]));
}
