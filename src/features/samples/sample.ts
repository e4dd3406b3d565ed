/**
 * A sample: one request of an account, and its reply in a form that can be compared but not read.
 *
 * Personal and free text is a keyed hash (`hash`), so that two samples of an account show whether a text has changed
 * without revealing it. Numbers, amounts, dates, flags and identifiers are kept (`text`); the whole is sealed.
 */

/** The purposes of samples; each has its own limit. */
export const samplePurposes = ['baseline', 'recorded', 'capture'] as const;
/** `baseline`: V1's answers before the move; `recorded`: calls to be replayed; `capture`: calls for support. */
export type SamplePurpose = (typeof samplePurposes)[number];

/** A legacy call, without the keys. */
export interface SampledRequest {
  /** `['client.api', 'get', '1000000']` */
  readonly segments: readonly string[];
  readonly query: readonly (readonly [name: string, value: string])[];
  /** Absent: GET. */
  readonly verb?: string;
  /** It contained free text, which is left out here: it cannot be sent again. */
  readonly isWithheld?: boolean;
}

/** The value of an element or attribute. */
export type SampledValue = { readonly text: string } | { readonly hash: string };

/** An element of a reply. */
export interface SampledElement {
  readonly name: string;
  readonly attributes: readonly (readonly [name: string, value: SampledValue])[];
  readonly children: readonly SampledElement[];
  /** The text; that beside the children if there are any, which samples of 1.0.0-rc.1 lack. */
  readonly value: SampledValue;
}

/** A request with its reply. Times in milliseconds since the epoch. */
export interface Sample {
  readonly purpose: SamplePurpose;
  /** `client.get` */
  readonly method: string;
  readonly request: SampledRequest;
  readonly at: number;
  /** For recorded calls: distinguishes those of one process and moment. */
  readonly order?: number;
  /** `v1`, `v3`, `v2` */
  readonly source: string;
  /** The root of the request's body, in the form of a reply; absent if nothing was sent. */
  readonly body?: SampledElement | undefined;
  /** The root of the reply; undefined: it was too large, and only the request is kept. */
  readonly reply: SampledElement | undefined;
}
