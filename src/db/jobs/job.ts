/** A periodic job in the hands of one instance. */
export interface JobClaim {
  readonly job: string;
  readonly holder: string;
  /** Another one whenever the job has changed hands. */
  readonly fence: number;
  /** Its pause is over. */
  readonly due: boolean;
}

/** How a job is claimed, in milliseconds. */
export interface JobTerms {
  /** After that another instance takes it, unless the claim is renewed. */
  readonly lease: number;
  /** From the end of a run to the beginning of the next, whichever instances do them. */
  readonly pause: number;
}

/** Periodic jobs that one instance does for all. Timed by the database's own clock. */
export interface JobRepository {
  /** Takes a job that is free, or keeps one that the holder has. Undefined: another instance has it. */
  claim(job: string, holder: string, terms: JobTerms): Promise<JobClaim | undefined>;
  /** False: by now another instance has it. */
  renew(claim: JobClaim, terms: JobTerms): Promise<boolean>;
  /** The run is done; the claim stays. False: another instance has it by now, and the run counts for nothing. */
  done(claim: JobClaim, terms: JobTerms): Promise<boolean>;
  /** Anybody may take it at once. */
  release(claim: JobClaim): Promise<void>;
}
