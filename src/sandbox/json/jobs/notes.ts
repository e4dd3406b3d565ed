import { z } from 'zod';
import { ofBody } from '../find.ts';
import { area, one } from '../operation.ts';
import { folderAfter, phaseUuidOrNull } from '../phases.ts';
import { authorsOf } from '../refs.ts';
import { invalid } from '../refusal.ts';
import { touch } from '../relink.ts';
import { dayOf, dayOptional, idOptional, orNull, requiredText, textIn, timesOf } from '../values.ts';
import { jobNote } from './shapes.ts';

const write = z.object({
  title: textIn,
  description: requiredText,
  date: dayOptional,
  phaseUUID: idOptional,
  jobTaskUUID: idOptional,
});

export const jobNotes = area('Job notes', [
  one({
    id: 'v2.job-notes.create',
    method: 'POST',
    path: '/jobs/{jobUUID}/notes',
    summary: 'Create a note on a job or a task of a job',
    notes: 'The author is the user of the token.',
    on: { jobUUID: 'job' },
    body: write,
    example: { title: 'Site meeting', description: 'The west wall comes first.' },
    response: jobNote,
    serve: async (call, { jobUUID: job }, body) => {
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
      return {
        uuid: note.uuid,
        title: orNull(note.name),
        description: fields.text,
        date: dayOf(fields.date),
        phaseUUID: phaseUuidOrNull(job.uuid, fields.folder),
        createdBy: (await authorsOf(call))(fields.createdBy),
        jobUUID: job.uuid,
        jobTaskUUID: task?.uuid ?? null,
        ...timesOf(note),
      };
    },
  }),
]);
