import type { NextFunction, Request, Response } from 'express';
import type { Kysely } from 'kysely';
import { DAY, type Clock } from '../../../lib/time/clock.ts';
import type { SandboxCaller } from '../../identity/organisation.ts';
import { nextCode } from '../../records/codes.ts';
import { applyTemplate } from '../../records/job-rules.ts';
import type { Frequency, RecurringJobFields } from '../../records/kinds/rates.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { jobRows } from '../../tables/jobs/job.ts';
import { blank } from '../../tables/table.ts';
import { Records } from '../../records/records.ts';
import type { RecordTables } from '../../records/tables.ts';

/** Limit of jobs that one call creates for a configuration; the next call continues. */
const AT_ONCE = 1_000;

/**
 * Middleware between authentication and surface: before anything is read, creates the jobs that are due by
 * the service's time, each dated on its due date.
 */
export function recurrence({ db, clock }: { readonly db: Kysely<RecordTables>; readonly clock: Clock }) {
  return async (_request: Request, response: Response, next: NextFunction): Promise<void> => {
    const { organisation } = response.locals.caller as SandboxCaller;
    await makeDueJobs(db, organisation.id, clock.now());
    next();
  };
}

/**
 * Creates the jobs that are due, in one transaction; does nothing if none is due. `now`: milliseconds since
 * the epoch.
 */
export async function makeDueJobs(
  db: Kysely<RecordTables>,
  organisationId: string,
  now: number,
): Promise<void> {
  const today = dayOf(now);
  const due = (await new Records(db, organisationId).all('recurringJob')).some((one) => isDue(one, today));
  if (!due) return;
  await db.transaction().execute(async (tx) => {
    const records = new Records(tx, organisationId);
    // Read again: another call may have created them meanwhile.
    for (const one of await records.all('recurringJob')) await catchUp(records, one, now);
  });
}

const isDue = ({ fields }: StoredRecord<'recurringJob'>, today: string): boolean =>
  fields.nextRunDate !== '' && fields.nextRunDate <= today;

/** Creates the jobs that are due for one configuration, and returns it as it is then. */
export async function catchUp(
  records: Records,
  recurring: StoredRecord<'recurringJob'>,
  now: number,
): Promise<StoredRecord<'recurringJob'>> {
  const today = dayOf(now);
  let after = recurring;
  for (let made = 0; made < AT_ONCE && isDue(after, today); made++) {
    const { fields } = after;
    const lastRunDate = fields.nextRunDate;
    await makeJob(records, recurring, lastRunDate, now);
    after = {
      ...after,
      fields: { ...fields, lastRunDate, ...nextRun(fields, lastRunDate, fields.made + 1) },
    };
  }
  if (after !== recurring) await records.update(recurring, { fields: after.fields }, now);
  return after;
}

async function makeJob(
  records: Records,
  { name, owner, other }: StoredRecord<'recurringJob'>,
  day: string,
  now: number,
): Promise<void> {
  // A deleted client gets no more jobs.
  if (!(await records.byUuid('client', owner ?? ''))) return;
  const at = Math.min(Date.parse(day), now);
  const planned = (await records.all('jobStatus')).find(({ fields }) => fields.type === 'planned');
  const fields = {
    ...blank(jobRows),
    state: planned?.name ?? 'Planned',
    startDate: day,
  };
  const job = await records.insert('job', { name, owner, code: await nextCode(records, 'job'), fields }, at);
  const template = other === undefined ? undefined : await records.byUuid('template', other);
  if (template) await applyTemplate(records, job, template, at);
}

/**
 * The first run of a schedule after the last one ('' before the first); its date is '' if there is none. `from`: the
 * place in the schedule where the search starts.
 */
export function nextRun(
  schedule: Omit<RecurringJobFields, 'nextRunDate' | 'made'>,
  lastRunDate: string,
  from = 0,
): Pick<RecurringJobFields, 'nextRunDate' | 'made'> {
  const { frequency, dates, startDate, endDate } = schedule;
  let made = from;
  let next: string;
  if (frequency === 'dates') {
    next = dates.find((day) => day >= startDate && day > lastRunDate) ?? '';
  } else {
    while (occurrence(schedule, frequency, made) <= lastRunDate) made++;
    next = occurrence(schedule, frequency, made);
  }
  return { made, nextRunDate: endDate !== '' && next > endDate ? '' : next };
}

/** Counted from the first run, so that the 31st returns after a shorter month. */
function occurrence(
  { interval, startDate }: Pick<RecurringJobFields, 'interval' | 'startDate'>,
  frequency: Exclude<Frequency, 'dates'>,
  index: number,
): string {
  const steps = interval * index;
  switch (frequency) {
    case 'daily':
      return dayOf(Date.parse(startDate) + steps * DAY);
    case 'weekly':
      return dayOf(Date.parse(startDate) + steps * 7 * DAY);
    case 'monthly':
      return monthsAfter(startDate, steps);
    case 'yearly':
      return monthsAfter(startDate, steps * 12);
  }
}

/** Falls back to the last day of a month that is too short. */
function monthsAfter(day: string, months: number): string {
  const [year = 0, month = 1, date = 1] = day.split('-').map(Number);
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate();
  return dayOf(Date.UTC(year, month - 1 + months, Math.min(date, last)));
}

const dayOf = (at: number): string => new Date(at).toISOString().slice(0, 10);
