/** What looking at the service came to. `later`: nothing certain yet. The note is for the operator and holds no value. */
export type Verdict =
  | { readonly verdict: 'done'; readonly made?: string | undefined; readonly note: string }
  | { readonly verdict: 'not-done'; readonly note: string }
  | { readonly verdict: 'undecidable'; readonly note: string }
  | { readonly verdict: 'later'; readonly note: string };

/** While the service may still carry the write out, what speaks against it proves nothing. */
export const lastly = (isFinal: boolean, verdict: Verdict): Verdict =>
  isFinal ? verdict : { verdict: 'later', note: verdict.note };

/** For a person. */
export const undecidable = (note: string): Verdict => ({ verdict: 'undecidable', note });
