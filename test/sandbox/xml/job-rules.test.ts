import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Records } from '../../../src/sandbox/records/records.ts';
import { ok } from './example.ts';
import { defaultSwitches, refusal, Service, statusOnly, textOf } from './service.ts';
import { inForm, numbers, seedWorld, uuidOf } from './world.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
  await seedWorld(service);
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const v1 = async (verb: string, path: string, body?: string): Promise<string> =>
  service.v1(verb, inForm('v1', path), body === undefined ? undefined : inForm('v1', body));
const v3 = async (verb: string, path: string, body?: string): Promise<string> =>
  service.v3(verb, inForm('v3', path), body === undefined ? undefined : inForm('v3', body));

const job = async (number = 'J000010'): Promise<string> => v1('GET', `job.api/get/${number}`);
const all = (xml: string, pattern: RegExp): string[] =>
  [...xml.matchAll(pattern)].map((match) => match[1] ?? '');
const codes = (xml: string): string[] => all(xml, /<(?:Job|Quote|Invoice|PurchaseOrder)><ID>([^<]*)</g);
const times = (xml: string): string[] => all(xml, /<Time><ID>(\d+)</g);
const tasksOf = (xml: string): string[] => all(xml, /<Task><ID>\d+<\/ID><Name>([^<]*)</g);
const assigned = (xml: string): string[] =>
  all(/<Assigned>.*?<\/Assigned>|<Assigned \/>/.exec(xml)?.[0] ?? '', /<Name>([^<]*)</g);
const assignedToTask = (xml: string, task: string): string[] =>
  all(
    new RegExp(`<Task><ID>\\d+</ID><Name>${task}</Name>.*?</Task>`).exec(xml)?.[0] ?? '',
    /<Staff><ID>\d+<\/ID><Name>([^<]*)</g,
  );

describe('numbers of jobs', () => {
  const add = async (id = ''): Promise<string | undefined> =>
    textOf(
      await v1('POST', 'job.api/add', `<Job>${id}<Name>N</Name><ClientID>{client}</ClientID></Job>`),
      'ID',
    );

  it('follow the highest, given ones are kept, and none is used twice', async () => {
    expect(await add()).toBe('J000012');
    expect(await add('<#ID>J000500</#ID>')).toBe('J000500');
    expect(await add('<#ID>Old 7</#ID>')).toBe('Old 7');
    expect(await add('<#ID>0</#ID>')).toBe('J000501');
    await v1('POST', 'job.api/delete', '<Job><#ID>J000501</#ID></Job>');
    expect(await add()).toBe('J000502');
  });

  it.each(['J000010', 'J000011'])('refuse %s, which is taken, even after a deletion', async (code) => {
    const body = `<Job><#ID>${code}</#ID><Name>N</Name><ClientID>{client}</ClientID></Job>`;
    const expected = refusal('Add', `The job number ${code} is already in use`);
    expect(await v1('POST', 'job.api/add', body)).toBe(expected);
    await v1('POST', 'job.api/delete', `<Job><#ID>${code}</#ID></Job>`);
    expect(await v1('POST', 'job.api/add', body)).toBe(expected);
  });

  it('belong to the organisation', async () => {
    await service.seed({ clients: [{ number: 5, name: 'C' }] }, 'two');
    const answer = await service.call(
      'POST',
      'v1/job.api/add',
      '<Job><Name>N</Name><ClientID>5</ClientID></Job>',
      { organisation: 'two' },
    );
    expect(textOf(answer.text, 'ID')).toBe('J000001');
  });

  it('identify the job on V3, too, beside its UUID', async () => {
    const byNumber = await v3('GET', 'job.api/get/J000010');
    expect(await v3('GET', 'job.api/get/{job}')).toBe(byNumber);
    expect(await v3('PUT', 'job.api/state', '<Job><UUID>{job}</UUID><State>On hold</State></Job>')).toBe(
      statusOnly('State'),
    );
    expect(await job()).toContain('<State>On Hold</State>');
    expect(await v1('GET', 'job.api/get/{job}')).toBe(refusal('Get', 'Invalid job identifier'));
  });
});

