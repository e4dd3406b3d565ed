/**
 * What the rows of the mapping rest on, so that whoever sets a route knows how much of it somebody has seen.
 *
 * The specification covers the legacy methods of clients and custom fields; it lists V2's operations without the names
 * of their keys. Everything else was observed (real traffic, or what the service itself publishes) or is assumed by
 * analogy. A row has one mark for each route, that of its weakest part: of a read the path and the reply, of a write
 * every path and what is sent. Look-ups of names are left out, because a name that is not found is an error, not a
 * wrong value.
 */

/** What a row of the mapping rests on as it was written, the firmest first. */
export const writtenEvidenceKinds = ['specified', 'observed', 'assumed'] as const;
/** The same, with what `causeway verify` has proven since. */
export const evidenceKinds = ['verified', ...writtenEvidenceKinds] as const;
/** One of them. */
export type Evidence = (typeof evidenceKinds)[number];
/** Before anything was proven. */
export type WrittenEvidence = (typeof writtenEvidenceKinds)[number];

/** The kinds, as people read them. */
export const evidenceWords: Readonly<Record<Evidence, string>> = {
  verified: 'verified: the service was asked and answered as the mapping says',
  specified: 'specified: the specification says so',
  observed: 'observed: real traffic or the service’s own pages show it',
  assumed: 'assumed: nobody has seen it yet',
};

/** What the calls of a method rest on, by route. */
export interface RouteEvidence {
  readonly v3: Evidence;
  /** Undefined: it has no steps for V2. */
  readonly v2: Evidence | undefined;
  /** The days on which they were proven. */
  readonly verified: VerifiedOn;
}

/** For each API version the day, such as `2026-11-25`, on which `causeway verify` proved a row. */
export type VerifiedOn = Readonly<Partial<Record<'v1' | 'v3' | 'v2', string>>>;

interface WrittenRow {
  readonly evidence?: { readonly v3: WrittenEvidence; readonly v2?: WrittenEvidence | undefined } | undefined;
  readonly verified?: Readonly<Partial<Record<'v1' | 'v3' | 'v2', string | undefined>>> | undefined;
}

/** As a row of the mapping states it; what it does not say is assumed, and what was proven is verified. */
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

/** What a route rests on, with the day on which it was proven; undefined: it has no steps there. */
export function evidenceText(evidence: RouteEvidence, version: 'v3' | 'v2'): string | undefined {
  const kind = evidence[version];
  const day = evidence.verified[version];
  if (kind === undefined) return undefined;
  return day === undefined ? evidenceWords[kind] : `${evidenceWords[kind]} (${day})`;
}
