import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import { list, shape } from '../operation/operation.ts';
import { pageOf, shown } from '../operation/page.ts';
import { count, dayOrNull, id, idOrNull, orNull, text, times, timesOf } from '../record/values.ts';

const recurringJob = shape(
  'RecurringJob',
  z.strictObject({
    uuid: id,
    name: text,
    clientUUID: idOrNull,
    jobTemplateUUID: idOrNull,
    frequency: text,
    interval: count,
    dates: z.array(z.iso.date()),
    startDate: dayOrNull,
    endDate: dayOrNull,
    nextRunDate: dayOrNull,
    ...times,
  }),
);

/** A recurring job as V2 and the screens show it. */
export const recurringShown = (one: StoredRecord<'recurringJob'>): z.infer<typeof recurringJob.schema> => ({
  uuid: one.uuid,
  name: one.name,
  clientUUID: one.owner ?? null,
  jobTemplateUUID: one.other ?? null,
  frequency: one.fields.frequency,
  interval: one.fields.interval,
  dates: [...one.fields.dates],
  startDate: orNull(one.fields.startDate),
  endDate: orNull(one.fields.endDate),
  nextRunDate: orNull(one.fields.nextRunDate),
  ...timesOf(one),
});

export const recurringJobs = list({
  id: 'v2.recurring-jobs.list',
  path: '/recurring-jobs',
  aliases: ['/jobs/recurring'],
  summary: 'List recurring job configurations',
  notes: 'A configuration makes jobs as the time of the service passes.',
  response: recurringJob,
  serve: (call) => shown(pageOf(call, 'recurringJob'), (rows) => rows.map(recurringShown)),
});