describe('a job', () => {
  it('that is added appears at once, on both forms, with its first state', async () => {
    const added = await v3(
      'POST',
      'job.api/add',
      '<Job><Name>New & co</Name><ClientID>{client}</ClientID></Job>'.replace('&', '&amp;'),
    );
    const uuid = textOf(added, 'UUID') ?? '';
    expect(await v1('GET', 'job.api/current')).toContain('<ID>J000012</ID><Name>New &amp; co</Name>');
    expect(await v1('GET', 'job.api/client/{client}')).toContain('<ID>J000012</ID>');
    expect(await v3('GET', `job.api/get/${uuid}`)).toBe(added.replace('"Add"', '"Get"'));
    expect(textOf(added, 'State')).toBe('Planned');
    expect(added).toContain('<StartDate>2026-11-20T00:00:00</StartDate>');
  });

  it('keeps what an update does not name, and clears what is empty', async () => {
    const before = await job();
    const updated = await v1(
      'PUT',
      'job.api/update',
      '<Job><#ID>J000010</#ID><ClientNumber>PO 8</ClientNumber><Budget></Budget><CategoryID></CategoryID><DueDate>20260501</DueDate></Job>',
    );
    expect(updated).toBe(
      before
        .replace('"Get"', '"Update"')
        .replace('PO 7', 'PO 8')
        .replace('<Budget>1000.00</Budget>', '')
        .replace('<Type>Residential</Type>', '')
        .replace('2026-04-01', '2026-05-01'),
    );
  });

  it('accepts no contact of another client', async () => {
    const body =
      '<Job><Name>N</Name><ClientID>{otherClient}</ClientID><ContactID>{contact}</ContactID></Job>';
    expect(await v1('POST', 'job.api/add', body)).toBe(refusal('Add', 'Invalid contact identifier'));
  });

  it('has states by name in any case; a final one sets its date', async () => {
    await v1('PUT', 'job.api/state', '<Job><#ID>J000010</#ID><State>completed</State></Job>');
    expect(await job()).toContain('<State>Completed</State>');
    expect(await job()).toContain('<CompletedDate>2026-11-20T00:00:00</CompletedDate>');
    await v1('PUT', 'job.api/state', '<Job><#ID>J000010</#ID><State>PLANNED</State></Job>');
    expect(await job()).toContain('<State>Planned</State>');
    expect(await job()).not.toContain('CompletedDate');
  });
});

