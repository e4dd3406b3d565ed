/**
 * The names that the programs of one account use: methods, query parameters, elements of requests and replies. Names
 * and counts, never values.
 *
 * A program may send any names, so their number is limited: further ones are counted under `OTHER`.
 */
import { packedJson, unpackedJson } from '../../../lib/text/packed-json.ts';
import { DAY } from '../../../lib/time/clock.ts';

/** Replaces a name, or a program, for which there is no room. */
export const OTHER = '(other)';
/** Distinct names of one account within a week: a program that uses all of the API's methods has about 1,500. */
const MOST_NAMES = 2_000;
const MOST_PROGRAMS = 20;
const WEEK_DAYS = 7;
/** Stands for reads without a row in the mapping, which the generic rule serves; earlier releases counted writes here, too. */
export const GENERIC = 'generic';
/** The same for writes. */
export const GENERIC_WRITE = 'generic-write';
/** Calls without a method of the mapping, by the entry in its place. */
const UNNAMED: ReadonlyMap<string, string> = new Map([
  ['none', 'calls of no method'],
  [GENERIC, 'methods that the mapping does not have'],
  [GENERIC_WRITE, 'writes of methods that the mapping does not have'],
]);
/** Whether the calls under this name are those of a method. */
export const isMethod = (id: string): boolean => !UNNAMED.has(id);
/** The text for the name of a method. */
export const methodWords = (id: string): string => UNNAMED.get(id) ?? id;
/** How many weeks before the present one are kept. */
export const WEEKS_KEPT = 5;

/** How often a name was seen, and the first and the last day, in days since the epoch. */
export interface Met {
  count: number;
  first: number;
  last: number;
}

/** Counts by name. */
export type Names = Map<string, Met>;

/** How one program uses one method. Times in milliseconds since the epoch. */
export interface MethodUse {
  calls: number;
  failed: number;
  first: number;
  last: number;
  /** Calls by the source of the answer: `v1`, `v2`, `v3`, `bridge`. */
  readonly sources: Map<string, number>;
  /** Calls by day since the epoch. */
  readonly days: Map<number, number>;
  /** How many requests and replies were read for their elements: a sample of the calls. */
  requests: number;
  replies: number;
  /** Bytes of the replies that were read: the sizes of others are compared with these. */
  bytes: number;
  readonly parameters: Names;
  /** Elements with a value, as paths from the root of the message. */
  readonly sent: Names;
  /** The same for replies, as paths below `Response`. */
  readonly received: Names;
}

/** One program of an account. */
export interface ProgramUse {
  /** The product name that it gives itself; empty if it gives none. */
  readonly agent: string;
  readonly methods: Map<string, MethodUse>;
}

/** The programs of an account, by their keys (`Programs`). */
export interface AccountUse {
  readonly programs: Map<string, ProgramUse>;
  /** How many distinct names it holds. */
  names: number;
}

/** One call with the names found in it. */
export interface CallNames {
  readonly at: number;
  readonly program: { readonly key: string; readonly agent: string };
  readonly method: string;
  readonly source: string;
  readonly failed: boolean;
  readonly parameters: readonly string[];
  /** Undefined if it was not read. */
  readonly sent: ReadonlyMap<string, number> | undefined;
  readonly received: ReadonlyMap<string, number> | undefined;
  /** How many bytes of the reply were read. */
  readonly bytes?: number | undefined;
}

/** The state before any call. */
export const noUse = (): AccountUse => ({ programs: new Map(), names: 0 });

/** Days since the epoch. */
export const dayOf = (at: number): number => Math.floor(at / DAY);
/** Weeks since the epoch. */
export const weekOf = (at: number): number => Math.floor(at / (WEEK_DAYS * DAY));

/** Adds one call. */
export function addCall(use: AccountUse, call: CallNames): void {
  const { at, source, parameters, sent, received, bytes = 0 } = call;
  const method = methodIn(use, call.program.key, call.program.agent, call.method);
  const day = dayOf(at);
  const figures = { calls: 1, failed: call.failed ? 1 : 0, first: at, last: at };
  addFigures(method, { ...figures, requests: 0, replies: 0, bytes: 0 });
  addCount(method.sources, source, 1);
  addCount(method.days, day, 1);
  for (const name of parameters) addName(use, method.parameters, name, { count: 1, first: day, last: day });
  if (sent !== undefined) {
    method.requests += 1;
    for (const [name, count] of sent) addName(use, method.sent, name, { count, first: day, last: day });
  }
  if (received === undefined) return;
  method.replies += 1;
  method.bytes += bytes;
  for (const [name, count] of received) addName(use, method.received, name, { count, first: day, last: day });
}

/** Adds everything in `more` to `use`, which stays within the limits; `most`: distinct names. */
export function addUse(use: AccountUse, more: AccountUse, most = MOST_NAMES): void {
  for (const [key, { agent, methods }] of more.programs)
    for (const [id, added] of methods) {
      const method = methodIn(use, key, agent, id);
      addFigures(method, added);
      for (const [source, calls] of added.sources) addCount(method.sources, source, calls);
      for (const [day, calls] of added.days) addCount(method.days, day, calls);
      for (const kind of ['parameters', 'sent', 'received'] as const)
        for (const [name, met] of added[kind]) addName(use, method[kind], name, met, most);
    }
}

