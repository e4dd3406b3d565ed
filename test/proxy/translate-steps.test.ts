import { afterEach, describe, expect, it } from '@jest/globals';
import { openSteps } from '../../src/features/writes/rows/sealed-steps.ts';
import { stepWords } from '../../src/features/writes/steps.ts';
import { Failure } from '../../src/lib/failure.ts';
import type { Write } from '../../src/features/writes/model.ts';
import {
  ask,
  callName,
  callOf,
  closeWorlds,
  json,
  pair,
  refusal,
  uuid,
  world,
  writtenBody,
  type Played,
  type V2Service,
  type World,
} from './world.ts';

/**
 * Writes that take several calls of V2, with a fault at each of them: what was done is told and kept, and a repeat does
 * the rest alone.
 */

afterEach(closeWorlds);

const people = [7, 8, 9].map((number) => pair('staff', number, uuid('5a', number)));
const ada = uuid('5a', 7);
const [job, group, made, task] = [uuid('0b', 1), uuid('90', 9), uuid('0b', 2), uuid('7a', 401)];
const clients = [1, 2, 3].map((number) => pair('client', number, uuid('c1', number)));
const pairs = [
  ...people,
  ...clients,
  pair('jobTask', 401, task),
  pair('template', 21, uuid('7e', 21)),
  pair('group', 9, group),
];

/** Methods that write several times, and what each of their writes is called. */
const methods = [
  {
    line: 'POST job.api/add',
    body: '<Job><Name>n</Name><ClientID>1</ClientID><TemplateID>21</TemplateID></Job>',
    says: ['the job was added', 'the template was applied'],
  },
  {
    line: 'PUT job.api/assign',
    body: '<Job><ID>J1</ID><add id="8"/><add id="9"/><add id="8" task-id="401"/><remove id="9"/><remove id="7" task-id="401"/><remove-manager id="7"/><add-manager id="8"/></Job>',
    says: [
      'somebody was added to the job',
      'somebody was added to the job',
      'somebody was added to a task',
      'somebody was removed from the job',
      'somebody was removed from a task',
      'the manager was removed',
      'the manager was set',
    ],
  },
  {
    line: 'PUT clientgroup.api/members',
    body: '<Group><ID>9</ID><add id="1"/><add id="2"/><remove id="3"/></Group>',
    says: ['a client was added', 'a client was added', 'clients were removed'],
  },
] as const;

const faulty = methods.flatMap((method) => method.says.map((_, at) => ({ ...method, at })));

function answered({ verb, segments: [collection, id] }: Parameters<V2Service>[0]): Played {
  if (collection === 'job-status') return json([{ uuid: uuid('57', 1), name: 'Planned', type: 'planned' }]);
  if (collection === 'client-groups')
    return json({ uuid: group, name: 'Friends', clients: [{ uuid: uuid('c1', 3), name: 'x' }] });
  if (collection !== 'jobs') return json([]);
  if (verb === 'POST' && id === undefined) return { ...json({ uuid: made, jobNumber: 'J9' }), status: 201 };
  const tasks = [{ uuid: task, name: 't', staffs: [{ uuid: ada, allocatedTime: 1 }] }];
  return json({ uuid: job, jobNumber: 'J9', name: 'n', jobManager: { uuid: ada }, tasks, notes: [] });
}

/** Carries everything out but the write of that number. */
function service(at: number, fault: () => Played): V2Service & { readonly carriedOut: string[] } {
  const carriedOut: string[] = [];
  let writes = 0;
  const serve = (request: Parameters<V2Service>[0]): Played => {
    if (request.verb === 'GET') return answered(request);
    if (writes++ === at) return fault();
    carriedOut.push(`${callName(request)} ${typeof request.body === 'string' ? request.body : ''}`);
    return answered(request);
  };
  return Object.assign(serve, { carriedOut });
}

const refused = (): Played => ({ status: 422, body: '{"message":"not today"}' });
const lost = (): Played => {
  throw new Failure('outcomeUnknown');
};

