/** A periodic job claimed by one instance. */
export interface JobClaim {
  readonly job: string;
  readonly holder: string;
  /** Changes whenever another instance takes over the job. */
  readonly fence: number;
  /** Whether the job's pause is over. */
  readonly due: boolean;
}

/** The terms of a claim, in milliseconds. */
export interface JobTerms {
  /** After this time another instance takes over, unless the claim is renewed. */
  readonly lease: number;
  /** From the end of one run to the start of the next, whichever instances run them. */
  readonly pause: number;
}

/** Periodic jobs that one instance runs for all. Uses the database's own clock. */
export interface JobRepository {
  /** Takes a free job, or keeps one the holder already has. Undefined if another instance has it. */
  claim(job: string, holder: string, terms: JobTerms): Promise<JobClaim | undefined>;
  /** Returns false if another instance has taken over. */
  renew(claim: JobClaim, terms: JobTerms): Promise<boolean>;
  /**
   * Ends the run and keeps the claim. Returns false if another instance has taken over; the run then does not
   * count.
   */
  done(claim: JobClaim, terms: JobTerms): Promise<boolean>;
  /** Releases the job, so that any instance may take it at once. */
  release(claim: JobClaim): Promise<void>;
}
