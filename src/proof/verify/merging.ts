/** Merges what the rounds of one run found. */
import { isDeepStrictEqual } from 'node:util';
import type { VerifiedOn } from '../../mapping/evidence.ts';
import type { Mapping } from '../../mapping/compile/model.ts';
import type { V2Step } from '../../mapping/compile/v2/v2-model.ts';
import { isRead } from '../../mapping/compile/reads.ts';
import type { Finding, Judgement, Proof, Reading, Surface } from './model.ts';

/** A method on a surface: `client.get v2`. */
export const keyOf = ({ method, surface }: { readonly method: string; readonly surface: Surface }): string =>
  `${method} ${surface}`;

/** Tells one difference from another, whatever was found instead. */
export const placeOf = ({ kind, surface, row }: Finding): string => `${surface} ${kind} ${row}`;

/**
 * The differences of a run, of which `left` are seen with the mapping as it was called last. A difference that the
 * corrected mapping still shows was not corrected, and its edits are left out of the patch: half a correction is worse
 * than none. So are all edits of an incomplete run, which has not tried them to the end. A value that a write did not keep,
 * and has kept with the corrected mapping (`readings`), was sent or read under a wrong name.
 */
export function reported(
  found: readonly Finding[],
  left: readonly Finding[],
  isComplete: boolean,
  readings: readonly Reading[],
): readonly Finding[] {
  const kept = new Set(readings.flatMap(placesKept));
  const stays = new Set(left.map(placeOf));
  const all = isComplete ? found : explained(found);
  const findings = all.flatMap((finding) => {
    const place = placeOf(finding);
    if (stays.has(place)) return [{ ...finding, edits: [] }];
    return kept.has(place) ? [] : [finding];
  });
  return explained(findings);
}

/** The places of the values that a write has kept, which are differences where another one has lost them. */
const placesKept = ({ method, surface, kept = [] }: Reading): readonly string[] =>
  kept.map((element) => `${surface} kept ${method} ${element}`);

/** Drops a finding about a missing name if another answer showed that it has been renamed. */
function explained(findings: readonly Finding[]): readonly Finding[] {
  const renamed = new Set(
    findings.flatMap(({ kind, surface, row, edits }) =>
      kind === 'name' && edits.length > 0 ? [`${surface} ${row}`] : [],
    ),
  );
  return findings.filter(({ kind, surface, row }) => kind !== 'missing' || !renamed.has(`${surface} ${row}`));
}

/** Keeps each finding once; a correction is not looked for again. */
export function merged(findings: readonly Finding[]): readonly Finding[] {
  const places = new Map<string, Finding>();
  for (const finding of findings) {
    const place = `${placeOf(finding)} ${finding.expected}`;
    if (!places.has(place)) places.set(place, finding);
  }
  return [...places.values()];
}

/**
 * The proofs after a further round, for a report without a patch: a method that differed from the mapping still does,
 * although the corrected mapping proves it. The methods in `left` were not called again.
 */
export function proofsSince(
  before: readonly Proof[],
  since: readonly Proof[],
  left: ReadonlySet<string>,
): readonly Proof[] {
  const known = new Map(before.map((proof) => [keyOf(proof), proof]));
  return since.map((proof) => {
    const earlier = known.get(keyOf(proof));
    return earlier !== undefined && (earlier.state === 'differs' || left.has(keyOf(proof))) ? earlier : proof;
  });
}

/** A method that could not be called again is what it was before: a correction alone proves nothing. */
export function withUncalled(
  { proofs, findings, remarks }: Judgement,
  before: Judgement,
  uncalled: ReadonlySet<string>,
): Judgement {
  const known = new Map(before.proofs.map((proof) => [keyOf(proof), proof]));
  const isUncalled = ({ methods, surface }: Finding): boolean =>
    methods.length > 0 && methods.every((method) => uncalled.has(keyOf({ method, surface })));
  return {
    proofs: proofs.map((proof) => (uncalled.has(keyOf(proof)) ? (known.get(keyOf(proof)) ?? proof) : proof)),
    findings: [...findings, ...before.findings.filter(isUncalled)],
    remarks,
  };
}

/** The keys of V2 with another name, by the mapping's name. */
export const renamedKeys = (findings: readonly Finding[]): ReadonlyMap<string, string> =>
  new Map(
    findings.flatMap(({ kind, surface, expected, found = '' }) =>
      kind === 'name' && surface === 'v2' ? [[lastKey(expected), lastKey(found)] as const] : [],
    ),
  );

const lastKey = (path: string): string => path.split('.').at(-1) ?? '';

/**
 * The methods to call with a corrected mapping: those that it may prove, and those of which it changes an address,
 * proven or not. An accepted write would show no more, and a refused one is refused again if nothing of it has changed.
 */
export function toCallAgain(proofs: readonly Proof[], before: Mapping, after: Mapping): ReadonlySet<string> {
  const [addresses, corrected] = [addressesIn(before), addressesIn(after)];
  const unchanged = unchangedWrites(before, after);
  const isOpen = (key: string, state: Proof['state']): boolean => {
    if (addresses.get(key) !== corrected.get(key)) return true;
    if (state === 'proven' || state === 'accepted') return false;
    return state === 'untried' || !unchanged.has(key);
  };
  return new Set(proofs.flatMap((proof) => (isOpen(keyOf(proof), proof.state) ? [keyOf(proof)] : [])));
}

/** The writes of which a correction changes nothing. */
function unchangedWrites(before: Mapping, after: Mapping): ReadonlySet<string> {
  const known = new Map(before.methods.map((method) => [method.id, method]));
  const same = after.methods.filter(
    (method) => !isRead(method) && isDeepStrictEqual(method, known.get(method.id)),
  );
  const onV2 = isDeepStrictEqual(before.v2.lookups, after.v2.lookups) ? same : [];
  return new Set([...same.map(({ id }) => `${id} v3`), ...onV2.map(({ id }) => `${id} v2`)]);
}

/** What V3 and V2 are asked for, by method and surface. */
const addressesIn = ({ methods }: Mapping): ReadonlyMap<string, string> =>
  new Map(
    methods.flatMap(({ id, v3, v2 }) => [
      [`${id} v3`, JSON.stringify(v3)] as const,
      [`${id} v2`, v2?.way === 'steps' ? JSON.stringify(v2.steps.map(addressOf)) : ''] as const,
    ]),
  );

const addressOf = ({ verb, segments, before }: V2Step): unknown => [
  verb,
  segments,
  before && addressOf(before),
];

/** The rows that were proven, with the day. */
export function verifiedOn(proofs: readonly Proof[], day: string): Readonly<Record<string, VerifiedOn>> {
  const days: Record<string, VerifiedOn> = {};
  for (const { method, surface, state } of proofs)
    if (state === 'proven') days[method] = { ...days[method], [surface]: day };
  return days;
}
