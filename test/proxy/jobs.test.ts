import { afterEach, describe, expect, it } from '@jest/globals';
import { FIRST_ALLOTTED } from '../../src/mapping/crosswalk/identifier.ts';
import {
  ask,
  closeWorlds,
  legacyOk,
  ok,
  pair,
  refusal,
  uuid,
  world,
  type Setting,
  type World,
} from './world.ts';

afterEach(closeWorlds);

const STAFF = uuid('5a', 7);
const JOB = uuid('0b', 3000159);
const TASK = uuid('7b', 71);
const JOB_TASK = uuid('7a', 71);

const pairs = [
  pair('staff', 7, STAFF),
  pair('job', 3000159, JOB),
  pair('task', 71, TASK),
  pair('jobTask', 71, JOB_TASK),
  pair('client', 1, uuid('c1', 1)),
];

const jobs = (inner = '', more: Setting = {}): Promise<World> =>
  world({ pairs, v3: () => ok(inner), ...more });

const REST =
  '<Name></Name><Description></Description><ClientOrderNumber></ClientOrderNumber><State></State><StartDate></StartDate><DueDate></DueDate>';
const job = (internal: string, lists = ''): string =>
  `<Job><ID>J1</ID>${REST}<InternalID>${internal}</InternalID><Assigned />${lists}</Job>`;
const IN_DETAIL = '<Tasks /><Milestones /><Notes />';

describe('identifiers in attributes', () => {
  const line = 'PUT job.api/assign';

  it.each([
    ['<add id="7"/>', `<add uuid="${STAFF}"/>`],
    ['<ADD ID="7" TASK-ID="71" note="x"/>', `<add uuid="${STAFF}" task-uuid="${JOB_TASK}"/>`],
    ['<add task-id=" 71 " id=" 7 "></add>', `<add uuid="${STAFF}" task-uuid="${JOB_TASK}"/>`],
    ['<remove id="7" task-id=""/>', `<remove uuid="${STAFF}"/>`],
    [`<add-manager id="${STAFF}"/>`, `<add-manager uuid="${STAFF}"/>`],
    [
      '<remove id="7"/><add id="7"/><remove id="7"/>',
      `<add uuid="${STAFF}"/><remove uuid="${STAFF}"/><remove uuid="${STAFF}"/>`,
    ],
  ])('are sent from %s as %s', async (given, sent) => {
    const to = await jobs();
    await ask(to, line, { body: `<Job><ID>J1</ID>${given}</Job>` });
    expect(to.v3.sent).toContain(`<Job><ID>J1</ID>${sent}</Job>`);
  });

  it.each([
    ['<add id="8"/>', 'Invalid staff identifier'],
    ['<add id="7" task-id="72"/>', 'Invalid task identifier'],
    ['<add id="x"/>', 'Invalid staff identifier'],
    ['<add/>', 'Message not in expected format. The following required element was missing - /Job/add/@id'],
    [
      '<add id="7"/><add task-id="71"/>',
      'Message not in expected format. The following required element was missing - /Job/add/@id',
    ],
    [
      '<remove-partner><id>7</id></remove-partner>',
      'Message not in expected format. The following required element was missing - /Job/remove-partner/@id',
    ],
  ])('with %s are refused, and nothing is sent', async (given, text) => {
    const to = await jobs();
    const body = `<Job><ID>J1</ID>${given}</Job>`;
    expect(await refusal(to, line, { body })).toMatchObject({ code: 'refused', text });
    expect(to.v3.requests).toEqual([]);
  });

  it('keep their names if V3 uses numbers', async () => {
    const to = await jobs('', { identifiers: 'number' });
    await ask(to, line, { body: '<Job><ID>J1</ID><add id="7" task-id="71"/></Job>' });
    expect(to.v3.sent).toContain('<Job><ID>J1</ID><add id="7" task-id="71"/></Job>');
  });
});

describe('a list that must not be empty', () => {
  const missing = (path: string): string =>
    `Message not in expected format. The following required element was missing - ${path}`;

  it.each([
    ['', missing('/Job/Tasks/Task')],
    ['<Tasks/>', missing('/Job/Tasks/Task')],
    ['<Tasks><Other/></Tasks>', missing('/Job/Tasks/Task')],
    ['<Tasks><Task><ID>71</ID></Task><Task/></Tasks>', missing('/Job/Tasks/Task/ID')],
  ])('is refused if it is empty: %s', async (given, text) => {
    const to = await jobs();
    const body = `<Job><ID>J1</ID>${given}</Job>`;
    expect(await refusal(to, 'PUT job.api/reordertasks', { body })).toMatchObject({ text });
    expect(to.v3.requests).toEqual([]);
  });
});