describe('lists of jobs in the sandbox', () => {
  it('omit completed jobs if they are of current ones', async () => {
    expect(codes(await v1('GET', 'job.api/current'))).toEqual(['J000010']);
    await v1('PUT', 'job.api/state', '<Job><#ID>J000011</#ID><State>On Hold</State></Job>');
    expect(codes(await v1('GET', 'job.api/current'))).toEqual(['J000010', 'J000011']);
    await v1('PUT', 'job.api/state', '<Job><#ID>J000010</#ID><State>Cancelled</State></Job>');
    expect(codes(await v1('GET', 'job.api/current'))).toEqual(['J000011']);
    expect(codes(await v1('GET', 'job.api/staff/{staff}'))).toEqual([]);
    expect(codes(await v1('GET', 'job.api/client/{client}'))).toEqual(['J000010']);
  });

  it('are detailed only on request', async () => {
    const short = await v1('GET', 'job.api/current');
    for (const element of ['Tasks', 'Milestones', 'Notes']) expect(short).not.toContain(`<${element}`);
    const detailed = await v1('GET', 'job.api/current?detailed=true');
    expect(detailed).toBe(
      (await job())
        .replace('"Get"', '"Current"')
        .replace('<Job>', '<Jobs><Job>')
        .replace('</Response>', '</Jobs></Response>'),
    );
  });

  it('cover the days of creation, both included', async () => {
    const list = async (from: string, to: string): Promise<string[]> =>
      codes(await v1('GET', `job.api/list?from=${from}&to=${to}`));
    expect(await list('20260220', '20260501')).toEqual(['J000010', 'J000011']);
    expect(await list('20260220', '20260220')).toEqual(['J000010']);
    expect(await list('20260221', '20260430')).toEqual([]);
    expect(await list('2026-05-01', '2026-05-01T00:00:00')).toEqual(['J000011']);
  });

  it.each(['from=20260101', 'to=20260101', 'from=&to=20260101', ''])(
    'require both days: %s',
    async (query) => {
      const lacking = query.includes('from=2') ? 'to' : 'from';
      const old = await service.call('GET', `v1/job.api/list?${query}`);
      expect([old.status, old.text]).toEqual([500, refusal('List', `The parameter ${lacking} is required`)]);
      const newer = await service.call('GET', `3.0/job.api/list?${query}`);
      expect([newer.status, newer.text]).toEqual([400, old.text]);
    },
  );

  it('require valid days', async () => {
    const answer = await service.call('GET', 'v1/job.api/list?from=20260231&to=20260301');
    expect([answer.status, answer.text]).toEqual([500, refusal('List', 'Invalid value for from')]);
  });

  it('are filtered by modifiedsinceutc', async () => {
    service.clock.moment = Date.UTC(2026, 11, 1, 12);
    await v1('PUT', 'job.api/update', '<Job><#ID>J000011</#ID><Name>Later</Name></Job>');
    const days = 'from=20260101&to=20261231';
    expect(codes(await v1('GET', `job.api/list?${days}&modifiedsinceutc=2026-12-01T00:00:00`))).toEqual([
      'J000011',
    ]);
    expect(codes(await v3('GET', `job.api/list?${days}&modifiedsinceutc=20260101`))).toEqual([
      'J000010',
      'J000011',
    ]);
    expect(codes(await v1('GET', 'job.api/current?modifiedsinceutc=2026-12-01T00:00:00'))).toEqual([]);
  });

  it('have pages on V3 if a page is requested, but never current jobs', async () => {
    const days = 'from=20260101&to=20261231';
    const second = await v3('GET', `job.api/list?${days}&page=2&pagesize=1`);
    expect(second).toContain(
      '<Status>OK</Status><TotalRecords>2</TotalRecords><Page>2</Page><PageSize>1</PageSize><Jobs><Job><ID>J000011</ID>',
    );
    expect(codes(second)).toEqual(['J000011']);
    expect(await v3('GET', `job.api/list?${days}&page=1`)).toContain('<PageSize>1000</PageSize>');
    expect(await v3('GET', `job.api/list?${days}`)).not.toContain('TotalRecords');
    expect(await v1('GET', `job.api/list?${days}&page=1&pagesize=1`)).not.toContain('TotalRecords');
    expect(await v3('GET', 'job.api/current?page=2&pagesize=1')).toBe(await v3('GET', 'job.api/current'));
  });

  it('of tasks contain those that match, and no job without any', async () => {
    const found = async (query: string): Promise<string[]> =>
      tasksOf(await v1('GET', `job.api/tasks${query}`));
    expect(await found('')).toEqual(['Design', 'Build']);
    expect(await found('?complete=true')).toEqual(['Build']);
    expect(await found('?complete=FALSE')).toEqual(['Design']);
    expect(await found('?due=20260309')).toEqual(['Design']);
    expect(await found('?start=20260302')).toEqual(['Design']);
    expect(await v1('GET', 'job.api/tasks?due=20260308')).toBe(ok('Tasks', '<Jobs />'));
    expect(await v1('GET', 'job.api/tasks?start=20260303')).toBe(ok('Tasks', '<Jobs />'));
    expect(await v1('GET', 'job.api/tasks?due=soon')).toBe(refusal('Tasks', 'Invalid value for due'));
  });
});

