/** What of a run was not answered, so that nothing is proven by it. */
import { failures } from '../../../lib/failure.ts';
import { counted } from '../../../lib/text/counted.ts';
import { plainText } from '../../../lib/text/plain-text.ts';
import type { Mapping } from '../../../mapping/compile/model.ts';
import { isRead } from '../../../mapping/compile/reads.ts';
import { refusalsIn } from './known-refusals.ts';
import type { Proof, Reading, Surface } from '../model.ts';
import type { Doubt } from '../probes/probed.ts';

const MOST_WORDS = 3;

/** The state of a method of which not every call was answered; undefined: all were. */
export function unansweredIn(
  readings: readonly Reading[],
  mapping: Mapping,
): Pick<Proof, 'state' | 'words'> | undefined {
  const known = knownTexts(mapping);
  const others = readings.flatMap((reading) => {
    const words = wordsOf(reading, known);
    return words === undefined ? [] : [words];
  });
  if (others.length === 0) return undefined;
  const words = [...new Set(others)].slice(0, MOST_WORDS).join('; ');
  if (others.length < readings.length)
    return { state: 'partly', words: `${others.length} of ${counted(readings.length, 'call')}: ${words}` };
  const isRefused = readings.some(({ outcome }) => outcome.outcome === 'refused');
  return { state: isRefused ? 'refused' : 'failed', words };
}

/** What the bridge itself says of an answer. */
const bridgeTexts: readonly string[] = Object.values(failures).map(({ text }) => text);
const NO_XML = /^it answered \d{3}(?:, and no XML)?$/;

const knownTexts = (mapping: Mapping): ReadonlySet<string> =>
  new Set([...bridgeTexts, ...refusalsIn(mapping)]);

type Unanswered = Exclude<Reading['outcome'], { readonly outcome: 'answered' }>;

const isKnown = (outcome: Unanswered, known: ReadonlySet<string>): boolean =>
  (outcome.outcome === 'failed' && outcome.isOwn === true) ||
  known.has(outcome.words) ||
  NO_XML.test(outcome.words);

/** The words that the report leaves out, for the terminal: whoever runs the command may read them. */
export function hiddenWords(readings: readonly Reading[], mapping: Mapping): readonly string[] {
  const known = knownTexts(mapping);
  const lines = readings.flatMap(({ method, surface, outcome }) =>
    outcome.outcome === 'answered' || isKnown(outcome, known)
      ? []
      : [
          `${surface.toUpperCase()} ${method} was not carried out: ${JSON.stringify(plainText(outcome.words))}`,
        ],
  );
  return [...new Set(lines)];
}

/**
 * Why a call was not answered, or not whole: a reply can be built although a record in it could not be read. The report
 * is for third parties, so it has only words that are known beforehand: others may name a person or a record.
 */
function wordsOf({ outcome, exchanges }: Reading, known: ReadonlySet<string>): string | undefined {
  const failed = exchanges.find(({ status }) => status >= 400 && !isAbsence(status));
  if (outcome.outcome === 'answered')
    return failed && `a request of it was answered with status ${failed.status}`;
  const { words } = outcome;
  if (isKnown(outcome, known)) return words;
  const status = (failed ?? exchanges.at(-1))?.status;
  return `${status === undefined ? '' : `with status ${status}, `}in words that may contain values`;
}

/** A record or an address that is not there; the mapping says which steps may miss. */
const isAbsence = (status: number): boolean => status === 404 || status === 405;

/** States of a method that was called, and not answered each time. */
const unanswered: ReadonlySet<Proof['state']> = new Set(['partly', 'refused', 'failed']);

/** The methods on the APIs that a run was to call. */
export interface Asked {
  readonly proofs: readonly Proof[];
  readonly surfaces: readonly Surface[];
  readonly mapping: Mapping;
  /** What the probes did not find out. */
  readonly unknown: readonly Doubt[];
}

const isReadIn =
  ({ methods }: Mapping) =>
  (id: string): boolean => {
    const method = methods.find((one) => one.id === id);
    return method === undefined || isRead(method);
  };

/** Why a write was not tried, if none was to be. */
export function withReason(proof: Proof, mapping: Mapping, writes: boolean): Proof {
  if (proof.state !== 'untried' || isReadIn(mapping)(proof.method)) return proof;
  if (proof.surface === 'v1') return { ...proof, words: 'V1 is only read' };
  return writes ? proof : { ...proof, words: 'it writes, and --writes was not given' };
}

/**
 * Why the mapping may be wrong where nothing differs. A write can be refused because of the values that were made up
 * for it, a read cannot.
 */
export function doubtsIn({ proofs, surfaces, mapping, unknown }: Asked): readonly string[] {
  const reads = isReadIn(mapping);
  const silent = surfaces.filter(
    (surface) => !proofs.some((proof) => proof.surface === surface && proof.state === 'proven'),
  );
  const names = silent.map((surface) => surface.toUpperCase()).join(' and ');
  const { length } = proofs.filter(({ state, method }) => unanswered.has(state) && reads(method));
  return [
    ...(silent.length === 0 ? [] : [`nothing is proven on ${names}`]),
    ...(length === 0
      ? []
      : [`${counted(length, 'read')} ${length === 1 ? 'was' : 'were'} not answered each time`]),
    ...unknown.flatMap(({ surface, words }) => (silent.includes(surface) ? [] : [words])),
  ];
}