async function kept({ store, seal }: World, id = 'r'): Promise<{ write: Write; steps: readonly string[] }> {
  const write = await store.writes.find(id);
  if (write === undefined) throw new Error('it has no row');
  return { write, steps: openSteps(seal, write).map((step) => stepWords({ ...step, made: undefined })) };
}

const done = (says: readonly string[], at: number): readonly string[] =>
  says.slice(0, at).map((words) => `${words}: done`);

describe('a write of several calls', () => {
  it.each(faulty)(
    '$line refused at step $at reports what was done, and the ledger records it',
    async (one) => {
      const v2 = service(one.at, refused);
      const to = await world({ v2, pairs, ledger: true });
      const said = one.says.slice(0, one.at).join(', ');
      const text = one.at === 0 ? 'not today' : `Only a part was done: ${said}. The rest failed: not today`;
      expect(await refusal(to, one.line, one)).toMatchObject({ code: 'refused', text });
      const { write, steps } = await kept(to);
      expect(write.state).toBe('refused');
      expect(steps).toEqual([...done(one.says, one.at), `${one.says[one.at]}: not done`]);
    },
  );

  it.each(faulty)('$line unknown at step $at: that step has to be looked up, and no other', async (one) => {
    const to = await world({ v2: service(one.at, lost), pairs, ledger: true });
    expect(await refusal(to, one.line, one)).toMatchObject({ code: 'outcomeUnknown' });
    const { write, steps } = await kept(to);
    expect(write.state).toBe('unknown');
    expect(steps).toEqual([...done(one.says, one.at), `${one.says[one.at]}: outcome unknown`]);
    const again = await refusal(to, one.line, { ...one, requestId: 'again' });
    expect(again.code).toBe('outcomeUnknown');
    if (one.at > 0) expect(again.text).toContain(`for certain: ${one.says.slice(0, one.at).join(', ')}.`);
  });

  it.each(faulty)('$line whose step $at was not done continues there when it is repeated', async (one) => {
    const [v2, undisturbed] = [service(one.at, lost), service(-1, lost)];
    const to = await world({ v2, pairs, ledger: true });
    const straight = await world({ v2: undisturbed, pairs });
    await refusal(to, one.line, one);
    await to.store.writes.settle('r', { settlement: 'not-done', by: 'bridge', note: '', now: 1 });
    const again = await ask(to, one.line, { ...one, requestId: 'again' });
    // The write that was not done leaves a gap in the numbers.
    const numbered = (text: string): string => text.replace(/>15000000\d\d</, '>a new number<');
    expect(numbered(again)).toBe(numbered(await ask(straight, one.line, one)));
    expect(v2.carriedOut).toEqual(undisturbed.carriedOut);
  });

  it.each(faulty.filter(({ at }) => at > 0))(
    '$line of which nothing of step $at was sent continues when it is repeated',
    async (one) => {
      const busy = (): Played => {
        throw new Failure('busy');
      };
      const [v2, undisturbed] = [service(one.at, busy), service(-1, lost)];
      const to = await world({ v2, pairs, ledger: true });
      await ask(await world({ v2: undisturbed, pairs }), one.line, one);
      expect(await refusal(to, one.line, one)).toMatchObject({ code: 'outcomeUnknown' });
      await ask(to, one.line, { ...one, requestId: 'again' });
      expect(v2.carriedOut).toEqual(undisturbed.carriedOut);
    },
  );

  it.each(faulty)('$line whose step $at was done after all does it once only', async (one) => {
    const to = await world({ v2: service(one.at, lost), pairs, ledger: true });
    await refusal(to, one.line, one);
    await to.store.writes.settle('r', { settlement: 'done', by: 'bridge', note: '', now: 1 });
    const isLast = one.at === one.says.length - 1;
    const again = { ...one, requestId: 'again' };
    if (isLast) {
      expect(await ask(to, one.line, again)).toContain('<Status>OK</Status>');
      return;
    }
    const said = one.says.slice(0, one.at + 1).join(', ');
    const text = `Only a part was done: ${said}. The rest was not sent`;
    expect(await refusal(to, one.line, again)).toMatchObject({ code: 'refused', text });
  });

  it('is known step by step if its process dies in between', async () => {
    const [{ line, body, says }] = methods;
    const reached = Promise.withResolvers<undefined>();
    const to = await world({
      v2: (request) => {
        if (request.segments[2] !== 'job-templates') return answered(request);
        reached.resolve(undefined);
        return new Promise(() => undefined);
      },
      pairs,
      ledger: true,
    });
    void to.bridge.serve(callOf(line, { body }));
    await reached.promise;
    await to.store.writes.declareDead('this process', 1);
    expect((await kept(to)).steps).toEqual([`${says[0]}: done`, `${says[1]}: outcome unknown`]);
  });

  it('sends no further step if its progress cannot be stored', async () => {
    const [{ line, body }] = methods;
    const v2 = service(-1, lost);
    const to = await world({ v2, pairs, ledger: true });
    const keep = to.store.writes.keepSteps.bind(to.store.writes);
    let count = 0;
    to.store.writes.keepSteps = (id, steps) =>
      count++ === 1 ? Promise.reject(new Error('disk full')) : keep(id, steps);
    const text =
      /^Only a part was done: the job was added\. The rest failed: The bridge cannot keep how far this request/;
    expect(await refusal(to, line, { body })).toMatchObject({ text: expect.stringMatching(text) });
    expect(v2.carriedOut).toHaveLength(1);
  });

  it('shows an operator the number of the record a step created, and seals the steps', async () => {
    const [{ line, body }] = methods;
    const to = await world({ v2: service(1, lost), pairs, ledger: true });
    await refusal(to, line, { body });
    const { write } = await kept(to);
    // With the quotation mark of JSON: letters alone might be in the sealed text by chance.
    expect(write.stepsSealed).not.toContain('"job');
    expect(openSteps(to.seal, write).map(stepWords)[0]).toBe('the job was added: done (J9)');
  });

  it('has no steps if the service needs one call', async () => {
    const to = await world({ v2: service(0, lost), pairs, ledger: true });
    await refusal(to, 'POST job.api/add', { body: '<Job><Name>n</Name><ClientID>1</ClientID></Job>' });
    expect((await kept(to)).write.stepsSealed).toBeUndefined();
  });
});