function methodIn({ programs }: AccountUse, key: string, agent: string, id: string): MethodUse {
  const isKnown = programs.has(key) || programs.size < MOST_PROGRAMS;
  const kept = isKnown ? key : OTHER;
  let program = programs.get(kept);
  if (program === undefined)
    programs.set(kept, (program = { agent: isKnown ? agent : '', methods: new Map() }));
  let method = program.methods.get(id);
  if (method === undefined) program.methods.set(id, (method = noCalls()));
  return method;
}

const noCalls = (): MethodUse => ({
  ...{ calls: 0, failed: 0, first: Infinity, last: 0, requests: 0, replies: 0, bytes: 0 },
  ...{ sources: new Map(), days: new Map() },
  ...{ parameters: new Map(), sent: new Map(), received: new Map() },
});

type Figures = Pick<MethodUse, 'calls' | 'failed' | 'first' | 'last' | 'requests' | 'replies' | 'bytes'>;

function addFigures(
  method: MethodUse,
  { calls, failed, first, last, requests, replies, bytes }: Figures,
): void {
  method.calls += calls;
  method.failed += failed;
  method.requests += requests;
  method.replies += replies;
  method.bytes += bytes;
  method.first = Math.min(method.first, first);
  method.last = Math.max(method.last, last);
}

function addCount<Key>(counts: Map<Key, number>, key: Key, count: number): void {
  counts.set(key, (counts.get(key) ?? 0) + count);
}

function addName(
  use: AccountUse,
  names: Names,
  name: string,
  { count, first, last }: Met,
  most = MOST_NAMES,
): void {
  const kept = names.has(name) || use.names < most ? name : OTHER;
  const met = names.get(kept);
  if (met === undefined) {
    names.set(kept, { count, first, last });
    use.names += 1;
    return;
  }
  met.count += count;
  met.first = Math.min(met.first, first);
  met.last = Math.max(met.last, last);
}

/** The use of one method by all programs of an account together. */
export interface Used {
  readonly id: string;
  calls: number;
  requests: number;
  readonly parameters: Map<string, number>;
  readonly sent: Map<string, number>;
  readonly received: Map<string, number>;
}

/** The use of each method by all programs. */
export function usedIn({ programs }: AccountUse): ReadonlyMap<string, Used> {
  const used = new Map<string, Used>();
  for (const { methods } of programs.values())
    for (const [id, { calls: all, failed, requests, parameters, sent, received }] of methods) {
      // A name that has no row and failed is not a method: it is a typing error, or a stranger's attempt.
      const calls = isMethod(id) ? all : all - failed;
      if (calls === 0) continue;
      const one = used.get(id) ?? noneOf(id);
      used.set(id, one);
      one.calls += calls;
      one.requests += requests;
      addAll(one.parameters, parameters);
      addAll(one.sent, sent);
      addAll(one.received, received);
    }
  return used;
}

const noneOf = (id: string): Used => ({
  ...{ id, calls: 0, requests: 0, parameters: new Map(), sent: new Map(), received: new Map() },
});

function addAll(counts: Map<string, number>, names: Names): void {
  for (const [name, { count }] of names) counts.set(name, (counts.get(name) ?? 0) + count);
}

type Packed = readonly (readonly [key: string, agent: string, methods: readonly PackedMethod[]])[];
type PackedNames = readonly (readonly [name: string, count: number, first: number, last: number])[];
interface PackedMethod extends Omit<Figures, 'bytes'> {
  /** Missing in weeks that were written before sizes were kept. */
  readonly bytes?: number;
  readonly id: string;
  readonly sources: readonly (readonly [string, number])[];
  readonly days: readonly (readonly [number, number])[];
  readonly names: readonly [parameters: PackedNames, sent: PackedNames, received: PackedNames];
}

/** Packs it into one text of base64. */
export async function packedUse({ programs }: AccountUse): Promise<string> {
  const packed: Packed = Array.from(programs, ([key, { agent, methods }]) => [
    key,
    agent,
    Array.from(methods, ([id, { sources, days, parameters, sent, received, ...figures }]) => ({
      ...{ id, ...figures, sources: [...sources], days: [...days] },
      names: [packedNames(parameters), packedNames(sent), packedNames(received)] as const,
    })),
  ]);
  return packedJson(packed);
}

const packedNames = (names: Names): PackedNames =>
  Array.from(names, ([name, { count, first, last }]) => [name, count, first, last]);

/** Restores it from a text that `packedUse` made. */
export async function unpackedUse(text: string): Promise<AccountUse> {
  const packed = (await unpackedJson(text)) as Packed;
  const use = noUse();
  for (const [key, agent, methods] of packed) {
    const program: ProgramUse = { agent, methods: new Map() };
    use.programs.set(key, program);
    for (const { id, sources, days, names, bytes = 0, ...figures } of methods) {
      const [parameters, sent, received] = names.map(unpackedNames);
      const named = {
        parameters: parameters ?? new Map(),
        sent: sent ?? new Map(),
        received: received ?? new Map(),
      };
      program.methods.set(id, {
        ...figures,
        bytes,
        ...named,
        sources: new Map(sources),
        days: new Map(days),
      });
      use.names += named.parameters.size + named.sent.size + named.received.size;
    }
  }
  return use;
}

const unpackedNames = (names: PackedNames): Names =>
  new Map(names.map(([name, count, first, last]) => [name, { count, first, last }]));
