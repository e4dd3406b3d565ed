/**
 * Tries the V2 translation of a method on a pasted sample, without any service, for the console's page of routes.
 *
 * `SampleService` replaces V2: it answers from the sample, and answers calls that the sample does not cover with a
 * record that has only an identifier. Numbers and UUIDs are invented. The result is the reply a program would get, or
 * its failure, with the requests that would have been sent and what was lost.
 */
import { DEFAULT_APPLICATION } from '../upstream/application.ts';
import { Trace, type LegacyCall } from './call/call.ts';
import { systemClock } from '../lib/time/clock.ts';
import { Failure } from '../lib/failure.ts';
import type { MappingSample, MappingTrial } from '../mapping/mapping-trial.ts';
import type { Profile } from '../upstream/profile.ts';
import { Secret } from '../lib/secret/secret.ts';
import type { UpstreamAnswer, UpstreamRequest } from '../upstream/model.ts';
import { isUuid } from '../lib/text/uuid.ts';
import type { Translation } from './identifiers.ts';
import { dropLosses } from '../mapping/lossy-writes.ts';
import { openReply } from '../mapping/dialect.ts';
import { TEXT_NUMBER, type Mapping, type Method } from '../mapping/compile/model.ts';
import { parseJson } from './translate/json/json.ts';
import { BodyReader } from './call/body-reader.ts';
import { SlashedNumbers } from './call/slashes.ts';
import { LookupCache } from './translate/lookups/lookup-cache.ts';
import { TranslateMethod } from './translate/translate.ts';

/** A method or sample that cannot be tried; the message says why. */
export class CannotTry extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'CannotTry';
  }
}

/** Translates one call of the method `id` with the sample. Throws `CannotTry`. */
export async function tryMapping(
  mapping: Mapping,
  profile: Profile,
  id: string,
  sample: MappingSample,
): Promise<MappingTrial> {
  const method = mapping.methods.find((candidate) => candidate.id === id);
  if (method === undefined) throw new CannotTry(`there is no method ${id}`);
  if (method.v2?.way !== 'steps')
    throw new CannotTry(`${id} has no steps for V2${method.v2 === undefined ? '' : `: ${method.v2.why}`}`);
  const service = new SampleService(answersOf(sample.json));
  const translate = new TranslateMethod(
    {
      endpoint: service,
      profile,
      body: new BodyReader(),
      lookupCache: new LookupCache(mapping.v2, systemClock),
      kinds: mapping.kinds,
      clock: systemClock,
      numbers: new SlashedNumbers(mapping.methods),
      standIn: false,
      lossyWrites: dropLosses,
    },
    method,
    method.v2,
  );
  const { call, values } = sampleCall(method, sample);
  const { trace } = call;
  const left = (): Omit<MappingTrial, 'reply' | 'failure'> => ({
    requests: service.requests,
    dropped: [...trace.dropped],
    defaulted: [...trace.defaulted],
    rounded: [...trace.rounded],
    replaced: trace.replaced,
  });
  try {
    const { body } = await translate.serve({
      call,
      to: NOBODY,
      ids: inventedIds(),
      link: (url) => url,
      values,
      open: openReply(call.segments),
    });
    const reply = await textOf(body);
    service.checkAllUsed(id);
    return { ...left(), reply, failure: undefined };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const failure = error.code === 'upstreamAnswer' ? `${error.text}: ${SAMPLE_FORM}` : error.text;
    return { ...left(), reply: undefined, failure };
  }
}

const NOBODY = {
  accountId: 'trial',
  product: 'standard',
  application: DEFAULT_APPLICATION,
  grantId: 'trial',
  organisationId: 'trial',
} as const;

type Answers = ReadonlyMap<string, unknown> | { readonly whole: unknown };

const CALL = /^(GET|POST|PUT|DELETE) \/v2\//;

function answersOf(text: string | undefined): Answers {
  if (text === undefined) return new Map();
  let json: unknown;
  try {
    json = parseJson(text);
  } catch {
    throw new CannotTry('the sample is not JSON');
  }
  const calls = typeof json === 'object' && json !== null ? Object.entries(json) : [];
  return calls.length > 0 && calls.every(([call]) => CALL.test(call)) ? new Map(calls) : { whole: json };
}

/** A message unchanged; a file as its length and type. */
function shownBody(body: UpstreamRequest['body']): string | undefined {
  if (body === undefined || typeof body === 'string') return body;
  if (Buffer.isBuffer(body)) return body.toString();
  return 'bytes' in body
    ? `(${body.bytes.length} bytes of ${body.contentType.split(';')[0] ?? ''})`
    : '(a body that is not held)';
}

/** Acts as V2, with answers from a sample. */
class SampleService {
  readonly requests: { readonly call: string; readonly body: string | undefined }[] = [];
  readonly #answers: Answers;
  readonly #used = new Set<string>();
  /** The parameters of a list's first pass, by call. */
  readonly #passes = new Map<string, string>();
  #given = false;

  constructor(answers: Answers) {
    this.#answers = answers;
  }

