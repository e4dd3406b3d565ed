import { z } from 'zod';
import { insertDocument } from '../../records/document-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { author, document, folderUUID } from '../record/attachments.ts';
import type { JsonCall } from '../operation/call.ts';
import { always, column, tableOf } from '../record/columns.ts';
import { contentTypeOf } from '../http/content-type.ts';
import { area, areaBeyond } from '../operation/operation.ts';
import { createOwned, listOwned } from '../operation/operations-on.ts';
import { folderAfter } from '../record/phases.ts';
import { invalid } from '../operation/refusal.ts';
import { idOptional, idOrNull, requiredText, text, textIn } from '../record/values.ts';

type Owner = 'purchaseOrder' | 'job' | 'client' | 'supplier' | 'lead';

/** Only a job has phases. */
const tableFor = (kind: Owner) =>
  tableOf('document', 'Document', {
    ...document,
    ...(kind === 'job' ? folderUUID : { phaseUUID: always(idOrNull, null) }),
    uploadedBy: author,
    contentType: column(text, ({ fields }) => fields.contentType ?? contentTypeOf(fields.fileName)),
  });

const listOf = (kind: Owner, name: string, path: string) =>
  listOwned(tableFor(kind), kind, {
    id: `v2.documents.${name}.list`,
    path: `/${path}/{UUID}/documents`,
    summary: `List documents of a ${name.replace('-', ' ')}`,
  });

/** The fields of a form, or JSON with the file as base64. */
const upload = z.object({
  fileName: textIn,
  content: z.base64().nullish(),
  title: textIn,
  note: textIn,
  phaseUUID: idOptional,
});

const uploadTo = (kind: Owner, name: string, path: string) =>
  createOwned(tableFor(kind), kind, {
    id: `v2.documents.${name}.upload`,
    path: `/${path}/{UUID}/documents`,
    summary: `Upload a document of a ${name.replace('-', ' ')}`,
    notes: 'multipart/form-data with `file`, or JSON `{fileName, content (base64), title, note}`.',
    isUpload: true,
    body: upload,
    example: { fileName: 'plan.txt', content: 'UGxhbiBBCg==', title: 'Plan' },
    make: add,
  });

async function add(
  call: JsonCall,
  owner: StoredRecord<Owner>,
  body: z.infer<typeof upload>,
): Promise<string> {
  const { name, content, contentType } = fileIn(call, body);
  const folder = owner.kind === 'job' ? await folderAfter(call, owner.uuid, body.phaseUUID) : '';
  const file = await call.files.add(call.records.organisationId, { name, content });
  const fields = {
    text: body.note ?? '',
    folder,
    date: new Date(call.now).toISOString().slice(0, 10),
    createdBy: call.person?.name ?? '',
    fileName: name,
    file,
    contentType,
  };
  return (await insertDocument(call.records, owner, { name: body.title ?? name, fields }, call.now)).uuid;
}

function fileIn(call: JsonCall, body: z.infer<typeof upload>) {
  if (call.upload) {
    const { name, content, contentType } = call.upload;
    return { name: named(name, 'file'), content, contentType };
  }
  if (!body.content) throw invalid('file', 'file is required');
  const name = named(body.fileName ?? '', 'fileName');
  return { name, content: Buffer.from(body.content, 'base64'), contentType: contentTypeOf(name) };
}

/**
 * Returns the file name without any path: what precedes the last slash is a folder on the uploader's
 * computer.
 */
function named(given: string, field: string): string {
  const name = given.replace(/^.*[/\\]/s, '');
  if (!requiredText.safeParse(name).success) throw invalid(field, `${field} has no name`);
  return name;
}

export const documents = area('Documents', [
  listOf('purchaseOrder', 'purchase-order', 'purchase-orders'),
  uploadTo('purchaseOrder', 'purchase-order', 'purchase-orders'),
  listOf('job', 'job', 'jobs'),
  uploadTo('job', 'job', 'jobs'),
  listOf('client', 'client', 'clients'),
  uploadTo('client', 'client', 'clients'),
  listOf('supplier', 'supplier', 'suppliers'),
]);

export const leadDocuments = areaBeyond('Leads', [
  listOf('lead', 'lead', 'leads'),
  uploadTo('lead', 'lead', 'leads'),
]);
