import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { z } from 'zod';
import type { Operation } from '../../../src/sandbox/json/operation/operation.ts';
import { operations } from '../../../src/sandbox/json/operations.ts';
import { statusOf } from '../../../src/sandbox/json/http/surface.ts';
import type { Answer } from '../playground.ts';
import { ServedDocument } from './served.ts';
import { type Call, filled, type Known, uuidOf, World } from './world.ts';

const NOBODY = '99999999-0000-4000-8000-000000000001';
const GOES = 'v2.quote-variations.get';

let world: World;
let served: ServedDocument;
let scopeless: string;
let settings: ReadonlyMap<string, string>;
let foreign: ReadonlyMap<string, string>;

/** Changes of one operation must not be seen by the next: each has a world of its own, or only looks. */
async function begin(): Promise<void> {
  world = await World.open();
  served = await ServedDocument.of(world.sandbox);
  const { access } = await world.sandbox.connect([world.one.id], { scope: 'openid profile offline_access' });
  scopeless = access;
  settings = await settingsOf(world.one.id, world.token);
  const other = await world.sandbox.connect([world.sandbox.two.id]);
  foreign = await settingsOf(world.sandbox.two.id, other.access);
}

/** What no seed gives a UUID. */
async function settingsOf(organisation: string, token: string): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  for (const [kind, path] of Object.entries({ tax: '/taxes', account: '/accounts', role: '/roles' })) {
    const { json } = await world.call('GET', path, { organisation, token });
    const [first] = json.data as readonly { readonly uuid: string }[];
    if (first) found.set(kind, first.uuid);
  }
  return found;
}

const own = (kind: Known): string => settings.get(kind) ?? uuidOf(kind);
const others = (kind: Known): string => foreign.get(kind) ?? uuidOf(kind, 2);

function pathOf(operation: Operation, uuid: (kind: Known) => string): string {
  return operation.path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const kind = operation.on[name];
    return kind === undefined ? NOBODY : uuid(kind as Known);
  });
}

const bodyOf = (operation: Operation): unknown =>
  operation.example === undefined ? undefined : filled(operation.example, own);

/** A call whose answer, whatever it is, has to be as the served document describes it for that operation and status. */
async function checked(method: string, path: string, call: Call = {}, at = world): Promise<Answer> {
  const answer = await at.call(method, path, call);
  expect([method, path, answer.status, served.problemsOf(method, path, answer)]).toEqual([
    method,
    path,
    answer.status,
    [],
  ]);
  return answer;
}

const rightCall = (operation: Operation): Promise<Answer> =>
  checked(operation.method, pathOf(operation, own), { body: bodyOf(operation) });

const meta = z.strictObject({ request_id: z.string() });
const pagination = z.strictObject({
  page: z.int(),
  per_page: z.int(),
  total_pages: z.int(),
  total_items: z.int(),
});

const replyOf = ({ answer, response: { schema } }: Operation): z.ZodType =>
  answer === 'one'
    ? z.strictObject({ data: schema, meta })
    : z.strictObject({ data: z.array(schema), meta: meta.extend({ pagination }) });

const fieldError = z.strictObject({ field: z.string(), message: z.string() });
const errorReply = z.strictObject({
  error: z.strictObject({ code: z.string(), message: z.string(), details: z.array(fieldError) }),
  message: z.string(),
  errors: z.array(fieldError),
  meta,
});

function expectRefusal(answer: Answer, status: number): readonly string[] {
  expect(answer.status).toBe(status);
  expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
  const { errors, meta: given } = errorReply.parse(answer.json);
  expect(answer.headers.get('x-request-id')).toBe(given.request_id);
  return errors.map(({ field }) => field);
}

/** Keys of the body that a call must have. */
function requiredKeys({ body }: Operation): readonly string[] {
  if (!(body instanceof z.ZodObject)) return [];
  const shape = body.shape as Readonly<Record<string, z.ZodType>>;
  return Object.keys(shape).filter((key) => !shape[key]?.safeParse(undefined).success);
}

const named = operations.map((operation) => [operation.id, operation] as const);
const ofPath = named.filter(([, operation]) => Object.keys(operation.on).length > 0);
const withBody = named.filter(([, operation]) => operation.body !== undefined);
const prepared = new Set(withBody.filter(([, operation]) => operation.prepare).map(([id]) => id));
const aliased = operations
  .filter(({ method }) => method === 'GET')
  .flatMap((one) => (one.aliases ?? []).map((alias) => [one.method, alias, one] as const));
const lists = named.filter(([, operation]) => operation.answer === 'list');

