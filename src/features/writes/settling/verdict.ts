/**
 * The result of looking at the service. `later`: nothing certain yet. The note is for the operator and
 * contains no value.
 */
export type Verdict =
  | { readonly verdict: 'done'; readonly made?: string | undefined; readonly note: string }
  | { readonly verdict: 'not-done'; readonly note: string }
  | { readonly verdict: 'undecidable'; readonly note: string }
  | { readonly verdict: 'later'; readonly note: string };

/** While the service may still carry out the write, evidence against it proves nothing. */
export const lastly = (isFinal: boolean, verdict: Verdict): Verdict =>
  isFinal ? verdict : { verdict: 'later', note: verdict.note };

/** For an operator. */
export const undecidable = (note: string): Verdict => ({ verdict: 'undecidable', note });