describe('InternalID, which V3 no longer has,', () => {
  it('is the number V1 had for the UUID of the job on V3', async () => {
    const to = await jobs(`<Job><ID>J1</ID><UUID>${JOB.toUpperCase()}</UUID></Job>`);
    expect(await ask(to, 'GET job.api/get/J1')).toBe(legacyOk('Get', job('3000159', IN_DETAIL)));
  });

  it('is empty, never guessed, if it was not learned', async () => {
    const to = await jobs(`<Job><ID>J1</ID><UUID>${uuid('0b', 9)}</UUID></Job>`);
    expect(await ask(to, 'GET job.api/get/J1')).toBe(legacyOk('Get', job('', IN_DETAIL)));
    const report = await to.store.crosswalk.report('account-1');
    expect(report.find(({ kind }) => kind === 'job')).toMatchObject({ unlearned: 1, allotted: 0 });
  });

  it('is kept if V3 still returns it', async () => {
    const older = '<Job><ID>J1</ID><InternalID>3000159</InternalID></Job>';
    expect(await ask(await jobs(older), 'GET job.api/get/J1')).toContain('<InternalID>3000159</InternalID>');
    const numbers = await jobs(`<Jobs>${older}</Jobs>`, { identifiers: 'number' });
    expect(await ask(numbers, 'GET job.api/current')).toBe(
      legacyOk('Current', `<Jobs>${job('3000159')}</Jobs>`),
    );
  });
});

describe('a new job', () => {
  const body = '<Job><Name>n</Name><ClientID>1</ClientID><TemplateID></TemplateID></Job>';

  it('has an allotted number, and so have its own parts', async () => {
    const task = (id: string): string => `<UUID>${id}</UUID><TaskUUID>${uuid('7b', 99)}</TaskUUID>`;
    const note = `<Note><UUID>${uuid('40', 9)}</UUID><Comments><Comment><UUID>${uuid('41', 9)}</UUID></Comment></Comments></Note>`;
    const to = await jobs(
      `<Job><ID>J9</ID><UUID>${uuid('0b', 9)}</UUID><Assigned><Staff><UUID>${uuid('5a', 9)}</UUID></Staff></Assigned><Tasks><Task>${task(uuid('7a', 9))}</Task></Tasks><Notes>${note}</Notes></Job>`,
    );
    const reply = await ask(to, 'POST job.api/add', { body });
    const made = String(FIRST_ALLOTTED);
    expect(reply).toContain(`<InternalID>${made}</InternalID>`);
    expect(reply).toContain(`<Task><ID>${made}</ID><Name></Name><TaskID></TaskID>`);
    expect(reply).toContain(`<Note><ID>${made}</ID>`);
    expect(reply).toContain(`<Comment><ID>${made}</ID>`);
    // Who is assigned was there before.
    expect(reply).toContain('<Staff><ID></ID>');
  });

  it('is not a changed job', async () => {
    const to = await jobs(`<Job><ID>J9</ID><UUID>${uuid('0b', 9)}</UUID></Job>`);
    expect(await ask(to, 'PUT job.api/update', { body: '<Job><ID>J9</ID></Job>' })).toContain(
      '<InternalID></InternalID>',
    );
  });
});

describe('a reply beside its Status', () => {
  it.each([
    ['<ID>Q000124</ID><UUID>9e000000-0000-4000-8000-000000000124</UUID>', '<ID>Q000124</ID>'],
    ['<UUID>9e000000-0000-4000-8000-000000000124</UUID>\n  <ID> Q25008/2 </ID>', '<ID>Q25008/2</ID>'],
    ['<ID>A&amp;B</ID>', '<ID>A&amp;B</ID>'],
  ])('has a number that is text: %s', async (inner, expected) => {
    const to = await jobs(inner);
    expect(await ask(to, 'POST job.api/createquote/J1')).toBe(legacyOk('Createquote', expected));
    expect(to.v3.requests[0]).not.toHaveProperty('body');
  });

  it.each([
    [`<UUID>${uuid('c5', 9)}</UUID>`, `<ID>${FIRST_ALLOTTED}</ID>`],
    [`<ID>J1</ID><UUID>${uuid('c5', 9)}</UUID>`, `<ID>${FIRST_ALLOTTED}</ID>`],
  ])('has the identifier of the created record: %s', async (inner, expected) => {
    const body = '<Cost><Job>J1</Job><Description>d</Description></Cost>';
    expect(await ask(await jobs(inner), 'POST job.api/cost', { body })).toBe(legacyOk('Cost', expected));
  });

  it('has nothing if V1 returned nothing', async () => {
    const inner = `<Job><ID>J1</ID><UUID>${JOB}</UUID></Job>`;
    const body = '<Job><ID>J1</ID><State>Planned</State></Job>';
    expect(await ask(await jobs(inner), 'PUT job.api/state', { body })).toBe(legacyOk('State'));
  });
});

describe('the lists of a record', () => {
  it('are present if the record is shown in full, and as on V3 otherwise', async () => {
    const bare = `<Job><ID>J1</ID><UUID>${JOB}</UUID></Job>`;
    expect(await ask(await jobs(bare), 'GET job.api/get/J1')).toContain(`<Assigned />${IN_DETAIL}</Job>`);
    expect(await ask(await jobs(`<Jobs>${bare}</Jobs>`), 'GET job.api/staff/7')).toContain(
      '<Assigned /></Job>',
    );
  });
});
