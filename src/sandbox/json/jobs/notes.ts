import { z } from 'zod';
import { jobNote } from '../record/attachments.ts';
import { column, tableOf } from '../record/columns.ts';
import { ofBody } from '../record/find.ts';
import { area } from '../operation/operation.ts';
import { createOwned } from '../operation/operations-on.ts';
import { folderAfter } from '../record/phases.ts';
import { invalid } from '../operation/refusal.ts';
import { touch } from '../record/relink.ts';
import { dayOptional, id, idOptional, idOrNull, requiredText, textIn } from '../record/values.ts';

const write = z.object({
  title: textIn,
  description: requiredText,
  date: dayOptional,
  phaseUUID: idOptional,
  jobTaskUUID: idOptional,
});

const noteSaved = tableOf('note', 'JobNote', {
  ...jobNote,
  jobUUID: column(id, ({ owner = '' }) => owner),
  jobTaskUUID: column(idOrNull, ({ fields }) => fields.task ?? null),
});

export const jobNotes = area('Job notes', [
  createOwned(noteSaved, 'job', {
    id: 'v2.job-notes.create',
    path: '/jobs/{jobUUID}/notes',
    summary: 'Create a note on a job or a task of a job',
    notes: 'The author is the user of the token.',
    body: write,
    example: { title: 'Site meeting', description: 'The west wall comes first.' },
    make: async (call, job, body) => {
      const task = body.jobTaskUUID
        ? await ofBody(call, 'jobTask', body.jobTaskUUID, 'jobTaskUUID')
        : undefined;
      if (task && task.owner !== job.uuid)
        throw invalid('jobTaskUUID', 'jobTaskUUID names a task of another job');
      const now = new Date(call.now).toISOString();
      const fields = {
        text: body.description,
        folder: await folderAfter(call, job.uuid, body.phaseUUID),
        date: body.date ? `${body.date}T00:00:00` : now.slice(0, 19),
        createdBy: call.person?.name ?? '',
        ...(task && { task: task.uuid }),
      };
      const note = await call.records.insert(
        'note',
        { name: body.title ?? '', fields, owner: job.uuid },
        call.now,
      );
      if (task) await touch(call, 'jobTask', task.uuid);
      await touch(call, 'job', job.uuid);
      return note.uuid;
    },
  }),
]);
