/** A periodic job claimed by one instance. */
export interface JobClaim {
  readonly job: string;
  readonly holder: string;
  /** Changes whenever another instance takes over the job. */
  readonly fence: number;
  /** Its pause is over. */
  readonly due: boolean;
}

/** How a job is claimed, in milliseconds. */
export interface JobTerms {
  /** After this another instance takes over, unless the claim is renewed. */
  readonly lease: number;
  /** From the end of one run to the start of the next, whichever instances run them. */
  readonly pause: number;
}

/** Periodic jobs that one instance does for all. Uses the database's own clock. */
export interface JobRepository {
  /** Takes a free job, or keeps one the holder already has. Undefined: another instance has it. */
  claim(job: string, holder: string, terms: JobTerms): Promise<JobClaim | undefined>;
  /** False: another instance has it by now. */
  renew(claim: JobClaim, terms: JobTerms): Promise<boolean>;
  /**
   * The run is complete; the claim stays. False: another instance has it by now, and the run counts for
   * nothing.
   */
  done(claim: JobClaim, terms: JobTerms): Promise<boolean>;
  /** Any instance may take it at once. */
  release(claim: JobClaim): Promise<void>;
}
