/**
 * What the rows of the mapping rest on, so that whoever sets a route knows how much of it somebody has seen.
 *
 * The specification covers the legacy methods of clients and custom fields; it lists V2's operations without the names
 * of their keys. Everything else was observed (real traffic, or what the service itself publishes) or is assumed by
 * analogy. A row has one mark for each route, that of its weakest part: of a read the path and the reply, of a write
 * every path and what is sent. Look-ups of names are left out, because a name that is not found is an error, not a
 * wrong value.
 */

/** What a row of the mapping rests on, the firmest first. */
export const evidenceKinds = ['specified', 'observed', 'assumed'] as const;
/** One of them. */
export type Evidence = (typeof evidenceKinds)[number];

/** The kinds, as people read them. */
export const evidenceWords: Readonly<Record<Evidence, string>> = {
  specified: 'specified: the specification says so',
  observed: 'observed: real traffic or the service’s own pages show it',
  assumed: 'assumed: nobody has seen it yet',
};

/** What the calls of a method rest on, by route. */
export interface RouteEvidence {
  readonly v3: Evidence;
  /** Undefined: it has no steps for V2. */
  readonly v2: Evidence | undefined;
}

/** As a row of the mapping states it; what it does not say is assumed. */
export const routeEvidence = (
  given: { readonly v3: Evidence; readonly v2?: Evidence | undefined } | undefined,
  hasSteps: boolean,
): RouteEvidence => ({
  v3: given?.v3 ?? 'assumed',
  v2: hasSteps ? (given?.v2 ?? 'assumed') : undefined,
});
