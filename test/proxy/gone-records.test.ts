import { afterEach, describe, expect, it } from '@jest/globals';
import { Trace } from '../../src/proxy/call/call.ts';
import { ask, callName, closeWorlds, json, pair, uuid, world, type V2Service, type World } from './world.ts';

afterEach(closeWorlds);

const present = uuid('c1', 1);
const bo = uuid('5a', 8);
const status = { uuid: uuid('57', 1), name: 'Planned', type: 'planned' };

interface Named {
  readonly uuid: string;
  readonly name: string;
}

const clientOf = (number: number): Named => ({ uuid: uuid('c1', number), name: `Client ${number}` });
const jobOf = (number: number, client: Named, staff: readonly string[] = []) => ({
  uuid: uuid('0b', number),
  jobNumber: `J${number}`,
  name: `Job ${number}`,
  clientUUID: client.uuid,
  jobStatusUUID: status.uuid,
  staffAssigned: staff.map((one) => ({ uuid: one })),
});

/** V2 lists one client and nobody of the staff; a job by itself names its client and who works on it. */
const service =
  (jobs: readonly ReturnType<typeof jobOf>[], clients: readonly Named[]): V2Service =>
  ({ segments, query }) => {
    const [collection, key] = segments;
    if (collection === 'jobs' && key !== undefined) {
      const found = jobs.find((one) => one.uuid === key);
      if (found === undefined) return { status: 404, body: '{"message":"not found"}' };
      const { staffAssigned, clientUUID } = found;
      return json({
        uuid: key,
        client: clients.find((one) => one.uuid === clientUUID) ?? null,
        staffAssigned: staffAssigned.map((one) => ({ ...one, firstName: 'Bo', lastName: 'Example' })),
      });
    }
    if (collection === 'jobs') return json(jobs);
    if (collection === 'job-status') return json([status]);
    const isArchived = query.some(([name, value]) => name === 'status' && value === 'archived');
    if (collection === 'clients') return json(isArchived ? [] : [{ uuid: present, name: 'Present' }]);
    return json([]);
  };

const singles = ({ v2 }: World): readonly string[] =>
  v2.requests.filter(({ segments }) => segments.length === 2).map(callName);

const numbersOf = (clients: readonly Named[]) =>
  clients.map(({ uuid: id }, at) => pair('client', at + 1, id));

describe('the name of a record that lists of V2 no longer contain', () => {
  const clients = [1, 2, 3].map(clientOf);
  const [one, two, three] = clients as [Named, Named, Named];
  const jobs = [
    jobOf(1, { uuid: present, name: 'Present' }),
    jobOf(2, two, [bo]),
    jobOf(3, two, [bo]),
    jobOf(4, three),
    jobOf(5, one),
  ];
  const pairs = [...numbersOf(clients), pair('staff', 8, bo)];

  it('is read from a single record that refers to it, one for each, and never again', async () => {
    const to = await world({ v2: service(jobs, clients), pairs });
    const text = await ask(to, 'GET job.api/current');
    expect(text).toContain(
      '<Name>Job 1</Name><Description></Description><Client><ID>1</ID><Name>Present</Name>',
    );
    expect(text.match(/<Client><ID>2<\/ID><Name>Client 2<\/Name><\/Client>/g)).toHaveLength(2);
    expect(text).toContain('<Client><ID>3</ID><Name>Client 3</Name></Client>');
    expect(text.match(/<Staff><ID>8<\/ID><Name>Bo Example<\/Name><\/Staff>/g)).toHaveLength(2);
    expect(singles(to)).toEqual([
      `GET jobs/${uuid('0b', 2)}?includes=notes`,
      `GET jobs/${uuid('0b', 4)}?includes=notes`,
    ]);
    expect(await ask(to, 'GET job.api/current')).toBe(text);
    expect(singles(to)).toHaveLength(2);
  });

  it('is replaced by its identifier if no record has it', async () => {
    const to = await world({ v2: service(jobs, []), pairs });
    const text = await ask(to, 'GET job.api/current');
    expect(text).toContain('<Client><ID>3</ID><Name></Name></Client>');
    expect(singles(to)).toHaveLength(2);
    await ask(to, 'GET job.api/current');
    expect(singles(to)).toHaveLength(2);
  });

  it('is looked up for at most 30 records in a reply; the others show the identifier, which is reported', async () => {
    const many = Array.from({ length: 35 }, (_, at) => clientOf(at + 1));
    const trace = new Trace();
    const to = await world({
      v2: service(
        many.slice(1).map((client, at) => jobOf(at + 1, client)),
        many,
      ),
      pairs: numbersOf(many),
    });
    const text = await ask(to, 'GET job.api/current', { trace });
    expect(text.match(/<Client><ID>\d+<\/ID><Name>Client \d+<\/Name>/g)).toHaveLength(30);
    expect(text.match(/<Client><ID>\d+<\/ID><Name><\/Name>/g)).toHaveLength(4);
    expect(singles(to)).toHaveLength(30);
    expect([...trace.rounded]).toContain('Job/Client');
    // What is known by now need not be asked for: the next reply names the rest.
    const next = await ask(to, 'GET job.api/current');
    expect(next.match(/<Client><ID>\d+<\/ID><Name>Client \d+<\/Name>/g)).toHaveLength(34);
    expect(singles(to)).toHaveLength(34);
  });
});

describe('a lead on V2', () => {
  const lead = {
    uuid: uuid('1e', 441),
    name: 'New sign',
    clientUUID: uuid('c1', 2),
    contactUUID: null,
    ownerUUID: bo,
    estimatedValue: 0,
    date: '2026-11-01',
    leadStatusUUID: null,
  };
  const leads: V2Service = ({ segments: [collection, key] }) => {
    if (collection === 'leads') return json(key === undefined ? [lead] : lead);
    return key === undefined ? json([]) : { status: 404, body: '{"message":"not found"}' };
  };
  const pairs = [pair('lead', 441, lead.uuid), pair('client', 2, lead.clientUUID), pair('staff', 8, bo)];
  const named = '<Client><ID>2</ID><Name></Name></Client><Owner><ID>8</ID><Name></Name></Owner>';

  it('has its client and its owner by identifier once both are deleted', async () => {
    const to = await world({ v2: leads, pairs });
    expect(await ask(to, 'GET lead.api/get/441')).toContain(named);
    expect(await ask(to, 'GET lead.api/list?from=20261101&to=20261130')).toContain(
      `${named}</Lead></Leads></Response>`,
    );
  });

  it('has the containers of a detailed reply, and only of that', async () => {
    const to = await world({ v2: leads, pairs });
    const detailed = await ask(to, 'GET lead.api/list?from=20261101&to=20261130&detailed=true');
    expect(detailed).toContain(`${named}<Activities /><History /></Lead></Leads></Response>`);
    expect(await ask(to, 'GET lead.api/get/441')).toContain('<Activities /><History /></Lead></Response>');
  });
});
