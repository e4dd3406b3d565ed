/**
 * The evidence behind each row of the mapping, so that an operator who sets a route knows how much of it has
 * been seen to work.
 *
 * The specification covers the legacy methods of clients and custom fields; it lists V2's operations without
 * the names of their keys. Everything else was observed (real traffic, or what the service itself publishes)
 * or is assumed by analogy. A row has one mark for each route, that of its weakest part: for a read the path
 * and the reply, for a write every path and what is sent. Look-ups of names are left out, because a name that
 * is not found is an error, not a wrong value.
 */

/** Evidence that a row of the mapping states, the firmest first. */
export const writtenEvidenceKinds = ['specified', 'observed', 'assumed'] as const;
/** The same, with rows that `causeway verify` has proven since. */
export const evidenceKinds = ['verified', ...writtenEvidenceKinds] as const;
/** A kind of evidence. */
export type Evidence = (typeof evidenceKinds)[number];
/** Evidence as the row states it, before anything was proven. */
export type WrittenEvidence = (typeof writtenEvidenceKinds)[number];

/** The kinds of evidence in plain words. */
export const evidenceWords: Readonly<Record<Evidence, string>> = {
  verified: 'verified: the service was asked and answered as the mapping says',
  specified: 'specified: the specification says so',
  observed: 'observed: real traffic or the service’s own pages show it',
  assumed: 'assumed: nobody has seen it yet',
};

/** The evidence for the calls of a method, by route. */
export interface RouteEvidence {
  readonly v3: Evidence;
  /** Undefined: the method has no steps for V2. */
  readonly v2: Evidence | undefined;
  /** The days on which the routes were proven. */
  readonly verified: VerifiedOn;
}

/** For each API version the day, such as `2026-11-25`, on which `causeway verify` proved a row. */
export type VerifiedOn = Readonly<Partial<Record<'v1' | 'v3' | 'v2', string>>>;

interface WrittenRow {
  readonly evidence?: { readonly v3: WrittenEvidence; readonly v2?: WrittenEvidence | undefined } | undefined;
  readonly verified?: Readonly<Partial<Record<'v1' | 'v3' | 'v2', string | undefined>>> | undefined;
}

/** The evidence that a row of the mapping states: assumed if it states none, verified if it was proven. */
export function routeEvidence({ evidence, verified }: WrittenRow, hasSteps: boolean): RouteEvidence {
  const kind = (version: 'v3' | 'v2'): Evidence =>
    verified?.[version] === undefined ? (evidence?.[version] ?? 'assumed') : 'verified';
  const days = Object.entries(verified ?? {}).filter(([, day]) => day !== undefined);
  return {
    v3: kind('v3'),
    v2: hasSteps ? kind('v2') : undefined,
    verified: Object.fromEntries(days),
  };
}

/**
 * The evidence for a route, with the day on which it was proven; undefined: the method has no steps there.
 */
export function evidenceText(evidence: RouteEvidence, version: 'v3' | 'v2'): string | undefined {
  const kind = evidence[version];
  const day = evidence.verified[version];
  if (kind === undefined) return undefined;
  return day === undefined ? evidenceWords[kind] : `${evidenceWords[kind]} (${day})`;
}