describe('a job that is deleted', () => {
  const remove = async (): Promise<void> => {
    expect(await v1('POST', 'job.api/delete', '<Job><#ID>J000010</#ID></Job>')).toBe(statusOnly('Delete'));
  };

  it('is gone from all lists of jobs', async () => {
    await remove();
    expect(await job()).toBe(refusal('Get', 'Invalid job identifier'));
    for (const path of [
      'job.api/current',
      'job.api/list?from=20260201&to=20260228',
      'job.api/client/{client}',
      'job.api/staff/{staff}',
      'job.api/tasks',
    ])
      expect(await v3('GET', path)).toContain('<Jobs />');
  });

  it('is deleted with its time, tasks, costs, quotes and orders', async () => {
    await remove();
    const year = '?from=20260101&to=20261231';
    expect(times(await v1('GET', `time.api/list${year}`))).toEqual([]);
    expect(times(await v1('GET', `time.api/staff/{staff}${year}`))).toEqual([]);
    expect(await v1('GET', 'time.api/get/{time}')).toBe(refusal('Get', 'Invalid time identifier'));
    expect(await v1('PUT', 'job.api/task/{jobTask}/complete')).toBe(
      refusal('Task', 'Invalid task identifier'),
    );
    expect(await v1('GET', 'job.api/cost/{jobCost}/customfield')).toBe(
      refusal('Cost', 'Invalid cost identifier'),
    );
    expect(codes(await v1('GET', 'quote.api/current'))).toEqual([]);
    expect(codes(await v1('GET', 'purchaseorder.api/current'))).toEqual([]);
    expect(codes(await v1('GET', 'purchaseorder.api/draft'))).toEqual([]);
  });

  it('keeps its invoices, which still name it', async () => {
    await remove();
    expect(await v1('GET', 'invoice.api/get/INV-0003')).toContain('<JobText>J000010 House</JobText>');
  });

  it('affects no other jobs', async () => {
    const before = await job('J000011');
    await remove();
    expect(await job('J000011')).toBe(before);
  });
});