describe('the addresses of a client, which V2 replaces as a whole', () => {
  const [postal, billing] = [
    { type: 'postal', city: 'Oslo' },
    { type: 'billing', city: 'Moss' },
  ];
  const update = { body: '<Client><ID>1</ID><Name>n</Name><City>Bergen</City></Client>' };
  const showing = (shown: object) =>
    world({ pairs, v2: () => json({ uuid: uuid('c1', 1), name: 'n', ...shown }) });

  it.each([{ addresses: [postal, billing] }, { addresses: { 0: postal, 1: billing } }])(
    'are sent together if V2 shows %j',
    async (shown) => {
      const to = await showing(shown);
      await ask(to, 'PUT client.api/update', update);
      expect(JSON.parse(writtenBody(to.v2.requests[1]))).toEqual({
        name: 'n',
        addresses: [postal, { type: 'billing', city: 'Bergen' }],
      });
    },
  );

  it.each([{}, { addresses: null }, { addresses: { postal } }, { addresses: 'none' }])(
    'are not cleared if V2 shows %j: nothing is written',
    async (shown) => {
      const to = await showing(shown);
      await expect(ask(to, 'PUT client.api/update', update)).rejects.toMatchObject({
        ...{ code: 'upstreamAnswer', isLasting: true },
        text: expect.stringContaining('does not show the present addresses of this record') as unknown,
      });
      expect(to.v2.requests.map(({ verb }) => verb)).toEqual(['GET']);
    },
  );
});
