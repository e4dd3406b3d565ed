import { z } from 'zod';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { documentCommon, documentsShown } from '../document-shapes.ts';
import { area, areaBeyond, list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { folderAfter, phaseUuidOrNull } from '../phases.ts';
import { staffRef } from '../refs.ts';
import { invalid } from '../refusal.ts';
import { touch } from '../relink.ts';
import { contentTypeOf } from '../http/content-type.ts';
import { idOptional, idOrNull, requiredText, text, textIn } from '../values.ts';

const document = shape(
  'Document',
  z.strictObject({
    ...documentCommon,
    phaseUUID: idOrNull,
    uploadedBy: staffRef.nullable(),
    contentType: text,
  }),
);

type Owner = 'purchaseOrder' | 'job' | 'client' | 'supplier' | 'lead';

async function views(call: JsonCall, kind: Owner, documents: readonly StoredRecord<'document'>[]) {
  return (await documentsShown(call, documents)).map(({ common, folder, uploadedBy }, at) => ({
    ...common,
    phaseUUID: kind === 'job' ? phaseUuidOrNull(documents[at]?.owner ?? '', folder) : null,
    uploadedBy,
    contentType: documents[at]?.fields.contentType ?? contentTypeOf(common.fileName),
  }));
}

const listOf = (kind: Owner, name: string, path: string) =>
  list({
    id: `v2.documents.${name}.list`,
    path: `/${path}/{UUID}/documents`,
    summary: `List documents of a ${name.replace('-', ' ')}`,
    on: { UUID: kind satisfies Kind },
    response: document,
    serve: (call, { UUID: owner }) =>
      shown(pageOf(call, 'document', { owner: owner.uuid }), (rows) => views(call, kind, rows)),
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
  one({
    id: `v2.documents.${name}.upload`,
    method: 'POST',
    path: `/${path}/{UUID}/documents`,
    summary: `Upload a document of a ${name.replace('-', ' ')}`,
    notes: 'multipart/form-data with `file`, or JSON `{fileName, content (base64), title, note}`.',
    isUpload: true,
    on: { UUID: kind satisfies Kind },
    body: upload,
    example: { fileName: 'plan.txt', content: 'UGxhbiBBCg==', title: 'Plan' },
    response: document,
    serve: (call, { UUID: owner }, body) => add(call, kind, owner, body),
  });

async function add(call: JsonCall, kind: Owner, owner: StoredRecord<Owner>, body: z.infer<typeof upload>) {
  const { name, content, contentType } = fileIn(call, body);
  const folder = kind === 'job' ? await folderAfter(call, owner.uuid, body.phaseUUID) : '';
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
  const made = await call.records.insert(
    'document',
    { name: body.title ?? name, fields, owner: owner.uuid },
    call.now,
  );
  await touch(call, kind, owner.uuid);
  const [view] = await views(call, kind, [made]);
  if (!view) throw new Error('a document is gone within its own transaction');
  return view;
}

function fileIn(call: JsonCall, body: z.infer<typeof upload>) {
  if (call.upload) {
    const { name, content, contentType } = call.upload;
    return {
      name: named(name, 'file'),
      content,
      contentType: contentType ?? contentTypeOf(name),
    };
  }
  if (!body.content) throw invalid('file', 'file is required');
  const name = named(body.fileName ?? '', 'fileName');
  return { name, content: Buffer.from(body.content, 'base64'), contentType: contentTypeOf(name) };
}

/** A name is data, never a path: what stands before the last slash is the uploader's own folder. */
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
