import { z } from 'zod';
import { applyTemplate } from '../../records/job-rules.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import type { TemplateFields } from '../../records/kinds/settings.ts';
import type { JsonCall } from '../operation/call.ts';
import { always, column, each, loadedTable, uuidColumn } from '../record/columns.ts';
import { ofBody } from '../record/find.ts';
import { one } from '../operation/operation.ts';
import { listOf } from '../operation/operations-on.ts';
import { phaseUuid } from '../record/phases.ts';
import { amount, count, id, idIn, idOrNull, numberOf, orNull, text } from '../record/values.ts';
import { jobSaved } from './views.ts';

/** Defaults for the templates of an older database, which have only a name. */
const nothing: TemplateFields = { tasks: [], milestones: [], costs: [], toDos: [] };

type Template = StoredRecord<'template'>;

const whole = (template: Template): Template => ({ ...template, fields: { ...nothing, ...template.fields } });

const foldersOf = ({ uuid, fields }: Template) =>
  [...new Set([...fields.tasks, ...fields.milestones].map(({ folder }) => folder))]
    .filter((name) => name !== '')
    .map((name) => ({ uuid: phaseUuid(uuid, name), name }));

const templateShown = loadedTable('template', 'JobTemplate', async (_call, all) => all.map(whole), {
  uuid: uuidColumn,
  name: column(text, ({ name }: Template) => name),
  phases: column(z.array(z.strictObject({ uuid: id, name: text })), foldersOf),
  tasks: each<Template, TemplateFields['tasks'][number]>(
    {
      taskUUID: column(idOrNull, ({ task }) => orNull(task)),
      name: column(text, ({ name }) => name),
      estimatedMinutes: column(count, ({ estimatedMinutes }) => estimatedMinutes),
    },
    ({ fields }) => fields.tasks,
  ),
  costs: each<Template, TemplateFields['costs'][number]>(
    {
      costUUID: always(idOrNull, null),
      name: column(text, ({ description }) => description),
      quantity: column(amount, ({ quantity }) => numberOf(quantity)),
      unitCost: column(amount, ({ unitCost }) => numberOf(unitCost)),
      unitPrice: column(amount, ({ unitPrice }) => numberOf(unitPrice)),
    },
    ({ fields }) => fields.costs,
  ),
  milestones: each<Template, TemplateFields['milestones'][number]>(
    { name: column(text, ({ description }) => description) },
    ({ fields }) => fields.milestones,
  ),
  'to-dos': each<Template, string>({ name: column(text, (toDo) => toDo) }, ({ fields }) => fields.toDos),
});

export const jobTemplates = listOf(templateShown, {
  id: 'v2.job-templates.list',
  path: '/job-templates',
  summary: 'List job templates',
  query: [],
});

const apply = z.object({ templateUUIDs: z.array(idIn).min(1) });

/** `{uuid}` and `[{uuid}]` also occur. */
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
    await applyTemplate(call.records, job, whole(found), call.now);
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
