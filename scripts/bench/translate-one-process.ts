/**
 * The process of the benchmark `translate one`: one client from V2's JSON to legacy XML, repeatedly, without network or
 * store.
 *
 * Three ways to produce the same text show the cost of each layer: by hand (`JSON.parse` and a template), by the
 * bridge's records, as a whole call. The first reply of each is compared with the expected text before measuring, after
 * enough calls to have the code compiled.
 */
import { strict as assert } from 'node:assert';
import { join } from 'node:path';
import { readFileSync } from 'node:fs';
import { Identifiers } from '../../src/proxy/identifiers.ts';
import { loadMapping } from '../../src/mapping/compile/compile.ts';
import { answerOf } from '../../src/proxy/sparing/held-answer.ts';
import { parseJson } from '../../src/proxy/translate/json/json.ts';
import { LookupCache, type LookupSource } from '../../src/proxy/translate/lookups/lookup-cache.ts';
import { refuseLosses } from '../../src/mapping/lossy-writes.ts';
import { Lookups } from '../../src/proxy/translate/lookups/lookups.ts';
import { Records } from '../../src/proxy/translate/records.ts';
import { TranslateMethod } from '../../src/proxy/translate/translate.ts';
import { BodyReader } from '../../src/proxy/call/body-reader.ts';
import { SlashedNumbers } from '../../src/proxy/call/slashes.ts';
import { Trace, type LegacyCall } from '../../src/proxy/call/call.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { idKey, type Crosswalk } from '../../src/mapping/crosswalk/identifier.ts';
import { RememberedPairs } from '../../src/mapping/crosswalk/remembered-pairs.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { Upstream } from '../../src/upstream/model.ts';
import { loadProfile } from '../../src/app/settings/profiles.ts';
import { clientNumber, clientUuid, contactNumber, contactUuid, STAFF, staffUuid } from './documents.ts';
import {
  byHand,
  CLIENT_TYPE_ROW,
  numbersOf,
  single,
  STAFF_ROW,
  v2Page,
  v2Record,
  type V2Card,
} from './v2-documents.ts';

// One client from JSON to legacy XML, repeatedly, without network or store: by hand, by the bridge's records, or as a
// whole call. Argument: which way. Prints microseconds of processor time for one client.

const WARM_UP = 20_000;
const CLIENTS = 50_000;
const INDEX = 1;

const answer = Buffer.from(v2Record(single(INDEX)));
const numbers = numbersOf(INDEX + 1);
const known = new Map([
  [idKey('client', clientUuid(INDEX)), clientNumber(INDEX)],
  [idKey('contact', contactUuid(INDEX)), contactNumber(INDEX)],
  [idKey('staff', staffUuid), STAFF],
]);
const remembered = new RememberedPairs();
remembered.remember('account', { kind: 'client', number: clientNumber(INDEX), uuid: clientUuid(INDEX) });
remembered.remember('account', { kind: 'contact', number: contactNumber(INDEX), uuid: contactUuid(INDEX) });
remembered.remember('account', { kind: 'staff', number: STAFF, uuid: staffUuid });
const crosswalk: Pick<Crosswalk, 'numbers' | 'uuids' | 'remembered'> = {
  remembered,
  numbers: async () => known,
  uuids: async () => new Map([[idKey('client', clientNumber(INDEX)), clientUuid(INDEX)]]),
};

const mapping = loadMapping(join(import.meta.dirname, '..', '..', 'mappings'), 'uuid');
const { method, v2, reply } = clientGet();
const ids = new Identifiers(crosswalk as Crosswalk, mapping.kinds, 'account');
const link = (url: string): string => url;
const lookupCache = new LookupCache(mapping.v2, systemClock);
const to = {
  accountId: 'account',
  product: 'standard' as const,
  application: 'default',
  grantId: 'grant',
  organisationId: 'organisation',
};
const source: LookupSource = {
  rows: async function* ([collection]) {
    yield collection === 'staff' ? [STAFF_ROW] : [CLIENT_TYPE_ROW];
  },
  record: async () => undefined,
};

function clientGet() {
  const method = mapping.methods.find(({ id }) => id === 'client.get');
  assert(method?.v2?.way === 'steps' && method.reply.form === 'one');
  return { method, v2: method.v2, reply: method.reply };
}

interface Way {
  readonly one: () => Promise<string>;
  readonly expected: string;
}

const client = byHand(single(INDEX), numbers, true);

function hand(): Way {
  const one = async (): Promise<string> => {
    const { data } = JSON.parse(answer.toString()) as { readonly data: V2Card };
    return byHand(data, numbers, true);
  };
  return { one, expected: client };
}

/** Converts the bytes of an answer to the text of a reply. */
function records(): Way {
  const made = new Records(reply.element, reply.of, method.creates, v2);
  const one = async (): Promise<string> => {
    const { data } = parseJson(answer.toString()) as { readonly data: unknown };
    const lookups = new Lookups(lookupCache, to, source, v2);
    return made.text([data], {
      lookups,
      ids,
      link,
      trace: new Trace(),
      detailed: true,
      creating: undefined,
      owner: '',
    });
  };
  return { one, expected: client };
}

function call(): Way {
  const lists: Readonly<Record<string, Buffer>> = {
    staff: Buffer.from(v2Page([STAFF_ROW], 1, 1)),
    'client-types': Buffer.from(v2Page([CLIENT_TYPE_ROW], 1, 1)),
  };
  const endpoint: Upstream = {
    // As with the service, the answer has arrived in one piece.
    send: async (_to, { segments }) =>
      answerOf(
        { status: 200, contentType: 'application/json', headers: {}, millis: 1 },
        lists[segments[0] ?? ''] ?? answer,
      ),
    fetch: () => Promise.reject(new Error('nobody fetches a file')),
  };
  const profile = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
  assert('v2' in profile);
  const parts = {
    endpoint,
    profile,
    body: new BodyReader(),
    lookupCache,
    kinds: mapping.kinds,
    clock: systemClock,
    numbers: new SlashedNumbers(mapping.methods),
    standIn: true,
    lossyWrites: refuseLosses,
  };
  const translate = new TranslateMethod(parts, method, v2);
  const asked = legacyCall();
  const one = async (): Promise<string> => {
    const values = [String(clientNumber(INDEX))];
    const { body: text } = await translate.serve({ call: asked, to, ids, link, values, open: OPEN });
    return typeof text === 'string' ? text : '';
  };
  return { one, expected: `${OPEN}${client}</Response>` };
}

const OPEN = '<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="Get"><Status>OK</Status>';

function legacyCall(): LegacyCall {
  const secret = new Secret('bench');
  return {
    requestId: 'r',
    verb: 'GET',
    segments: ['client.api', 'get', String(clientNumber(INDEX))],
    query: [],
    keys: { apiKey: secret, accountKey: secret },
    target: secret,
    contentType: undefined,
    accept: undefined,
    body: { length: 0, read: async () => Buffer.alloc(0) },
    signal: new AbortController().signal,
    trace: new Trace(),
  };
}

async function microseconds({ one }: Way, count: number): Promise<number> {
  const before = process.cpuUsage();
  // A reply needs its length, and V8 joins the pieces of a text only when it is read.
  for (let turn = 0; turn < count; turn += 1) Buffer.byteLength(await one());
  const { user, system } = process.cpuUsage(before);
  return (user + system) / count;
}

const ways: Readonly<Record<string, () => Way>> = { hand, records, call };
const way = ways[process.argv[2] ?? '']?.();
assert(way);
assert.equal(await way.one(), way.expected);
await microseconds(way, WARM_UP);
console.log(await microseconds(way, CLIENTS));