describe('assigning staff to a job', () => {
  const assign = async (inner: string): Promise<string> =>
    v1('PUT', 'job.api/assign', `<Job><#ID>J000010</#ID>${inner}</Job>`);

  it('adds to those already assigned, and none twice', async () => {
    await assign('<add id="{otherStaff}"/>');
    await assign('<add id="{otherStaff}"/><add id="{staff}"/>');
    expect(assigned(await job())).toEqual(['Ada Example', 'Bo &amp; Co']);
    expect(codes(await v1('GET', 'job.api/staff/{otherStaff}'))).toEqual(['J000010']);
  });

  it('assigns to a task and to its job', async () => {
    await assign('<add id="{otherStaff}" task-id="{otherJobTask}"/>');
    expect(assigned(await job())).toEqual(['Ada Example', 'Bo &amp; Co']);
    expect(assignedToTask(await job(), 'Build')).toEqual(['Bo &amp; Co']);
    expect(assignedToTask(await job(), 'Design')).toEqual(['Ada Example']);
  });

  it('is reversed without changing the job, its tasks or the member', async () => {
    const before = await job();
    await assign('<add id="{otherStaff}" task-id="{jobTask}"/>');
    await assign('<remove id="{otherStaff}" task-id="{jobTask}"/>');
    expect(assignedToTask(await job(), 'Design')).toEqual(['Ada Example']);
    await assign('<remove id="{otherStaff}"/>');
    expect(await job()).toBe(before);
    await assign('<remove id="{staff}"/>');
    expect(assigned(await job())).toEqual([]);
    expect(tasksOf(await job())).toEqual(['Design', 'Build']);
    expect(await v1('GET', 'staff.api/get/{staff}')).toContain('<Status>OK</Status>');
    expect(times(await v1('GET', 'time.api/job/J000010'))).toHaveLength(1);
  });

  it('replaces manager and partner, and removes only a named one', async () => {
    await assign('<remove-manager id="{otherStaff}"/><add-partner id="{staff}"/>');
    expect(await job()).toContain(`<Manager><ID>${numbers.staff}</ID>`);
    expect(await job()).toContain(`<Partner><ID>${numbers.staff}</ID>`);
    await assign('<remove-manager id="{staff}"/><remove-partner id="{staff}"/>');
    expect(await job()).not.toContain('<Manager>');
    expect(await job()).not.toContain('<Partner>');
    await assign('<add-manager id="{otherStaff}"/>');
    expect(await job()).toContain(`<Manager><ID>${numbers.otherStaff}</ID>`);
  });

  it('happens completely or not at all', async () => {
    const before = await job();
    expect(await assign('<add id="{otherStaff}"/><add id="{nobody}"/>')).toBe(
      refusal('Assign', 'Invalid staff identifier'),
    );
    expect(await assign('<add id="{otherStaff}" task-id="{foreignJobTask}"/>')).toBe(
      refusal('Assign', 'Invalid task identifier'),
    );
    expect(await job()).toBe(before);
  });

  it('requires uuid on V3, and accepts either in transition mode', async () => {
    await v3('PUT', 'job.api/assign', '<Job><#ID>J000010</#ID><add id="{otherStaff}"/></Job>');
    expect(assigned(await job())).toHaveLength(2);
    await service.v1(
      'PUT',
      'job.api/assign?uuidMode=transition',
      `<Job><ID>J000010</ID><remove uuid="${uuidOf('otherStaff')}"/></Job>`,
    );
    expect(assigned(await job())).toEqual(['Ada Example']);
    expect(await assign('<add/>')).toContain('missing - /Job/add/@id');
    expect(await v3('PUT', 'job.api/assign', '<Job><#ID>J000010</#ID><add/></Job>')).toContain(
      'missing - /Job/add/@uuid',
    );
  });

  it('divides the estimate evenly if time allocation is on', async () => {
    service.switches = { ...defaultSwitches, timeAllocation: true };
    const minutes = async (): Promise<string[]> => all(await job(), /<AllocatedMinutes>(\d+)</g);
    await assign('<add id="{otherStaff}" task-id="{jobTask}"/>');
    expect(await minutes()).toEqual(['60', '60']);
    await v1('PUT', 'job.api/task', '<Task><ID>{jobTask}</ID><EstimatedMinutes>75</EstimatedMinutes></Task>');
    expect(await minutes()).toEqual(['38', '37']);
    await assign('<remove id="{staff}"/>');
    expect(await minutes()).toEqual(['75']);
  });
});

describe('applying a template', () => {
  it('merges tasks, milestones, costs and to-do items into those of the job', async () => {
    const before = await job();
    const body = '<Job><#ID>J000010</#ID><TemplateID>{template}</TemplateID></Job>';
    expect(await v1('POST', 'job.api/applytemplate', body)).toBe(statusOnly('Applytemplate'));
    const after = await job();
    expect(tasksOf(after)).toEqual(['Design', 'Build', 'Build']);
    expect(all(after, /<Milestone>.*?<Description>([^<]*)</g)).toEqual(['Roof', 'Done']);
    expect(after).toContain('<Milestone><Date>2026-03-04T00:00:00</Date><Description>Done</Description>');
    expect(
      all(await v1('GET', 'job.api/costs/J000010'), /<Cost><ID>\d+<\/ID><Description>([^<]*)</g),
    ).toEqual(['Beam', 'Nails']);
    const records = new Records(service.db, 'one');
    const toDos = (await records.ownedBy('toDo', [uuidOf('job')])).get(uuidOf('job')) ?? [];
    expect(toDos.map(({ name }) => name)).toEqual(['Ring']);
    const untouched = /<Job>.*?<Tasks>/.exec(before)?.[0] ?? 'nothing';
    expect(after).toContain(untouched);
  });

  it('happens for a new job that names one', async () => {
    const added = await v1(
      'POST',
      'job.api/add',
      '<Job><Name>N</Name><ClientID>{client}</ClientID><StartDate>20260701</StartDate><TemplateID>{template}</TemplateID></Job>',
    );
    expect(tasksOf(added)).toEqual(['Build']);
    expect(added).toContain('<EstimatedMinutes>45</EstimatedMinutes>');
    expect(added).toContain('<Milestone><Date>2026-07-04T00:00:00</Date>');
  });

  it('requires an existing one, or nothing is added', async () => {
    const body = '<Job><Name>N</Name><ClientID>{client}</ClientID><TemplateID>{nobody}</TemplateID></Job>';
    expect(await v1('POST', 'job.api/add', body)).toBe(refusal('Add', 'Invalid template identifier'));
    expect(codes(await v1('GET', 'job.api/client/{client}'))).toEqual(['J000010']);
  });
});

