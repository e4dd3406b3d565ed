/**
 * Asks for records that do not exist, to learn V1's words for them, and to check that V3 and V2 do not answer
 * as if they existed.
 */
import { plainText } from '../../../lib/text/plain-text.ts';
import type { KindTable, Method } from '../../../mapping/compile/model.ts';
import { isObject } from '../../../mapping/compile/path.ts';
import { isRead } from '../../../mapping/compile/reads.ts';
import { refusalIn } from '../../../proxy/translate/answer.ts';
import { callOf, type Calling } from '../calling.ts';
import { jsonIn, xmlOf } from '../judging/answers.ts';
import { placeholderOf } from '../known-records.ts';
import { surfaces, type Edit, type Finding, type Surface } from '../model.ts';
import { isAnswer, probed, type Recorder } from '../recorder.ts';
import { isPlainRefusal } from './plain-refusal.ts';
import type { Doubt, Probed } from './probed.ts';

/** Identifiers that no record has. */
const UNKNOWN_NUMBER = '999999999';
const UNKNOWN_UUID = '00000000-0000-4000-8000-00000000dead';

type FileOf = (method: string) => string;

/** What the probes of errors need besides the service. */
export interface ErrorProbeParts {
  readonly fileOf: FileOf;
  /** Tells the person at the terminal what the report must not say. */
  readonly tell: (words: string) => void;
}

/** Asks for one record of each kind that has a method for a single record. An API that does not answer is asked no more. */
export async function probeErrors(calling: Calling, parts: ErrorProbeParts): Promise<Probed> {
  const findings: Finding[] = [];
  const doubts: Doubt[] = [];
  for (const [table, method] of methodsByKind(calling))
    for (const surface of surfaces) {
      if (doubts.some((doubt) => doubt.surface === surface)) continue;
      const found = await (surface === 'v1'
        ? probeV1(calling, method, table, parts)
        : probeMoved(calling, method, surface, table));
      findings.push(...(found ?? []));
      if (found === undefined) doubts.push(doubtOf(surface, table));
    }
  return { findings, limits: [], doubts };
}

const doubtOf = (surface: Surface, { kind }: KindTable): Doubt => ({
  surface,
  words: `what ${surface.toUpperCase()} says of unknown records is not known, because it gave no answer, or a fault, for the ${kind} ${UNKNOWN_NUMBER}`,
});

function methodsByKind({ tried: { mapping } }: Calling): ReadonlyMap<KindTable, Method> {
  const found = new Map<KindTable, Method>();
  for (const method of mapping.methods) {
    const kind = placeholderOf(method, mapping.methods);
    const table = kind === undefined ? undefined : mapping.kinds.get(kind);
    if (table !== undefined && !found.has(table) && isRead(method) && method.reply.form === 'one')
      found.set(table, method);
  }
  return found;
}

/** Undefined if V1 does not answer. */
async function probeV1(
  calling: Calling,
  method: Method,
  { kind, error }: KindTable,
  { fileOf, tell }: ErrorProbeParts,
): Promise<readonly Finding[] | undefined> {
  const { v1 } = calling.parts;
  if (v1 === undefined) return [];
  const { said, fault } = await saidByV1({ calling, v1, method }, error);
  const saying = (more: string, text: string): string =>
    `V1 says of the ${kind} ${UNKNOWN_NUMBER}, ${more}: ${JSON.stringify(plainText(text))}`;
  if (fault !== undefined) tell(saying(`with status ${fault.status}`, fault.words));
  if (said === undefined) return undefined;
  const { status, words } = said;
  if (words === error) return [];
  const base = {
    ...({ kind: 'error', surface: 'v1', row: `identifiers.yaml kinds.${kind}.error` } as const),
    ...{ methods: [method.id], expected: error },
  };
  const because = `V1 was asked for the ${kind} ${UNKNOWN_NUMBER}, which nobody has`;
  if (words === '') return [{ ...base, found: `status ${status} without words`, because, edits: [] }];
  if (!isPlainRefusal(words, UNKNOWN_NUMBER, calling.tried.mapping)) {
    tell(saying('which nobody has', words));
    const others = `status ${status} with words that may contain values`;
    return [{ ...base, found: others, because: `${because}; the terminal showed the words`, edits: [] }];
  }
  return [
    { ...base, found: words, because, edits: wordEdits(calling, { kind, from: error, to: words }, fileOf) },
  ];
}

interface Said {
  readonly status: number;
  /** Empty if there are none. */
  readonly words: string;
}

interface AskedOfV1 {
  readonly calling: Calling;
  readonly v1: NonNullable<Calling['parts']['v1']>;
  readonly method: Method;
}

