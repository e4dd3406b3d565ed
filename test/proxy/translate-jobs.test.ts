import { afterEach, describe, expect, it } from '@jest/globals';
import { Trace } from '../../src/proxy/call/call.ts';
import { Failure } from '../../src/lib/failure.ts';
import type { UpstreamRequest } from '../../src/upstream/model.ts';
import {
  ask,
  callName,
  closeWorlds,
  json,
  pair,
  refusal,
  uuid,
  world,
  type Played,
  type V2Service,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const bodyOf = ({ body }: UpstreamRequest): unknown =>
  typeof body === 'string' ? (JSON.parse(body) as unknown) : undefined;
const written = ({ v2 }: World): readonly unknown[] =>
  v2.requests.flatMap((request) => (request.verb === 'GET' ? [] : [bodyOf(request)]));
const missing = { status: 404, body: '{"message":"not found"}' } as const;

const [ada, bo, cleo] = [uuid('5a', 7), uuid('5a', 8), uuid('5a', 9)];
const [client, job] = [uuid('c1', 1), uuid('0b', 159)];
const [lettering, survey] = [uuid('7a', 401), uuid('7a', 402)];
const people = [pair('staff', 7, ada), pair('staff', 8, bo), pair('staff', 9, cleo)];
const tasks = [pair('jobTask', 401, lettering), pair('jobTask', 402, survey)];
const pairs = [...people, ...tasks, pair('client', 1, client), pair('job', 3159, job)];

const statuses = [
  { uuid: uuid('57', 1), name: 'Done', type: 'completed' },
  { uuid: uuid('57', 2), name: 'On Hold', type: 'on hold' },
  { uuid: uuid('57', 3), name: 'Confirmed', type: 'planned' },
  { uuid: uuid('57', 4), name: 'Planned', type: 'planned' },
];

describe('a job', () => {
  const single = {
    uuid: job,
    jobNumber: 'J000159',
    name: 'Shop front',
    client: { uuid: client, name: 'Example' },
    jobManager: { uuid: ada, firstName: 'Ada', lastName: 'Example' },
    jobStatus: { uuid: uuid('57', 9), jobStatus: 'Nobody lists it' },
    staffAssigned: [{ uuid: bo, firstName: 'Bo', lastName: '' }],
    tasks: [{ uuid: lettering, name: 'Lettering', label: null, phaseUUID: uuid('f0', 1), billable: true }],
    milestones: [
      { name: 'Half', date: '2026-11-20', completedDate: '2026-11-21', phaseUUID: null },
      { name: 'All', date: '2026-12-20', completedDate: null, phaseUUID: null },
    ],
    notes: [],
    phases: { 0: { uuid: uuid('f0', 1), name: 'Windows' } },
  };

  it('with all of its people is read in one call', async () => {
    const to = await world({ v2: () => json(single), pairs });
    const text = await ask(to, 'GET job.api/get/J000159');
    expect(to.v2.calls).toEqual(['GET jobs/J000159?includes=notes,phases']);
    expect(text).toContain('<State>Nobody lists it</State>');
    expect(text).toContain('<Manager><ID>7</ID><Name>Ada Example</Name></Manager>');
    expect(text).toContain('<InternalID>3159</InternalID><Assigned><Staff><ID>8</ID><Name>Bo</Name>');
    expect(text).toContain('<Billable>true</Billable><Folder>Windows</Folder>');
  });

  it.each([
    ['Gold', 'Gold'],
    ['', 'Lettering'],
    [null, 'Lettering'],
  ])('calls a task by its label (%j), unless that is unset in one form or the other', async (label, name) => {
    const one = { ...single, tasks: [{ uuid: lettering, name: 'Lettering', label }] };
    const text = await ask(await world({ v2: () => json(one), pairs }), 'GET job.api/get/J000159');
    expect(text).toContain(`<Task><ID>401</ID><Name>${name}</Name>`);
  });

  it('has milestones that are done if they have a date of completion', async () => {
    const text = await ask(await world({ v2: () => json(single), pairs }), 'GET job.api/get/J000159');
    expect(text).toContain('<Description>Half</Description><Completed>true</Completed>');
    expect(text).toContain('<Description>All</Description><Completed>false</Completed>');
  });

  it('with a slash in its number is requested by that number', async () => {
    const to = await world({ v2: () => json(single), pairs });
    await ask(to, 'GET job.api/get/24%2F001');
    expect(to.v2.requests[0]?.segments).toEqual(['jobs', '24/001']);
  });

  it('with a number that is a list of V2 is not an empty job', async () => {
    const to = await world({ v2: () => json([single], { page: 1, total_pages: 1 }), pairs });
    for (const call of ['get', 'costs'])
      expect(await refusal(to, `GET job.api/${call}/tasks`)).toMatchObject({ code: 'upstreamAnswer' });
  });

  it('unknown to V2 is refused in the words of V1', async () => {
    const to = await world({ v2: () => missing, pairs });
    expect(await refusal(to, 'GET job.api/get/J1')).toMatchObject({ text: 'Invalid job identifier' });
  });
});

describe('a list of jobs', () => {
  const row = (number: number, type: string | undefined, more: object = {}) => ({
    uuid: uuid('0b', number),
    jobNumber: `J${String(number)}`,
    name: 'A job',
    createdAt: '2026-11-02T23:59:59Z',
    updatedAt: '2026-11-10T12:00:00Z',
    clientUUID: client,
    jobStatusUUID: statuses.find((one) => one.type === type)?.uuid ?? null,
    staffAssigned: [],
    ...more,
  });
  const service =
    (...rows: readonly object[]): V2Service =>
    ({ segments }) => {
      if (segments[0] === 'jobs') return json(rows);
      if (segments[0] === 'job-status') return json(statuses);
      return json(segments[0] === 'clients' ? [{ uuid: client, name: 'Example' }] : []);
    };
  const shown = (text: string): readonly string[] =>
    Array.from(text.matchAll(/<Job><ID>(J\d+)<\/ID>/g), ([, number = '']) => number);

  it('requests what is shown, and more only in detail', async () => {
    const to = await world({ v2: service(), pageSize: 50 });
    for (const detailed of ['', '&detailed=false', '&detailed=TRUE'])
      await ask(to, `GET job.api/list?from=20261101&to=20261130${detailed}`);
    expect(to.v2.calls).toEqual([
      'GET jobs?includes=staff&page=1&pagesize=50',
      'GET jobs?includes=staff&page=1&pagesize=50',
      'GET jobs?includes=staff,tasks,milestones,notes,phases&page=1&pagesize=50',
    ]);
  });

  it('contains current ones by the type of their status', async () => {
    const rows = [
      row(1, 'planned'),
      row(2, 'completed'),
      row(3, 'on hold'),
      row(4, undefined),
      row(5, 'planned', { deletedAt: '2026-11-03T00:00:00Z' }),
    ];
    const to = await world({ v2: service(...rows), pairs, pageSize: 50 });
    expect(shown(await ask(to, 'GET job.api/current'))).toEqual(['J1', 'J3']);
  });

  it.each([
    ['from=20261102&to=20261102', ['J1']],
    ['from=20261103&to=20261130', []],
    ['from=20261001&to=20261101', []],
    ['from=20261001&to=20261130&modifiedsinceutc=2026-11-10T12:00:00', ['J1']],
    ['from=20261001&to=20261130&modifiedsinceutc=2026-11-10T12:00:01', []],
  ])('by %s contains %j', async (query, numbers) => {
    const to = await world({ v2: service(row(1, 'planned')), pairs, pageSize: 50 });
    expect(shown(await ask(to, `GET job.api/list?${query}`))).toEqual(numbers);
  });

  it.each([
    ['from=20261128&to=20261128', ['J1']],
    ['from=20261127&to=20261127', []],
    ['from=20261101&to=20261130&modifiedsinceutc=2026-11-27T20:30:00', ['J1']],
    ['from=20261101&to=20261130&modifiedsinceutc=2026-11-27T20:30:01', []],
  ])('by %s, in days of the time zone of the account, contains %j', async (query, numbers) => {
    const at = '2026-11-27T20:30:00Z'; // 28 November, 9:30
    const rows = [row(1, 'planned', { createdAt: at, updatedAt: at })];
    const to = await world({ v2: service(...rows), pairs, pageSize: 50, zone: 'Pacific/Auckland' });
    expect(shown(await ask(to, `GET job.api/list?${query}`))).toEqual(numbers);
  });

  it('includes changes within the requested second', async () => {
    const rows = [row(1, 'planned', { updatedAt: '2026-11-10T12:00:00.123Z' })];
    const to = await world({ v2: service(...rows), pairs, pageSize: 50 });
    const text = await ask(to, 'GET job.api/current?modifiedsinceutc=2026-11-10T12:00:00');
    expect(shown(text)).toEqual(['J1']);
  });

  it("of a client contains only that client's jobs, even if V2 ignores the filter", async () => {
    const rows = [row(1, 'planned'), row(2, 'planned', { clientUUID: uuid('c1', 2) })];
    const to = await world({ v2: service(...rows), pairs, pageSize: 50 });
    expect(shown(await ask(to, 'GET job.api/client/1'))).toEqual(['J1']);
  });

  const task = (name: string, completed: boolean, startDate: string | null, dueDate: string | null) => ({
    uuid: lettering,
    name,
    completed,
    startDate,
    dueDate,
    staff: [],
  });
  const worked = row(1, 'planned', {
    tasks: [
      task('late', false, '2026-11-03', '2026-12-01'),
      task('done', true, '2026-11-03', '2026-11-10'),
      task('open', false, null, null),
    ],
  });

  it.each([
    ['', ['late', 'done', 'open']],
    ['complete=true', ['done']],
    ['complete=false', ['late', 'open']],
    ['complete=', ['late', 'done', 'open']],
    ['due=20261110', ['done']],
    ['start=20261103', ['late', 'done']],
    ['start=20261104', []],
    ['complete=false&due=20261201&start=20261103', ['late']],
  ])('with tasks by %j shows %j', async (query, names) => {
    const to = await world({ v2: service(worked, row(2, 'planned', { tasks: [] })), pairs, pageSize: 50 });
    const text = await ask(to, `GET job.api/tasks?${query}`);
    expect(Array.from(text.matchAll(/<Task><ID>401<\/ID><Name>(\w+)/g), ([, name = '']) => name)).toEqual(
      names,
    );
    expect(shown(text)).toEqual(names.length === 0 ? [] : ['J1']);
  });

  it.each(['complete=perhaps', 'due=20260230', 'start=soon'])(
    'with tasks by %s is refused',
    async (query) => {
      const to = await world({ v2: service(worked), pairs });
      const [name = ''] = query.split('=');
      expect(await refusal(to, `GET job.api/tasks?${query}`)).toMatchObject({
        text: `Invalid value for ${name}`,
      });
    },
  );
});

describe("a member of a job's staff", () => {
  const CALL = 'PUT job.api/assign';
  const assign = (inner: string) => ({ body: `<Job><ID>J000159</ID>${inner}</Job>` });

  /** A job as V2 keeps it, which fails at the calls that are named. */
  function service(failing: readonly string[] = []): V2Service {
    const shares = new Map([
      [lettering, [{ uuid: ada, allocatedTime: 300, firstName: 'Ada' }]],
      [survey, []],
    ]);
    return (request) => {
      const { verb, segments } = request;
      if (failing.includes(`${verb} ${segments.join('/')}`))
        return { status: 422, body: '{"message":"not today"}' };
      if (verb === 'DELETE' && segments.at(-1) === cleo) return missing;
      const [, , task = ''] = segments;
      const sent = bodyOf(request) as {
        staff?: { uuid: string; allocatedTime: number; firstName: string }[];
      };
      if (segments[1] === 'tasks') shares.set(task, sent.staff ?? []);
      const rows = [...shares].map(([id, staffs]) => ({ uuid: id, staffs }));
      return json({ uuid: job, jobManager: { uuid: ada }, tasks: rows });
    };
  }

  it('is added and removed in separate calls, and shares are kept', async () => {
    const to = await world({ v2: service(), pairs });
    await ask(
      to,
      CALL,
      assign(
        '<add id="8" task-id="401"/><add id="9" task-id="401"/><add id="8"/><remove id="7" task-id="401"/><remove id="7"/>',
      ),
    );
    expect(written(to)).toEqual([
      { staff: [{ uuid: bo }] },
      {
        staff: [
          { uuid: ada, allocatedTime: 300 },
          { uuid: bo, allocatedTime: 0 },
        ],
      },
      {
        staff: [
          { uuid: ada, allocatedTime: 300 },
          { uuid: bo, allocatedTime: 0 },
          { uuid: cleo, allocatedTime: 0 },
        ],
      },
      undefined,
      {
        staff: [
          { uuid: bo, allocatedTime: 0 },
          { uuid: cleo, allocatedTime: 0 },
        ],
      },
    ]);
  });

  it('is not added to a task twice', async () => {
    const to = await world({ v2: service(), pairs });
    await ask(to, CALL, assign('<add id="7" task-id="401"/>'));
    expect(written(to)).toEqual([{ staff: [{ uuid: ada, allocatedTime: 300 }] }]);
  });

  it('need not be assigned to be removed', async () => {
    const to = await world({ v2: service(), pairs });
    expect(await ask(to, CALL, assign('<remove id="9"/>'))).toContain('<Status>OK</Status>');
    expect(to.v2.calls.at(-1)).toBe(`DELETE jobs/${job}/staff/${cleo}`);
  });

  it.each([
    ['<remove-manager id="7"/>', [{ jobManagerUUID: null }]],
    ['<remove-manager id="8"/>', []],
    ['<add-manager id="8"/>', [{ jobManagerUUID: bo }]],
    ['<remove-manager id="7"/><add-manager id="8"/>', [{ jobManagerUUID: null }, { jobManagerUUID: bo }]],
    ['', []],
  ])('is set as its manager: %s sends %j', async (inner, bodies) => {
    const to = await world({ v2: service(), pairs });
    await ask(to, CALL, assign(inner));
    expect(written(to)).toEqual(bodies);
  });

  it('as a partner is unknown to V2, and reported as lost', async () => {
    const to = await world({ v2: service(), pairs });
    const trace = new Trace();
    await ask(to, CALL, { ...assign('<add-partner id="8"/><add id="8"/>'), trace });
    expect([...trace.dropped]).toEqual(['Job/add-partner']);
    expect(written(to)).toEqual([{ staff: [{ uuid: bo }] }]);
  });

  it('on a task of another job is refused, and completed steps are reported', async () => {
    const to = await world({ v2: service(), pairs: [...pairs, pair('jobTask', 403, uuid('7a', 403))] });
    const text = 'Invalid task identifier';
    expect(await refusal(to, CALL, assign('<add id="8" task-id="403"/>'))).toMatchObject({ text });
    expect(written(to)).toEqual([]);
    expect(await refusal(to, CALL, assign('<add id="8"/><add id="8" task-id="403"/>'))).toMatchObject({
      text: `Only a part was done: somebody was added to the job. The rest failed: ${text}`,
    });
  });

  it('is reported as partly done if a later call fails', async () => {
    const to = await world({ v2: service([`PUT jobs/tasks/${survey}`]), pairs });
    const body = assign('<add id="8"/><add id="8" task-id="401"/><add id="8" task-id="402"/>');
    expect(await refusal(to, CALL, body)).toMatchObject({
      code: 'refused',
      text: 'Only a part was done: somebody was added to the job, somebody was added to a task. The rest failed: not today',
    });
  });

  const uncertain: readonly (readonly [string, () => Played | Promise<Played>])[] = [
    ['is answered 500', () => ({ status: 500 })],
    ['is answered 504', () => ({ status: 504 })],
    ['is cut', () => Promise.reject(new Failure('outcomeUnknown'))],
    ['has no connection', () => Promise.reject(new Failure('busy', { text: 'nothing was sent' }))],
    ['is held back by a breaker', () => Promise.reject(new Failure('upstreamUnavailable'))],
    ['may not go out for a minute', () => ({ status: 429 })],
  ];

  it.each(uncertain)(
    'is never plainly refused if a later call %s, and completed steps are reported',
    async (_, answer) => {
      const kept = service();
      const to = await world({
        v2: (request, count) =>
          callName(request).startsWith('PUT jobs/tasks/') ? answer() : kept(request, count),
        pairs,
      });
      expect(await refusal(to, CALL, assign('<add id="8"/><add id="8" task-id="401"/>'))).toMatchObject({
        code: 'outcomeUnknown',
        text: expect.stringMatching(
          /^Only a part was done: somebody was added to the job\. The rest failed: /,
        ),
      });
    },
  );
});

describe('a new job', () => {
  const template = pair('template', 21, uuid('7e', 21));
  const made = { uuid: uuid('0b', 9), jobNumber: 'J9', name: 'n', tasks: [], milestones: [], notes: [] };
  const service =
    (list: readonly object[] = statuses, refused = false): V2Service =>
    ({ verb, segments }) => {
      if (segments[0] === 'job-status') return json(list);
      if (refused && segments[2] === 'job-templates') return { status: 422, body: '{"message":"not today"}' };
      return verb === 'GET' ? json(made) : { ...json(made), status: 201 };
    };
  const CALL = 'POST job.api/add';
  const add = (inner = '') => ({ body: `<Job><Name>n</Name><ClientID>1</ClientID>${inner}</Job>` });

  it('starts on the day that it is in the time zone of the account', async () => {
    const to = await world({ v2: service(), pairs, pageSize: 50, zone: 'Pacific/Honolulu' });
    await ask(to, CALL, add());
    expect(written(to)).toMatchObject([{ startDate: '1969-12-31', dueDate: '1969-12-31' }]);
  });

  it('starts under the first open status, today, and ends when it starts', async () => {
    const to = await world({ v2: service(), pairs, pageSize: 50 });
    await ask(to, CALL, add('<ID>0</ID>'));
    const today = new Date(to.clock.time).toISOString().slice(0, 10);
    expect(written(to)).toEqual([
      {
        jobName: 'n',
        clientUUID: client,
        statusUUID: uuid('57', 3),
        priority: 'Normal',
        startDate: today,
        dueDate: today,
      },
    ]);
  });

  it('ends on the day on which it starts if only that is given', async () => {
    const to = await world({ v2: service(), pairs, pageSize: 50 });
    await ask(to, CALL, add('<ID> A 1 </ID><StartDate>20270104</StartDate>'));
    expect(written(to)[0]).toMatchObject({
      jobNumber: 'A 1',
      startDate: '2027-01-04',
      dueDate: '2027-01-04',
    });
  });

  it('starts under the first status of all if none is open', async () => {
    const to = await world({ v2: service(statuses.slice(0, 2)), pairs, pageSize: 50 });
    await ask(to, CALL, add());
    expect(written(to)[0]).toMatchObject({ statusUUID: uuid('57', 1) });
  });

  it('without its template is reported as partly done', async () => {
    const to = await world({ v2: service(statuses, true), pairs: [...pairs, template], pageSize: 50 });
    expect(await refusal(to, CALL, add('<TemplateID>21</TemplateID>'))).toMatchObject({
      code: 'refused',
      text: 'Only a part was done: the job was added. The rest failed: not today',
    });
    expect(written(to)[1]).toEqual({ templateUUIDs: [uuid('7e', 21)] });
  });

  it('with an invalid date is refused before any call', async () => {
    const to = await world({ v2: service(), pairs, pageSize: 50 });
    expect(await refusal(to, CALL, add('<StartDate>20260230</StartDate>'))).toMatchObject({
      text: 'Invalid value for StartDate',
    });
    expect(written(to)).toEqual([]);
  });
});

describe('a part of a job', () => {
  const phases = [{ uuid: uuid('f0', 1), name: 'Visits' }];
  const v2: V2Service = ({ verb }) =>
    verb === 'GET' ? json({ uuid: job, phases }) : { ...json({}), status: 201 };
  const note = (inner: string) => ({ body: `<Note><Job>J1</Job><Title>t</Title>${inner}</Note>` });

  it('finds its folder among the phases, in any case', async () => {
    const to = await world({ v2, pairs });
    const trace = new Trace();
    await ask(to, 'POST job.api/note', { ...note('<Text>x</Text><Folder> VISITS </Folder>'), trace });
    expect(written(to)).toEqual([{ title: 't', description: 'x', phaseUUID: uuid('f0', 1) }]);
    expect([...trace.dropped]).toEqual([]);
  });

  it('omits a folder that no phase has, and reports it', async () => {
    const to = await world({ v2, pairs });
    const trace = new Trace();
    await ask(to, 'POST job.api/note', { ...note('<Folder>Other</Folder><Public>true</Public>'), trace });
    expect(written(to)).toEqual([{ title: 't', description: 't' }]);
    expect([...trace.dropped].sort()).toEqual(['Note/Folder', 'Note/Public']);
  });

  it.each([
    ['', 'FileName'],
    ['<FileName> </FileName><Content>QQ==</Content>', 'FileName'],
    ['<FileName>f</FileName>', 'Content'],
    ['<FileName>f</FileName><Content></Content>', 'Content'],
  ])('is not a document with %j', async (inner, element) => {
    const to = await world({ v2, pairs });
    const body = `<Document><Job>J1</Job><Title>t</Title>${inner}</Document>`;
    expect(await refusal(to, 'POST job.api/document', { body })).toMatchObject({
      text: `Message not in expected format. The following required element was missing - /Document/${element}`,
    });
    expect(written(to)).toEqual([]);
  });

  it('cannot lose its name', async () => {
    const to = await world({ v2, pairs });
    const body = '<Job><ID>J1</ID><Name> </Name></Job>';
    expect(await refusal(to, 'PUT job.api/update', { body })).toMatchObject({
      text: 'Message not in expected format. The following required element was missing - /Job/Name',
    });
    expect(to.v2.requests).toEqual([]);
  });

  it('of another job, such as a cost, is not changed', async () => {
    const cost = pair('jobCost', 421, uuid('c5', 421));
    const to = await world({
      v2: () => json({ uuid: job, costs: [{ uuid: uuid('c5', 1) }] }),
      pairs: [cost],
    });
    const body = '<Cost><ID>421</ID><Job>J1</Job><Quantity>2</Quantity></Cost>';
    expect(await refusal(to, 'PUT job.api/cost', { body })).toMatchObject({ text: 'Invalid job identifier' });
    expect(written(to)).toEqual([]);
  });
});