describe('a valid call', () => {
  beforeAll(begin);
  afterAll(() => world.close());

  // Reads first, then what makes and changes, and what deletes at the end.
  const order = ['GET', 'PUT', 'POST', 'DELETE'];
  const sorted = [...named].sort(([, a], [, b]) => order.indexOf(a.method) - order.indexOf(b.method));
  const before = sorted.filter(([id, { method }]) => method !== 'DELETE' && id !== GOES);

  beforeAll(async () => {
    await world.data('PUT', '/custom-rates', {
      type: 'staff-task',
      taskUUID: uuidOf('task'),
      staffUUID: uuidOf('staff'),
      baseRate: 30,
    });
    await world.data('POST', `/jobs/${uuidOf('job')}/staff`, [{ uuid: uuidOf('staff') }]);
  });

  it.each(before)('of %s gets the documented reply', async (_id, operation) => {
    const answer = await rightCall(operation);
    expect([answer.status, answer.text]).toEqual([statusOf(operation), answer.text]);
    expect(answer.headers.get('content-type')).toBe('application/json; charset=utf-8');
    expect(replyOf(operation).safeParse(answer.json).error).toBeUndefined();
  });

  const deletes = sorted.filter(([, { method }]) => method === 'DELETE');
  it.each(deletes)('of %s gets its reply once, and finds nothing the second time', async (_id, operation) => {
    const fresh = await World.open();
    try {
      await fresh.data('PUT', '/custom-rates', {
        type: 'staff-task',
        taskUUID: uuidOf('task'),
        staffUUID: uuidOf('staff'),
        baseRate: 30,
      });
      await fresh.data('POST', `/jobs/${uuidOf('job')}/staff`, [{ uuid: uuidOf('staff') }]);
      const call = () => checked('DELETE', pathOf(operation, own), { body: bodyOf(operation) }, fresh);
      const answer = await call();
      expect([answer.status, answer.text]).toEqual([200, answer.text]);
      expect(replyOf(operation).safeParse(answer.json).error).toBeUndefined();
      expectRefusal(await call(), 404);
    } finally {
      await fresh.close();
    }
  });

  it.each(withBody)('of %s with a body gets the documented reply', (_id, operation) => {
    const path = pathOf(operation, own);
    expect(served.problemsOfBody(operation.method, path, bodyOf(operation))).toEqual([]);
  });

  it.each(aliased)(
    'by the other spelling %s %s gets the documented reply',
    async (_verb, path, operation) => {
      const named = { ...operation, path };
      const answer = await rightCall(named);
      expect([answer.status, answer.text]).toEqual([statusOf(operation), answer.text]);
    },
  );

  it('for a variation of a quote finds none', async () => {
    expectRefusal(await checked('GET', `/quote-variations/${NOBODY}`), 404);
  });
});

/** What all lists hold. */
async function everything(): Promise<readonly unknown[]> {
  const held: unknown[] = [];
  for (const [, one] of lists) held.push((await checked('GET', pathOf(one, own))).json.data);
  return held;
}

