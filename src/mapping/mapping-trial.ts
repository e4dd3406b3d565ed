/** What a method of the mapping is tried on. */
export interface MappingSample {
  /**
   * JSON: V2's answer, or several by call (`{"GET /v2/clients": …, "GET /v2/staff": …}`); a list that is not there is
   * empty. XML: the request of a legacy program.
   */
  readonly json?: string | undefined;
  readonly xml?: string | undefined;
  /** Parameters of the legacy call. */
  readonly query?: readonly (readonly [string, string])[] | undefined;
}

/** What a trial of a mapping came to; nothing is sent anywhere. */
export interface MappingTrial {
  /** What went to V2, in order. */
  readonly requests: readonly { readonly call: string; readonly body: string | undefined }[];
  /** What the legacy program gets; undefined where the call failed. */
  readonly reply: string | undefined;
  readonly failure: string | undefined;
  /** Elements of the request that have no place in V2. */
  readonly dropped: readonly string[];
  /** Places in V2 of which the request says nothing, and that get a default. */
  readonly defaulted: readonly string[];
  /** Elements of the reply that say less than V2's value. */
  readonly rounded: readonly string[];
  /** Characters of the reply that XML 1.0 forbids. */
  readonly replaced: number;
}
