import type { JsonCall } from './call.ts';
import { documentsShown, notesShown } from './documentShapes.ts';
import { dayOf, orNull, timesOf } from './values.ts';

/** Notes and documents of one quote or purchase order. The name of a document's folder field is its area's own. */
export async function attachedTo(call: JsonCall, uuid: string) {
  const notes = await notesShown(call, (await call.records.ownedBy('note', [uuid])).get(uuid) ?? []);
  const documents = await documentsShown(
    call,
    (await call.records.ownedBy('document', [uuid])).get(uuid) ?? [],
  );
  return {
    notes: notes.map(({ note: each, createdBy, comments }) => ({
      common: {
        uuid: each.uuid,
        title: each.name,
        description: orNull(each.fields.text),
        date: dayOf(each.fields.date),
        phase: orNull(each.fields.folder),
        ...timesOf(each),
      },
      createdBy,
      comments,
    })),
    documents,
  };
}