/** The text of a refusal in XML; empty if there is none. */
const wordsIn = (body: string): string =>
  xmlOf({ body })
    ?.children.find(({ name }) => name === 'ErrorDescription')
    ?.text.trim() ?? '';

/**
 * What V1 says of a record that does not exist; `said` undefined if it does not answer. It answers some faults of calls with
 * status 500, so that status is an answer with the expected words; any others (`fault`) may be about a fault of its own.
 */
async function saidByV1(
  { calling, v1, method }: AskedOfV1,
  expected: string,
): Promise<{ readonly said: Said | undefined; readonly fault: Said | undefined }> {
  const heard: Said[] = [];
  const ask = async (): Promise<Said> => {
    const exchange = await calling.askV1(callOf(method, { values: [UNKNOWN_NUMBER], query: [] }), v1);
    const said = { status: exchange.status, words: wordsIn(exchange.body) };
    heard.push(said);
    return said;
  };
  const said = await probed(ask, v1.pacer, (one) => isAnswer(one) || one.words === expected);
  return { said, fault: said === undefined ? heard.findLast(({ words }) => words !== '') : undefined };
}

/** Steps and look-up tables with the same words concern the same kind, unless two kinds share the words. */
function wordEdits(
  { tried: { mapping } }: Calling,
  { kind, from, to }: { readonly kind: string; readonly from: string; readonly to: string },
  fileOf: FileOf,
): readonly Edit[] {
  const own: Edit = { file: 'identifiers.yaml', at: ['kinds', kind, 'error'], change: 'text', to };
  const isShared = [...mapping.kinds.values()].filter(({ error }) => error === from).length > 1;
  if (isShared) return [own];
  const files = new Set(['v2.yaml', ...mapping.methods.map(({ id }) => fileOf(id))]);
  return [own, ...Array.from(files, (file): Edit => ({ file, at: [], change: 'words', from, to }))];
}

/** Undefined if the API does not answer. V3 may refuse with status 500 as V1 does, in the expected words. */
async function probeMoved(
  calling: Calling,
  method: Method,
  surface: 'v3' | 'v2',
  { error }: KindTable,
): Promise<readonly Finding[] | undefined> {
  const asked = unknownRecord(calling, method, surface);
  if (asked === undefined) return [];
  const { recorder, segments } = asked;
  const answer = await recorder.probe(
    calling.parts.to,
    { verb: 'GET', segments, query: [] },
    (one) => isAnswer(one) || (surface === 'v3' && wordsIn(one.text) === error),
  );
  if (answer === undefined) return undefined;
  const { status, text } = answer;
  const isRefused = surface === 'v2' ? status === 404 : status >= 400 || /<Status>\s*ERROR/i.test(text);
  if (isRefused) return surface === 'v2' ? wordless(method, text) : [];
  const base = { kind: 'error', surface, row: `${method.id}: a record that nobody knows` } as const;
  return [
    {
      ...{ ...base, methods: [method.id], edits: [] },
      ...{ expected: surface === 'v2' ? 'status 404' : 'a refusal', found: `status ${status}` },
      because: 'the bridge takes no other answer for a record that is not there',
    },
  ];
}

/** A refusal in JSON without words that the bridge can find, so that programs get only the status. */
function wordless({ id }: Method, text: string): readonly Finding[] {
  const json = jsonIn(text);
  if (!isObject(json) || refusalIn(json) !== undefined) return [];
  return [
    {
      ...{ kind: 'error', surface: 'v2', row: 'the words of a refusal', methods: [id], edits: [] },
      ...{ expected: 'error.message, errors, message, detail or title' },
      found: `the keys ${Object.keys(json).join(', ')}`,
      because: 'the bridge finds no words there, and says only that the service refused',
    },
  ];
}

interface UnknownRecord {
  readonly recorder: Recorder;
  readonly segments: readonly string[];
}

/** The address of a record that does not exist; undefined on V3 where it uses numbers. */
function unknownRecord(
  { parts: { v3, v2 }, tried: { profile } }: Calling,
  method: Method,
  surface: 'v3' | 'v2',
): UnknownRecord | undefined {
  if (surface === 'v3') {
    const segments = method.v3.segments.map((one) => ('literal' in one ? one.literal : UNKNOWN_UUID));
    return profile.v3.identifiers === 'uuid' ? { recorder: v3, segments } : undefined;
  }
  const steps = method.v2?.way === 'steps' ? method.v2.steps : [];
  const step = steps.find(({ verb, among }) => verb === 'GET' && among === undefined);
  const segments = step?.segments.map(([only, ...rest]) =>
    typeof only === 'string' && rest.length === 0 ? only : UNKNOWN_UUID,
  );
  return v2 === undefined || segments?.includes(UNKNOWN_UUID) !== true
    ? undefined
    : { recorder: v2, segments };
}