describe('tasks of jobs in the sandbox', () => {
  it('are copied from the catalogue, with the label as name', async () => {
    const added = await v1(
      'POST',
      'job.api/task',
      '<Task><Job>J000010</Job><TaskID>{task}</TaskID><Label>Sketch</Label><EstimatedMinutes>15</EstimatedMinutes><DueDate>20260330</DueDate></Task>',
    );
    const id = textOf(added, 'ID') ?? '';
    expect(added).toBe(ok('Task', `<ID>${id}</ID>`));
    expect(await job()).toContain(
      `<Task><ID>${id}</ID><Name>Sketch</Name><TaskID>${numbers.task}</TaskID><EstimatedMinutes>15</EstimatedMinutes>` +
        '<ActualMinutes>0</ActualMinutes><Description>Drawings</Description>',
    );
    await v1('PUT', 'job.api/task', `<Task><ID>${id}</ID><Label></Label></Task>`);
    expect(tasksOf(await job())).toEqual(['Design', 'Build', 'Design']);
  });

  it('have a UUID on V3, which also accepts TaskUUID for an update', async () => {
    const added = await v3('POST', 'job.api/task', '<Task><Job>{job}</Job><TaskID>{task}</TaskID></Task>');
    const uuid = textOf(added, 'UUID') ?? '';
    expect(added).toBe(ok('Task', `<UUID>${uuid}</UUID>`));
    const renamed = await v3(
      'PUT',
      'job.api/task',
      `<Task><TaskUUID>${uuid}</TaskUUID><Label>By key</Label></Task>`,
    );
    expect(renamed).toBe(statusOnly('Task'));
    expect(tasksOf(await job())).toContain('By key');
  });

  it('are completed and reopened', async () => {
    const completed = async (): Promise<string[]> =>
      all(await job(), /<\/Description><Completed>(\w+)<\/Completed><Billable>/g);
    expect(await completed()).toEqual(['false', 'true']);
    expect(await v1('PUT', 'job.api/task/{jobTask}/complete')).toBe(statusOnly('Task'));
    expect(await v3('PUT', 'job.api/task/{otherJobTask}/reopen')).toBe(statusOnly('Task'));
    expect(await completed()).toEqual(['true', 'false']);
  });

  it('are sorted in the given order, the others after them', async () => {
    await v1(
      'PUT',
      'job.api/reordertasks',
      '<Job><#ID>J000010</#ID><Tasks><Task><ID>{otherJobTask}</ID></Task></Tasks></Job>',
    );
    expect(tasksOf(await job())).toEqual(['Build', 'Design']);
    await v1(
      'POST',
      'job.api/task',
      '<Task><Job>J000010</Job><TaskID>{task}</TaskID><Label>New</Label></Task>',
    );
    expect(tasksOf(await job())).toEqual(['Build', 'Design', 'New']);
    await v3(
      'PUT',
      'job.api/reordertasks',
      '<Job><#ID>J000010</#ID><Tasks><Task><ID>{jobTask}</ID></Task></Tasks></Job>',
    );
    expect(tasksOf(await job())).toEqual(['Design', 'Build', 'New']);
  });

  it('change the date of modification of their job', async () => {
    service.clock.moment = Date.UTC(2026, 11, 1);
    await v1('PUT', 'job.api/task/{jobTask}/complete');
    expect(codes(await v1('GET', 'job.api/current?modifiedsinceutc=2026-12-01T00:00:00'))).toEqual([
      'J000010',
    ]);
  });
});

