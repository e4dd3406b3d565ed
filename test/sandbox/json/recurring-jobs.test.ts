import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { uuidOf, World } from './world.ts';

const DAY = 86_400;
let world: World;

beforeEach(async () => {
  world = await World.open();
});
afterEach(() => world.close());

const screen = () => `organisations/${world.one.id}/recurring-jobs`;
const configured = (fields: object) => ({ name: 'Monthly books', clientUUID: uuidOf('client'), ...fields });
const configure = async (fields: object): Promise<string> =>
  ((await world.sandbox.control(screen(), configured(fields))) as { readonly uuid: string }).uuid;
const change = (uuid: string, fields: object) =>
  world.sandbox.control(`${screen()}/${uuid}`, configured(fields), 'PUT');
const made = async (named = 'Monthly books'): Promise<readonly string[]> => {
  const token = (await world.sandbox.connect([world.one.id])).access;
  const { json } = await world.call('GET', '/jobs?pagesize=1000', { token });
  return (json.data as readonly { name: string; startDate: string }[])
    .filter(({ name }) => name === named)
    .map(({ startDate }) => startDate);
};

describe('a recurring job', () => {
  it('creates jobs at its frequency as the clock moves, and none after its end', async () => {
    await configure({ frequency: 'monthly', startDate: '2026-03-31', endDate: '2026-06-30' });
    expect(await made()).toEqual([]);
    await world.sandbox.advance(29 * DAY);
    expect(await made()).toEqual(['2026-03-31']);
    expect(await made()).toEqual(['2026-03-31']);
    await world.sandbox.advance(200 * DAY);
    expect(await made()).toEqual(['2026-03-31', '2026-04-30', '2026-05-31', '2026-06-30']);
  });

  it('creates jobs on set dates, with the content of its template', async () => {
    await configure({
      frequency: 'dates',
      dates: ['2026-03-20', '2026-03-05'],
      jobTemplateUUID: uuidOf('template'),
    });
    await world.sandbox.advance(30 * DAY);
    expect(await made()).toEqual(['2026-03-05', '2026-03-20']);
    const token = (await world.sandbox.connect([world.one.id])).access;
    const { json } = await world.call('GET', '/jobs/tasks', { token });
    expect(json.data).toHaveLength(3);
  });

  it('is visible on V1, too, in the first call', async () => {
    await configure({ frequency: 'weekly', startDate: '2026-03-02' });
    await world.sandbox.advance(8 * DAY);
    await world.v1('client.api/list');
    expect(await made()).toEqual(['2026-03-02', '2026-03-09']);
  });

  it('states its next run', async () => {
    await configure({ frequency: 'yearly', startDate: '2028-02-29' });
    expect(await world.data('GET', '/recurring-jobs')).toMatchObject([
      { frequency: 'yearly', nextRunDate: '2028-02-29' },
    ]);
    await world.sandbox.advance(3 * 365 * DAY);
    expect(await made()).toEqual(['2028-02-29', '2029-02-28']);
  });
});

describe('a changed recurring job', () => {
  const weekly = { frequency: 'weekly', startDate: '2026-03-02' };

  it('creates no job again, and the next ones under its new name, for its new client and template', async () => {
    const uuid = await configure(weekly);
    await world.sandbox.advance(21 * DAY);
    const before = await made();
    expect(before).toEqual(['2026-03-02', '2026-03-09', '2026-03-16', '2026-03-23']);
    const renamed = { name: 'Weekly books', clientUUID: uuidOf('secondClient') };
    expect(await change(uuid, { ...weekly, ...renamed, jobTemplateUUID: uuidOf('template') })).toMatchObject({
      ...renamed,
      jobTemplateUUID: uuidOf('template'),
      nextRunDate: '2026-03-30',
    });
    expect(await made('Weekly books')).toEqual([]);
    await world.sandbox.advance(7 * DAY);
    expect(await made('Weekly books')).toEqual(['2026-03-30']);
    expect(await made()).toEqual(before);
  });

  it('loses its template and its end if the change names none', async () => {
    const uuid = await configure({
      ...weekly,
      endDate: '2026-03-31',
      jobTemplateUUID: uuidOf('template'),
    });
    expect(await change(uuid, weekly)).toMatchObject({ endDate: null, jobTemplateUUID: null });
  });

  it('continues with the first day of its new schedule after its last job', async () => {
    const uuid = await configure(weekly);
    await world.sandbox.advance(8 * DAY);
    expect(await change(uuid, { frequency: 'daily', startDate: '2026-03-01' })).toMatchObject({
      nextRunDate: '2026-03-10',
    });
    expect(await made()).toEqual(['2026-03-02', '2026-03-09', '2026-03-10']);
    await change(uuid, { frequency: 'weekly', startDate: '2027-01-04' });
    expect(await change(uuid, { frequency: 'monthly', startDate: '2026-02-10' })).toMatchObject({
      nextRunDate: '2026-04-10',
    });
    expect(await change(uuid, { frequency: 'dates', dates: ['2026-03-10', '2026-03-12'] })).toMatchObject({
      nextRunDate: '2026-03-12',
    });
  });
});
