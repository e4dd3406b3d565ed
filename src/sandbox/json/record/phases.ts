import { z } from 'zod';
import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import { derivedUuid } from './derived-uuid.ts';
import { invalid } from '../operation/refusal.ts';
import { id, text, textOrNull, times, timesOf } from './values.ts';

/**
 * A phase of a job is a folder in XML: a name that tasks, costs, milestones, notes and documents share. No
 * operation creates one, so it has no record: its identifier is derived from the job and the name.
 */
export const phaseRef = z.strictObject({ uuid: id, name: text });
export const phase = z.strictObject({ uuid: id, name: text, description: textOrNull, ...times });

export const phaseUuid = derivedUuid;

/** UUID of a job's phase; null if the name is empty. */
export const phaseUuidOrNull = (job: string, name: string | undefined): string | null =>
  name === undefined || name === '' ? null : phaseUuid(job, name);

/** A job's phase as other records show it; null if the name is empty. */
export const phaseRefOf = (job: string, name: string | undefined): z.infer<typeof phaseRef> | null =>
  name === undefined || name === '' ? null : { uuid: phaseUuid(job, name), name };

const folderKinds = ['jobTask', 'jobCost', 'milestone', 'note', 'document'] as const;

/** The phase names of the jobs in order of first occurrence, tasks first. */
export async function phaseNames(
  call: JsonCall,
  jobs: readonly string[],
): Promise<(job: string) => readonly string[]> {
  const names = new Map<string, Set<string>>(jobs.map((job) => [job, new Set()]));
  for (const kind of folderKinds)
    for (const [job, records] of await call.records.ownedBy(kind, jobs))
      for (const { fields } of records) if (fields.folder) names.get(job)?.add(fields.folder);
  return (job) => [...(names.get(job) ?? [])];
}

/** Builds the answer for a job's phases. */
export const phasesShown = (job: StoredRecord<'job'>, names: readonly string[]): z.infer<typeof phase>[] =>
  names.map((name) => ({ uuid: phaseUuid(job.uuid, name), name, description: null, ...timesOf(job) }));

/**
 * Returns the folder that a body's `phaseUUID` stands for: undefined keeps, null clears. Throws `JsonRefusal`
 * 422.
 */
export async function folderAfter(
  call: JsonCall,
  job: string,
  given: string | null | undefined,
  before = '',
): Promise<string> {
  if (given === undefined) return before;
  if (given === null) return '';
  const names = (await phaseNames(call, [job]))(job);
  const name = names.find((one) => phaseUuid(job, one) === given.toLowerCase());
  if (name === undefined) throw invalid('phaseUUID', 'phaseUUID names no phase of this job');
  return name;
}
