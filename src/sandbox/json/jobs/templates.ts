import { z } from 'zod';
import { applyTemplate } from '../../records/job-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { ofBody } from '../find.ts';
import { list, one, shape } from '../operation.ts';
import { pageOf, shown } from '../page.ts';
import { phaseUuid } from '../phases.ts';
import { amount, count, id, idIn, idOrNull, numberOf, orNull, text } from '../values.ts';
import { jobSaved } from './views.ts';

const template = shape(
  'JobTemplate',
  z.strictObject({
    uuid: id,
    name: text,
    phases: z.array(z.strictObject({ uuid: id, name: text })),
    tasks: z.array(z.strictObject({ taskUUID: idOrNull, name: text, estimatedMinutes: count })),
    costs: z.array(
      z.strictObject({
        costUUID: idOrNull,
        name: text,
        quantity: amount,
        unitCost: amount,
        unitPrice: amount,
      }),
    ),
    milestones: z.array(z.strictObject({ name: text })),
    'to-dos': z.array(z.strictObject({ name: text })),
  }),
);

function view({ uuid, name, fields }: StoredRecord<'template'>): z.infer<typeof template.schema> {
  const folders = [...fields.tasks, ...fields.milestones].map(({ folder }) => folder);
  const phases = [...new Set(folders)].filter((folder) => folder !== '');
  return {
    uuid,
    name,
    phases: phases.map((phase) => ({ uuid: phaseUuid(uuid, phase), name: phase })),
    tasks: fields.tasks.map(({ task, name: taskName, estimatedMinutes }) => ({
      taskUUID: orNull(task),
      name: taskName,
      estimatedMinutes,
    })),
    costs: fields.costs.map((cost) => ({
      costUUID: null,
      name: cost.description,
      quantity: numberOf(cost.quantity),
      unitCost: numberOf(cost.unitCost),
      unitPrice: numberOf(cost.unitPrice),
    })),
    milestones: fields.milestones.map(({ description }) => ({ name: description })),
    'to-dos': fields.toDos.map((toDo) => ({ name: toDo })),
  };
}

export const jobTemplates = list({
  id: 'v2.job-templates.list',
  path: '/job-templates',
  summary: 'List job templates',
  response: template,
  serve: (call) =>
    shown(pageOf(call, 'template'), (rows) =>
      rows.map((row) => view({ ...row, fields: { ...nothing, ...row.fields } })),
    ),
});

/** Templates of an older database have a name only. */
const nothing = { tasks: [], milestones: [], costs: [], toDos: [] };

const apply = z.object({ templateUUIDs: z.array(idIn).min(1) });

/** `{uuid}` and `[{uuid}]` are met as well. */
function asList(body: unknown): unknown {
  const uuidOf = (one: unknown): unknown =>
    typeof one === 'object' && one !== null && 'uuid' in one ? one.uuid : one;
  if (Array.isArray(body)) return { templateUUIDs: body.map(uuidOf) };
  if (typeof body === 'object' && body !== null && 'uuid' in body) return { templateUUIDs: [body.uuid] };
  return body;
}

async function applyAll(call: JsonCall, job: StoredRecord<'job'>, uuids: readonly string[]): Promise<void> {
  for (const [at, uuid] of uuids.entries()) {
    const found = await ofBody(call, 'template', uuid, `templateUUIDs[${at}]`);
    await applyTemplate(call.records, job, { ...found, fields: { ...nothing, ...found.fields } }, call.now);
  }
}

export const applyTemplates = one({
  id: 'v2.jobs.apply-templates',
  method: 'POST',
  path: '/jobs/{jobUUID}/job-templates',
  summary: 'Apply one or more job templates',
  notes: 'What the templates hold is added to what the job has. `{uuid}` and `[{uuid}]` are taken as well.',
  makesNothing: true,
  on: { jobUUID: 'job' },
  body: apply,
  prepare: asList,
  example: { templateUUIDs: ['{template}'] },
  response: jobSaved.response,
  serve: async (call, { jobUUID: job }, { templateUUIDs }) => {
    await applyAll(call, job, templateUUIDs);
    return jobSaved.view(call, job.uuid);
  },
});