  async send(_to: unknown, { verb, segments, query, body }: UpstreamRequest): Promise<UpstreamAnswer> {
    const path = `/v2/${segments.join('/')}`;
    const shown =
      query.length === 0
        ? ''
        : `?${new URLSearchParams(query.map(([name, value]): [string, string] => [name, value])).toString()}`;
    this.requests.push({
      call: `${verb} ${path}${shown}`,
      body: shownBody(body),
    });
    return {
      status: 200,
      contentType: 'application/json',
      headers: {},
      body: once(JSON.stringify(this.#answer(verb, path, query))),
      millis: 0,
    };
  }

  async fetch(): Promise<UpstreamAnswer> {
    throw new CannotTry('no mapping fetches a file');
  }

  /** Throws `CannotTry` if the sample has an answer to a call that was not made. */
  checkAllUsed(method: string): void {
    const [unused] =
      'whole' in this.#answers ? [] : [...this.#answers.keys()].filter((one) => !this.#used.has(one));
    if (unused === undefined) return;
    const made = this.requests.map(({ call }) => call).join(', ');
    throw new CannotTry(`with this sample ${method} does not call ${unused}; its calls: ${made || 'none'}`);
  }

  #answer(verb: string, path: string, query: UpstreamRequest['query']): unknown {
    const page = query.find(([name]) => name.toLowerCase() === 'page')?.[1];
    if (page !== undefined && page !== '1') return { data: [] };
    const given = page === undefined ? this.#of(verb, path, query) : this.#ofPass(verb, path, query);
    return given ?? { data: page === undefined ? { uuid: INVENTED } : [] };
  }

  /** Only the first pass over a list is answered from the sample; each further pass would print the list again. */
  #ofPass(verb: string, path: string, query: UpstreamRequest['query']): unknown {
    const call = `${verb} ${path}`;
    const pass = new URLSearchParams(withoutPage(query)).toString();
    const first = this.#passes.get(call) ?? pass;
    this.#passes.set(call, first);
    return first === pass ? this.#of(verb, path, query) : this.#named(call, query);
  }

  #of(verb: string, path: string, query: UpstreamRequest['query']): unknown {
    const call = `${verb} ${path}`;
    if (!('whole' in this.#answers)) return this.#named(call, query) ?? this.#plain(this.#answers, call);
    if (this.#given || verb !== 'GET') return undefined;
    this.#given = true;
    return this.#answers.whole;
  }

  #plain(answers: ReadonlyMap<string, unknown>, call: string): unknown {
    this.#used.add(call);
    return answers.get(call);
  }

  /** A sample answer named with parameters, `GET /v2/clients?status=archived`, all of which the call has. */
  #named(call: string, query: UpstreamRequest['query']): unknown {
    if ('whole' in this.#answers) return undefined;
    for (const [name, answer] of this.#answers) {
      const [to, wanted] = name.split('?', 2);
      if (to !== call || wanted === undefined) continue;
      const parameters = [...new URLSearchParams(wanted)];
      if (parameters.every(([key, value]) => query.some((one) => one[0] === key && one[1] === value))) {
        this.#used.add(name);
        return answer;
      }
    }
    return undefined;
  }
}

const withoutPage = (query: UpstreamRequest['query']): [string, string][] =>
  query.flatMap(([name, value]) => (name.toLowerCase() === 'page' ? [] : [[name, value]]));

const SAMPLE_FORM =
  'a sample is what V2 answers to the first call, {"data": [ … ]} or {"data": { … }}, or several answers by call, {"GET /v2/clients": { … }}';

const INVENTED = '00000000-0000-4000-8000-000000000000';

async function* once(text: string): AsyncGenerator<Buffer> {
  yield Buffer.from(text);
}

/** Numbers in the order in which UUIDs appear; UUIDs that contain the number. */
function inventedIds(): Translation {
  const numbers = new Map<string, string>();
  return {
    toV3: async (walk) =>
      walk((_kind, text) =>
        text === '' || isUuid(text) ? text : `${INVENTED.slice(0, -text.length)}${text}`,
      ),
    present: () => undefined,
    remembered: () => undefined,
    toLegacy: async (walk) =>
      walk((_kind, uuid) => {
        const known = numbers.get(uuid) ?? String(numbers.size + 1);
        numbers.set(uuid, known);
        return known;
      }),
  };
}

function sampleCall(
  method: Method,
  sample: MappingSample,
): { readonly call: LegacyCall; readonly values: readonly string[] } {
  const [pattern] = method.legacy;
  const values: string[] = [];
  const segments = (pattern?.segments ?? []).map((segment) => {
    if ('literal' in segment) return segment.literal;
    values.push(segment.kind === TEXT_NUMBER ? 'NUMBER' : '1');
    return values.at(-1) ?? '';
  });
  const bytes = Buffer.from(sample.xml ?? '');
  const call: LegacyCall = {
    requestId: 'trial',
    verb: pattern?.verbs[0] ?? 'GET',
    segments,
    query: sample.query ?? [],
    keys: { apiKey: new Secret(''), accountKey: new Secret('') },
    target: new Secret(''),
    contentType: undefined,
    accept: undefined,
    body: { length: bytes.length, read: async () => bytes },
    signal: new AbortController().signal,
    trace: new Trace(),
  };
  return { call, values };
}

async function textOf(body: string | Buffer | AsyncIterable<string | Buffer>): Promise<string> {
  if (typeof body === 'string' || Buffer.isBuffer(body)) return String(body);
  let text = '';
  for await (const chunk of body) text += String(chunk);
  return text;
}