describe('an invalid call', () => {
  let untouched: readonly unknown[];
  beforeAll(async () => {
    await begin();
    untouched = await everything();
  });
  afterAll(() => world.close());

  it.each(named)(
    'of %s without the scope, or for an organisation that is not granted, is 403',
    async (_id, one) => {
      const path = pathOf(one, own);
      expectRefusal(await checked(one.method, path, { token: scopeless, body: bodyOf(one) }), 403);
      const organisation = world.sandbox.two.id;
      expectRefusal(await checked(one.method, path, { organisation, body: bodyOf(one) }), 403);
    },
  );

  it.each(named)('of %s without a token is 401, without the header 400', async (_id, one) => {
    const path = pathOf(one, own);
    expectRefusal(await checked(one.method, path, { token: '' }), 401);
    expectRefusal(await checked(one.method, path, { organisation: '' }), 400);
  });

  it.each(ofPath)('of %s with an unknown, a foreign or no UUID is 404', async (_id, one) => {
    for (const name of Object.keys(one.on))
      for (const value of [NOBODY, others(one.on[name] as Known), 'no-such-thing']) {
        const path = one.path.replaceAll(/\{(\w+)\}/g, (_all, each: string) =>
          each === name ? value : own(one.on[each] as Known),
        );
        expectRefusal(await checked(one.method, path, { body: bodyOf(one) }), 404);
      }
  });

  it.each(withBody)('of %s with malformed JSON, or no object, is 400', async (id, one) => {
    const path = pathOf(one, own);
    expectRefusal(await checked(one.method, path, { raw: '{"a":' }), 400);
    expectRefusal(await checked(one.method, path, { body: 'text' }), 400);
    if (!prepared.has(id)) expectRefusal(await checked(one.method, path, { body: [] }), 400);
  });

  it.each(withBody)('of %s with a compressed body or unsupported type is 415', async (_id, one) => {
    const path = pathOf(one, own);
    const headers = { 'content-encoding': 'gzip' };
    expectRefusal(await checked(one.method, path, { body: bodyOf(one), headers }), 415);
    if (one.isUpload) return;
    const form = new FormData();
    form.set('name', 'x');
    expectRefusal(await checked(one.method, path, { raw: form }), 415);
  });

  it('with a body that is too large is 413', async () => {
    const body = { name: 'x'.repeat(4 * 1024 * 1024) };
    expectRefusal(await checked('POST', '/tasks', { body }), 413);
  });

  const newJob = filled(operations.find(({ id }) => id === 'v2.jobs.create')?.example, uuidOf) as object;
  const clashes = [
    ['POST', '/custom-fields', { name: 'REFERENCE', type: 'text', useJob: true }, 'name'],
    ['PUT', `/staff/${uuidOf('staff')}`, { email: 'bo@studio.example' }, 'email'],
    ['POST', '/jobs', { ...newJob, jobNumber: 'J000123' }, 'jobNumber'],
  ] as const;
  it.each(clashes)('of %s %s with a value of another record is 409', async (method, path, body, field) => {
    expect(expectRefusal(await checked(method, path, { body }), 409)).toEqual([field]);
  });

  it.each(named)('of %s that fails internally is 500', async (_id, one) => {
    await world.sandbox.control('faults', { on: { surface: 'v2' }, do: 'status', status: 500 });
    expectRefusal(await checked(one.method, pathOf(one, own), { body: bodyOf(one) }), 500);
  });

  it('over the limit is 429 with the time to retry, for every operation', async () => {
    const limit = (perMinute: number | null) =>
      world.sandbox.control('settings', { protocol: { limits: { perMinute } } });
    await limit(1);
    await checked('GET', '/taxes');
    for (const one of operations) {
      const answer = await checked(one.method, pathOf(one, own), { body: bodyOf(one) });
      expectRefusal(answer, 429);
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d*$/);
    }
    await limit(null);
  });

  const required = withBody.filter(([, one]) => requiredKeys(one).length > 0);
  it.each(required)('of %s without a required field is 422 and names it', async (_id, one) => {
    const path = pathOf(one, own);
    const body = bodyOf(one) as Readonly<Record<string, unknown>>;
    for (const key of requiredKeys(one)) {
      const without = Object.fromEntries(Object.entries(body).filter(([name]) => name !== key));
      const fields = expectRefusal(await checked(one.method, path, { body: without }), 422);
      expect(fields).toContain(key);
    }
  });

  it.each(withBody)('of %s with a field of the wrong type is 422 and names it', async (_id, one) => {
    const path = pathOf(one, own);
    const body = bodyOf(one) as Readonly<Record<string, unknown>>;
    for (const key of Object.keys(body)) {
      const answer = await checked(one.method, path, { body: { ...body, [key]: { no: 'value' } } });
      const fields = expectRefusal(answer, 422);
      expect(fields.some((field) => field.startsWith(key))).toBe(true);
    }
  });

  const referring = withBody.filter(([, one]) => JSON.stringify(one.example).includes('"{'));
  it.each(referring)('of %s that refers to a record of another organisation is 422', async (_id, one) => {
    const text = JSON.stringify(one.example);
    const kinds = new Set([...text.matchAll(/"\{(\w+)\}"/g)].map(([, kind]) => kind as Known));
    for (const kind of kinds) {
      const body = filled(one.example, (each) => (each === kind ? others(each) : own(each)));
      const answer = await checked(one.method, pathOf(one, own), { body });
      // The member to be changed stands in the body there, and is looked for as one in a path is.
      expectRefusal(answer, one.id === 'v2.job-staff.update' ? 404 : 422);
    }
  });

  it.each(lists)('of %s with an invalid page is 400', async (_id, one) => {
    expect(expectRefusal(await checked('GET', `${pathOf(one, own)}?page=x`), 400)).toEqual(['page']);
    expect(expectRefusal(await checked('GET', `${pathOf(one, own)}?PageSize=1.5`), 400)).toEqual([
      'pagesize',
    ]);
  });

  const spellings = operations.flatMap(({ method, path, aliases = [] }) =>
    [path, ...aliases].map((each) => [method, each] as const),
  );
  it('with an unsupported method is 405 and lists the supported ones', async () => {
    for (const path of new Set(spellings.map(([, each]) => each.replaceAll(/\{\w+\}/g, NOBODY)))) {
      const answer = await world.call('PATCH', path);
      expectRefusal(answer, 405);
      expect(answer.headers.get('allow')).toMatch(/^(GET|POST|PUT|DELETE)/);
    }
  });

  it('of any kind has changed nothing', async () => {
    expect(await everything()).toEqual(untouched);
  });

  it('with an expired token is 401, for every operation', async () => {
    await world.sandbox.advance(1_801);
    for (const one of operations)
      expectRefusal(await checked(one.method, pathOf(one, own), { body: bodyOf(one) }), 401);
  });
});
