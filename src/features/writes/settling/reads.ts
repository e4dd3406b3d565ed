import type { FailureCode, Source } from '../../../lib/failure.ts';
import { DAY, MINUTE } from '../../../lib/time/clock.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import { dayOf } from '../../../mapping/formats.ts';
import type { UuidId, Unmet } from '../../../mapping/crosswalk/identifier.ts';
import type { Place, SettleChanged, SettleGone, SettleRead } from '../../../mapping/settle/model.ts';
import type { WriteAnswer, WriteFacts } from '../model.ts';
import { sentText, shownIn, type Sent } from './fit.ts';
import type { Verdict } from './verdict.ts';

/** A read of the bridge's own, in the legacy form. */
export interface LegacyRead {
  readonly accountId: string;
  readonly segments: readonly string[];
  readonly query: readonly (readonly [string, string])[];
  /** A caller is waiting for the result. */
  readonly isUrgent: boolean;
  readonly signal: AbortSignal;
  /** Records that the answer shows by their UUIDs. */
  readonly unmet?: Unmet | undefined;
}

/** `refused`: the service's own refusal. `failed`: it says nothing about the record. */
export type ReadAnswer =
  | {
      readonly answer: 'read';
      readonly source: Source;
      readonly contentType: string;
      readonly text: string;
      readonly root: XmlElement;
      /** Passed on from the read. */
      readonly unmet?: Unmet | undefined;
    }
  | { readonly answer: 'refused'; readonly words: string }
  | {
      readonly answer: 'failed';
      readonly words: string;
      readonly code?: FailureCode;
      /** Of an answer of V1 that was passed on. */
      readonly status?: number;
      /** The same read would fail again. */
      readonly isLasting?: boolean;
      /** The answer is too long to be judged, and will be. */
      readonly isTooLong?: boolean;
      /** It is a reply of the service, but the bridge refuses its XML, as it will again. */
      readonly isUnreadable?: boolean;
    };

/** Reads what an account would see, by the account's route. Never rejects. */
export interface LegacyReads {
  read(request: LegacyRead): Promise<ReadAnswer>;
  /**
   * The number of a record that a write created: the one it has, otherwise the one assigned to it. May
   * reject.
   */
  number(accountId: string, id: UuidId, allotted: number | undefined): Promise<number | undefined>;
}

/** The values for the placeholders of a read. */
export interface ReadValues {
  readonly method: Method;
  readonly facts: WriteFacts;
  readonly sent: Sent;
  /** Milliseconds since the epoch: the start of the earliest write that is looked for, and now. */
  readonly since: number;
  readonly now: number;
  readonly made?: string | undefined;
}

/** The clocks of bridge and service may differ by this much. */
const SKEW = 15 * MINUTE;

/** Undefined: the message does not say what would have to be read. */
export function requestOf(
  read: SettleRead,
  asked: ReadValues,
): Pick<LegacyRead, 'segments' | 'query'> | undefined {
  const segments = read.segments.map((part) => (typeof part === 'string' ? part : valueOf(part, asked)));
  const query = read.query.map(([name, template]) => [name, filled(template, read, asked)] as const);
  const isKnown = [...segments, ...query.map(([, value]) => value)].every(
    (text) => text !== undefined && text !== '',
  );
  if (!isKnown) return undefined;
  return {
    segments: segments.map((text) => text ?? ''),
    query: query.map(([name, value]) => [name, value ?? ''] as const),
  };
}

function valueOf(place: Place, { method, facts, sent, made }: ReadValues): string | undefined {
  switch (place.from) {
    case 'made':
      return made;
    case 'body':
      return sentText(sent, place.names);
    case 'path':
      return inPath(method, facts.segments, place.kind);
  }
}

function inPath({ legacy }: Method, given: readonly string[], kind: string): string | undefined {
  for (const { segments } of legacy) {
    const isIt =
      segments.length === given.length &&
      segments.every((one, index) => !('literal' in one) || one.literal === given[index]?.toLowerCase());
    const at = segments.findIndex((one) => 'kind' in one && one.kind === kind);
    if (isIt && at >= 0) return given[at];
  }
  return undefined;
}

function filled(template: string, read: SettleRead, asked: ReadValues): string | undefined {
  const since = asked.since - SKEW;
  switch (template) {
    case '{since}':
      return new Date(since).toISOString().slice(0, 19);
    case '{sinceDay}':
      return `${isoDay(since - DAY)}T00:00:00`;
    case '{from}':
      return compact([isoDay(since - DAY), ...daysOf(read, asked)].toSorted()[0]);
    case '{to}':
      return compact([isoDay(asked.now + DAY), ...daysOf(read, asked)].toSorted().at(-1));
    default:
      return template.startsWith('{day.') ? compact(dayOf(inMessage(template, asked))) : template;
  }
}

const inMessage = (template: string, { sent }: ReadValues): string =>
  sentText(sent, [template.slice('{day.'.length, -1).toLowerCase()]) ?? '';

const daysOf = ({ days }: SettleRead, { sent }: ReadValues): readonly string[] =>
  days.flatMap((names) => dayOf(sentText(sent, names) ?? '') ?? []);

const isoDay = (at: number): string => new Date(at).toISOString().slice(0, 10);
const compact = (day: string | undefined): string | undefined => day?.replaceAll('-', '');

/** The records of an answer, by the names below `Response`. */
export function recordsAt(root: XmlElement, at: readonly string[]): readonly XmlElement[] {
  return at.reduce<readonly XmlElement[]>(
    (found, name) => found.flatMap(({ children }) => children.filter((child) => child.name === name)),
    [root],
  );
}

/** `failed`: a read failed, which says nothing about the write. */
export type LookOutcome =
  | (Verdict & { readonly answer?: WriteAnswer | undefined; readonly kind?: string | undefined })
  | { readonly verdict: 'failed'; readonly note: string };

/** A reply of the service that shows records. */
export type Read = Extract<ReadAnswer, { answer: 'read' }>;
/** What a read of a lookup came to; `seen`: that ends the lookup. */
export type Shown = { readonly read: Read } | { readonly refused: string } | { readonly seen: LookOutcome };

/** The record that a change is about, and all that the read shows. */
export function recordsIn(shown: Exclude<Shown, { seen: LookOutcome }>, settle: SettleChanged, sent: Sent) {
  if (!('read' in shown)) return { record: undefined, records: [], source: 'bridge' } as const;
  const { read } = shown;
  return {
    record: recordIn(read, settle, sent),
    records: recordsAt(read.root, settle.read.at),
    source: read.source,
  };
}

function recordIn({ root }: Read, { read, find }: SettleChanged, sent: Sent): XmlElement | undefined {
  const records = recordsAt(root, read.at);
  if (find === undefined) return records[0];
  const key = sentText(sent, find.sent);
  return records.find((record) => shownIn(record, [find.shown]) === key);
}

/** Whether an answer that shows no record says that it is gone. */
export function saysGone(
  shown: Exclude<Shown, { seen: LookOutcome }>,
  { words, isAll }: SettleGone,
): boolean {
  if (!('refused' in shown)) return isAll;
  const text = shown.refused.trim().toLowerCase();
  return words.some((one) => text.startsWith(one.toLowerCase()));
}