describe('notes, documents and costs of jobs', () => {
  it('appear at once', async () => {
    const note = '<Note><Job>J000010</Job><Title>Hi</Title><Text>a\nb</Text><Folder>F</Folder></Note>';
    expect(await v3('POST', 'job.api/note', note)).toBe(statusOnly('Note'));
    expect(await job()).toContain(
      '<Title>Hi</Title><Text>a\nb</Text><Folder>F</Folder><Date>2026-11-20T09:30:00</Date><CreatedBy>API</CreatedBy><Comments />',
    );
    const document =
      '<Document><Job>J000010</Job><Title>Doc</Title><FileName>d.txt</FileName><Content>aGVsbG8=</Content></Document>';
    expect(await v1('POST', 'job.api/document', document)).toBe(statusOnly('Document'));
    const links = all(
      await v1('GET', 'job.api/documents/J000010'),
      /<URL>http:\/\/service\.example\/([^<]+)</g,
    );
    expect((await service.call('GET', links[1] ?? '')).text).toBe('hello');
    expect(await v1('GET', 'client.api/documents/{client}')).toBe(ok('Documents', '<Documents />'));
  });

  it('change the date of modification of their job, and keep it', async () => {
    const added = await v1(
      'POST',
      'job.api/cost',
      '<Cost><Job>J000010</Job><Description>Nail</Description><Date>20260401</Date><Billable>No</Billable>' +
        '<Quantity>1.005</Quantity><UnitPrice>-3</UnitPrice><SupplierID>{supplier}</SupplierID></Cost>',
    );
    const id = textOf(added, 'ID') ?? '';
    const line = async (): Promise<string> =>
      new RegExp(`<Cost><ID>${id}</ID>.*?</Cost>`).exec(await v1('GET', 'job.api/costs/J000010'))?.[0] ?? '';
    const supplier = `<Supplier><ID>${numbers.supplier}</ID><Name>Timber &lt;Ltd&gt;</Name></Supplier>`;
    expect(await line()).toBe(
      `<Cost><ID>${id}</ID><Description>Nail</Description><Quantity>1.01</Quantity><UnitCost>0.00</UnitCost>` +
        '<UnitPrice>-3.00</UnitPrice><Date>2026-04-01T00:00:00</Date><Code></Code><Note></Note><Billable>false</Billable>' +
        `${supplier}</Cost>`,
    );
    await v1(
      'PUT',
      'job.api/cost',
      `<Cost><ID>${id}</ID><SupplierID></SupplierID><Billable>1</Billable></Cost>`,
    );
    expect(await line()).toContain('<Billable>true</Billable></Cost>');
  });
});

describe('quotes made from jobs', () => {
  it('are drafts with the content of the job and the next number', async () => {
    expect(await v1('POST', 'job.api/createquote/J000010')).toBe(ok('Createquote', '<ID>Q000009</ID>'));
    const estimate = await v3('POST', 'job.api/createestimate/J000010');
    expect(estimate).toMatch(/<Status>OK<\/Status><ID>Q000010<\/ID><UUID>[\da-f-]{36}<\/UUID><\/Response>$/);
    expect(codes(await v1('GET', 'quote.api/draft'))).toEqual(['Q000008', 'Q000009', 'Q000010']);
    const quote = await v1('GET', 'quote.api/get/Q000009');
    expect(quote).toContain('<Type>Quote</Type><State>Draft</State><Name>House</Name>');
    // Two hours at 120, and three beams at 20; what is not billable costs nothing.
    expect(quote).toContain('<Amount>300.00</Amount><AmountTax>45.00</AmountTax>');
    expect(quote).toContain('<Contact><ID>1000111</ID><Name>Cy</Name></Contact>');
    expect(await v1('GET', 'quote.api/get/Q000010')).toContain('<Type>Estimate</Type>');
    const uuid = textOf(estimate, 'UUID') ?? '';
    expect(await v3('GET', `quote.api/get/${uuid}`)).toContain('<ID>Q000010</ID>');
  });
});
