import { insertDocument } from '../../../records/document-rules.ts';
import type { StoredRecord } from '../../../records/kinds.ts';
import { documentRows } from '../../../tables/clients/document.ts';
import { blank } from '../../../tables/table.ts';
import { type Answer, methods, type Operation, type XmlCall } from '../../call.ts';
import { type Fields, recordWriter, text } from '../../record/fields.ts';
import { ofElement, ofPath, requireId } from '../../record/identify.ts';
import { required } from '../../record/elements.ts';
import { ofRoot, type Message } from '../../http/message.ts';
import { Refusal } from '../../refusal.ts';
import { elementsOf } from '../../record/record.ts';
import { isoDate } from '../../../tables/values.ts';
import { newIdScalars } from '../../record/written.ts';

type DocumentView = StoredRecord<'document'> & { readonly url: string };

const documentFields: Fields<DocumentView> = [
  ...elementsOf<'document', DocumentView>(documentRows, 'id'),
  text('URL', ({ url }) => url),
];

async function list(call: XmlCall): Promise<Answer> {
  return documentsOf(call, await ofPath(call, 'client'));
}

/** Lists the documents of a client, a job, …. */
export async function documentsOf(call: XmlCall, owner: { readonly uuid: string }): Promise<Answer> {
  const documents = await call.records.owned('document', owner);
  const url = await urls(call, documents);
  const write = recordWriter('Document', documentFields);
  return {
    answer: 'list',
    container: 'Documents',
    records: documents.map((document) => write({ ...document, url: url(document.fields.file) })),
  };
}

/** V1 links open without keys; V3 links need the token and the organisation of the call. */
async function urls(
  call: XmlCall,
  documents: readonly StoredRecord<'document'>[],
): Promise<(file: string) => string> {
  if (call.surface === 'v3') return (file) => `${call.publicUrl}/3.0/files/${file}`;
  const files = documents.map(({ fields }) => fields.file);
  const tokens = await call.files.tokens(call.records.organisationId, files);
  return (file) => `${call.publicUrl}/v1/files/${tokens.get(file) ?? ''}`;
}

const REQUIRED = ['Title', 'FileName', 'Content'] as const;

async function add(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Document');
  requireId(call, message, ['Document'], 'Client');
  const given = requiredOf(message);
  const client = await ofElement(call, 'client', message, 'Client');
  const document = await addDocument(call, message, given, client);
  return { answer: 'status', scalars: newIdScalars(call.dialect.ids, document) };
}

export interface GivenDocument {
  readonly title: string;
  readonly fileName: string;
  readonly content: string;
}

/** Throws `Refusal` for missing elements, before any identifier is looked up. */
export function requiredOf(message: Message | undefined): GivenDocument {
  const [title, fileName, content] = REQUIRED.map((element) => required(message, 'Document', element)) as [
    string,
    string,
    string,
  ];
  return { title, fileName, content };
}

/** Throws `Refusal` for content that is not base64. */
export async function addDocument(
  call: XmlCall,
  message: Message | undefined,
  { title, fileName, content }: GivenDocument,
  owner: StoredRecord,
): Promise<StoredRecord<'document'>> {
  const file = await call.files.add(call.records.organisationId, {
    name: fileName,
    content: fromBase64(content),
  });
  const fields = {
    ...blank(documentRows),
    text: message?.text('Text') ?? '',
    folder: message?.text('Folder') ?? '',
    date: isoDate(call.now),
    createdBy: 'API',
    fileName,
    file,
  };
  return insertDocument(call.records, owner, { name: title, fields }, call.now);
}

const BASE64 = /^[A-Za-z0-9+/]*={0,2}$/;

/** Strict, except for the line breaks that encoders insert. */
function fromBase64(content: string): Buffer {
  const compact = content.replace(/\s+/g, '');
  if (compact.length % 4 !== 0 || !BASE64.test(compact))
    throw new Refusal('The content of the document is not base64');
  return Buffer.from(compact, 'base64');
}

export const clientDocuments: readonly Operation[] = methods([
  ['GET', 'client.documents', 'client.api/documents/{id}', list],
  ['POST', 'client.document.add', 'client.api/document', add, { isUpload: true }],
]);
