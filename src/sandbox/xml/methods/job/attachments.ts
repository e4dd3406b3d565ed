import { touchJob } from '../../../records/job-rules.ts';
import { quoteOfJob } from '../../../records/quote-rules.ts';
import { type Answer, methods, type Operation, type Scalar, type XmlCall } from '../../call.ts';
import { addDocument, documentsOf, requiredOf } from '../client/documents.ts';
import { required } from '../../record/elements.ts';
import { ofCode, ofPath } from '../../record/identify.ts';
import { ofRoot } from '../../http/message.ts';
import { isoDateTime } from '../../../tables/values.ts';

async function documents(call: XmlCall): Promise<Answer> {
  return documentsOf(call, await ofPath(call, 'job'));
}

/** `Public` controls visibility in a portal, which the sandbox does not simulate. */
async function note(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Note');
  const job = await ofCode(call, 'job', message, ['Note', 'Job']);
  const name = required(message, 'Note', 'Title');
  const fields = {
    text: message?.text('Text') ?? '',
    folder: message?.text('Folder') ?? '',
    date: isoDateTime(call.now),
    createdBy: 'API',
  };
  await call.records.insert('note', { name, owner: job.uuid, fields }, call.now);
  await touchJob(call.records, job, call.now);
  return { answer: 'status' };
}

async function document(call: XmlCall): Promise<Answer> {
  const message = ofRoot(call.message, 'Document');
  const job = await ofCode(call, 'job', message, ['Document', 'Job']);
  await addDocument(call, message, requiredOf(message), job);
  return { answer: 'status' };
}

const quote =
  (type: 'Quote' | 'Estimate') =>
  async (call: XmlCall): Promise<Answer> => {
    const { code, uuid } = await quoteOfJob(call.records, await ofPath(call, 'job'), type, call.now);
    const scalars: readonly Scalar[] = [['ID', code ?? '']];
    return {
      answer: 'status',
      scalars: call.dialect.ids === 'id' ? scalars : [...scalars, ['UUID', uuid]],
    };
  };

export const jobAttachments: readonly Operation[] = methods([
  ['GET', 'job.documents', 'job.api/documents/{id}', documents],
  ['POST', 'job.note.add', 'job.api/note', note],
  ['POST', 'job.document.add', 'job.api/document', document, { isUpload: true }],
  ['POST', 'job.createquote', 'job.api/createquote/{id}', quote('Quote')],
  ['POST', 'job.createestimate', 'job.api/createestimate/{id}', quote('Estimate')],
]);
