import { sql, type RawBuilder, type UpdateObject } from 'kysely';
import type { JobRepository, JobClaim, JobTerms } from './job.ts';
import { isOver } from '../over.ts';
import type { Engine } from '../engine.ts';
import type { Tables } from '../tables.ts';

/** Claims on periodic jobs, one row each: exactly one instance runs a job at a time. */
export class StoredJobs implements JobRepository {
  readonly #engine: Engine;

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  /**
   * A remaining lease or pause longer than any we set dates from before a change of the clock. A claim with
   * at least half of its time left is only read: each write waits for the disk, and a dozen jobs ask every
   * few seconds.
   */
  async claim(job: string, holder: string, terms: JobTerms): Promise<JobClaim | undefined> {
    const { lease, pause } = terms;
    const kept = await this.#kept(job, holder, terms);
    if (kept !== undefined) return kept;
    const { db, now } = this.#engine;
    await db
      .insertInto('jobs')
      .values({ name: job, holder: null, fence: 0, lease_until: 0, due_at: 0 })
      .onConflict((conflict) => conflict.column('name').doNothing())
      .execute();
    const row = await db
      .updateTable('jobs')
      .set({
        holder,
        fence: sql<number>`case when holder = ${holder} then fence else fence + 1 end`,
        lease_until: this.#in(lease),
      })
      .where('name', '=', job)
      .where((eb) => eb.or([eb('holder', '=', holder), isOver('lease_until', now, lease)]))
      .returning(['fence', 'due_at', now.as('now')])
      .executeTakeFirst();
    return row && claimOf(row, { job, holder, pause });
  }

  renew(claim: JobClaim, { lease }: JobTerms): Promise<boolean> {
    return this.#write(claim, { lease_until: this.#in(lease) });
  }

  done(claim: JobClaim, { lease, pause }: JobTerms): Promise<boolean> {
    return this.#write(claim, { lease_until: this.#in(lease), due_at: this.#in(pause) });
  }

  async release(claim: JobClaim): Promise<void> {
    await this.#write(claim, { holder: null, lease_until: 0 });
  }

  async #kept(job: string, holder: string, { lease, pause }: JobTerms): Promise<JobClaim | undefined> {
    const { reads, now } = this.#engine;
    const row = await reads
      .selectFrom('jobs')
      .select(['fence', 'due_at', now.as('now')])
      .where('name', '=', job)
      .where('holder', '=', holder)
      .where('lease_until', '>', this.#in(lease / 2))
      .where('lease_until', '<=', this.#in(lease))
      .executeTakeFirst();
    return row && claimOf(row, { job, holder, pause });
  }

  async #write({ job, holder, fence }: JobClaim, change: UpdateObject<Tables, 'jobs'>): Promise<boolean> {
    const { numUpdatedRows } = await this.#engine.db
      .updateTable('jobs')
      .set(change)
      .where('name', '=', job)
      .where('holder', '=', holder)
      .where('fence', '=', fence)
      .executeTakeFirst();
    return numUpdatedRows === 1n;
  }

  #in(milliseconds: number): RawBuilder<number> {
    return sql<number>`${this.#engine.now} + ${sql.lit(milliseconds)}`;
  }
}

const claimOf = (
  { fence, due_at: dueAt, now }: { readonly fence: number; readonly due_at: number; readonly now: number },
  { job, holder, pause }: Pick<JobClaim, 'job' | 'holder'> & Pick<JobTerms, 'pause'>,
): JobClaim => ({ job, holder, fence, due: dueAt <= now || dueAt > now + pause });
