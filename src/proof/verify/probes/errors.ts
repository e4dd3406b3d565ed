/**
 * Asks for records that do not exist, to learn V1's words for them, and to check that V3 and V2 do not answer
 * as if they existed.
 */
import { xmlOf } from '../judging/answers.ts';
import type { Edit, Finding } from '../model.ts';
import { isObject } from '../../../mapping/compile/path.ts';
import { refusalIn } from '../../../proxy/translate/answer.ts';
import { Failure } from '../../../lib/failure.ts';
import { isRead } from '../../../mapping/compile/reads.ts';
import type { KindTable, Method } from '../../../mapping/compile/model.ts';
import { callOf, callSignal, type Calling } from '../calling.ts';
import { placeholderOf } from '../known-records.ts';
import type { Recorder } from '../recorder.ts';

/** Identifiers that no record has. */
const UNKNOWN_NUMBER = '999999999';
const UNKNOWN_UUID = '00000000-0000-4000-8000-00000000dead';

type FileOf = (method: string) => string;

/** Asks for one record of each kind that has a method for a single record. */
export async function probeErrors(calling: Calling, fileOf: FileOf): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const [table, method] of methodsByKind(calling)) {
    const one = await probeV1(calling, method, table, fileOf).catch(ignored);
    const others = await probeMoved(calling, method).catch(ignored);
    findings.push(...(one ?? []), ...(others ?? []));
  }
  return findings;
}

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

/** A call that the service did not answer proves nothing. */
const ignored = (error: unknown): undefined => {
  if (!(error instanceof Failure)) throw error;
  return undefined;
};

async function probeV1(
  calling: Calling,
  method: Method,
  { kind, error }: { readonly kind: string; readonly error: string },
  fileOf: FileOf,
): Promise<readonly Finding[]> {
  const { v1 } = calling.parts;
  if (v1 === undefined) return [];
  const exchange = await calling.askV1(callOf(method, { values: [UNKNOWN_NUMBER], query: [] }), v1);
  const root = xmlOf(exchange);
  const words = root?.children.find(({ name }) => name === 'ErrorDescription')?.text.trim();
  if (words === error) return [];
  const base = {
    kind: 'error',
    surface: 'v1',
    row: `identifiers.yaml kinds.${kind}.error`,
    methods: [method.id],
  } as const;
  const because = `V1 was asked for the ${kind} ${UNKNOWN_NUMBER}, which nobody has`;
  if (words === undefined || words === '')
    return [
      { ...base, expected: error, found: `status ${exchange.status} without words`, because, edits: [] },
    ];
  const edits = wordEdits(calling, { kind, from: error, to: words }, fileOf);
  return [{ ...base, expected: error, found: words, because, edits }];
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

async function probeMoved(calling: Calling, method: Method): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  for (const { surface, recorder, segments } of unknownRecords(calling, method)) {
    const { status, text } = await recorder.ask(calling.parts.to, {
      verb: 'GET',
      segments,
      query: [],
      signal: callSignal(),
    });
    const isRefused = surface === 'v2' ? status === 404 : status >= 400 || /<Status>\s*ERROR/i.test(text);
    if (isRefused && surface === 'v2') findings.push(...wordless(method, text));
    if (!isRefused)
      findings.push({
        ...{
          kind: 'error',
          surface,
          row: `${method.id}: a record that nobody knows`,
          methods: [method.id],
          edits: [],
        },
        ...{ expected: surface === 'v2' ? 'status 404' : 'a refusal', found: `status ${status}` },
        because: 'the bridge takes no other answer for a record that is not there',
      });
  }
  return findings;
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

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface UnknownRecord {
  readonly surface: 'v3' | 'v2';
  readonly recorder: Recorder;
  readonly segments: readonly string[];
}

/** The addresses of a record that does not exist; V3 is left out where it uses numbers. */
function unknownRecords(
  { parts: { v3, v2 }, tried: { profile } }: Calling,
  method: Method,
): readonly UnknownRecord[] {
  const onV3 = method.v3.segments.map((one) => ('literal' in one ? one.literal : UNKNOWN_UUID));
  const steps = method.v2?.way === 'steps' ? method.v2.steps : [];
  const step = steps.find(({ verb, among }) => verb === 'GET' && among === undefined);
  const onV2 = step?.segments.map(([only, ...rest]) =>
    typeof only === 'string' && rest.length === 0 ? only : UNKNOWN_UUID,
  );
  return [
    ...(profile.v3.identifiers === 'uuid' ? [{ surface: 'v3', recorder: v3, segments: onV3 } as const] : []),
    ...(v2 !== undefined && onV2?.includes(UNKNOWN_UUID) === true
      ? [{ surface: 'v2', recorder: v2, segments: onV2 } as const]
      : []),
  ];
}
