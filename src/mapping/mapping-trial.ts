/** The sample on which a method of the mapping is tried. */
export interface MappingSample {
  /**
   * JSON: V2's answer, or several by call (`{"GET /v2/clients": …, "GET /v2/staff": …}`); a missing list is
   * empty. XML: the request of a legacy program.
   */
  readonly json?: string | undefined;
  readonly xml?: string | undefined;
  /** Parameters of the legacy call. */
  readonly query?: readonly (readonly [string, string])[] | undefined;
}

/** The outcome of trying a mapping; nothing is sent anywhere. */
export interface MappingTrial {
  /** The requests that would be sent to V2, in order. */
  readonly requests: readonly { readonly call: string; readonly body: string | undefined }[];
  /** The reply that the legacy program would get; undefined if the call failed. */
  readonly reply: string | undefined;
  readonly failure: string | undefined;
  /** Elements of the request that have no place in V2. */
  readonly dropped: readonly string[];
  /** Places in V2 that get a default because the request does not fill them. */
  readonly defaulted: readonly string[];
  /** Elements of the reply whose text is less precise than V2's value. */
  readonly rounded: readonly string[];
  /** Characters of the reply that XML 1.0 forbids. */
  readonly replaced: number;
}
