import { afterEach, describe, expect, it } from '@jest/globals';
import { isSlashedNumber } from '../../src/lib/text/slashed-number.ts';
import { ask, callOf, closeWorlds, json, ok, pair, refusal, uuid, world, type World } from './world.ts';

afterEach(closeWorlds);

const job = { uuid: uuid('0b', 1), jobNumber: '24/A', name: 'Shop front', customFields: [] };
const pairs = [pair('job', 1, job.uuid)];
const onV2 = (): Promise<World> => world({ v2: () => json(job), pairs });
const onV3 = (): Promise<World> => world({ v3: () => ok('<Job><ID>24/A</ID></Job>'), pairs });

describe('a number with slashes', () => {
  it.each([
    ['job.api/get/24%2FA', '24/A'],
    ['job.api/get/24/A', '24/A'],
    ['job.api/get/24/1', '24/1'],
    ['job.api/get/A/B', 'A/B'],
    ['job.api/get/2026%2FK%C3%BCche%2F7%20b', '2026/Küche/7 b'],
    ['job.api/get/Q25008%2F2', 'Q25008/2'],
  ])('%s is sent to V3 and V2 in one segment', async (path, number) => {
    const call = `GET ${path}`;
    const [v3, v2] = [await onV3(), await onV2()];
    await ask(v3, call);
    await ask(v2, call);
    expect(v3.v3.requests[0]?.segments).toEqual(['job.api', 'get', number]);
    expect(v2.v2.requests[0]?.segments).toEqual(['jobs', number]);
  });

  it.each(['job.api/get/24%2FA/customfield', 'job.api/get/24/A/customfield'])(
    '%s reads its custom fields',
    async (path) => {
      const [v3, v2] = [await world({ v3: () => ok(), pairs }), await onV2()];
      await ask(v3, `GET ${path}`);
      await ask(v2, `GET ${path}`);
      expect(v3.v3.requests[0]?.segments).toEqual(['job.api', 'get', '24/A', 'customfield']);
      expect(v2.v2.requests[0]?.segments).toEqual(['jobs', '24/A']);
    },
  );

  it('is accepted by every method with a number', async () => {
    for (const call of [
      'GET job.api/documents/24/A',
      'GET job.api/costs/24/A',
      'GET invoice.api/get/24/A',
      'GET invoice.api/job/24/A',
      'GET invoice.api/payments/24/A',
      'GET purchaseorder.api/get/24/A',
      'GET purchaseorder.api/job/24/A',
      'GET quote.api/get/24/A',
      'GET time.api/job/24/A',
      'POST job.api/createquote/24/A',
    ]) {
      const to = await world({ v3: () => ok(), pairs });
      await ask(to, call).catch(() => undefined);
      const [family, method] = call.split(' ')[1]?.split('/') ?? [];
      expect(to.v3.requests[0]?.segments.slice(0, 3)).toEqual([family, method, '24/A']);
    }
  });

  it('goes to the record of that number on V2 if it is in a message', async () => {
    const to = await onV2();
    await ask(to, 'PUT job.api/update', { body: '<Job><ID>24/A</ID><Name>x</Name></Job>' });
    expect(to.v2.requests.filter(({ verb }) => verb === 'PUT').map(({ segments }) => segments[0])).toEqual([
      'jobs',
    ]);
    expect(to.v2.requests.every(({ segments }) => ['24/A', job.uuid].includes(segments[1] ?? ''))).toBe(true);
  });
});

describe('a slash in anything else', () => {
  it.each([
    'job.api/get/24%2Fcustomfield',
    'job.api/get/24%2FTasks',
    'job.api/get/24%2Fnotes%2F1',
    'job.api/get/24%2FA%2Fcustomfield',
    'job.api/get/24%2Fcustomfield;x=1',
    'job.api/get/24%2Fcustomfield%3Fx',
    'job.api/get/24%2F%EF%BD%83ustomfield',
    'job.api/get/24%2F..',
    'client.api/get/1%2Fcontacts',
    'client.api/get/1%2Fx',
    'job.api/staff/1%2Fx',
    'job.api/unheard%2Fof',
    'job.api/unheard/of%2Fx',
  ])('in %s is never sent', async (path) => {
    for (const to of [await onV3(), await onV2()]) {
      expect(['badRequest', 'unknownMethod']).toContain((await refusal(to, `GET ${path}`)).code);
      expect([...to.v3.requests, ...to.v2.requests]).toEqual([]);
    }
  });

  it('as an address of V2 identifies no record', async () => {
    for (const number of ['24/tasks', '24/..', '../jobs', '24/Job-Templates']) {
      const to = await onV2();
      const body = `<Job><ID>${number}</ID><Name>x</Name></Job>`;
      expect(await refusal(to, 'PUT job.api/update', { body })).toMatchObject({
        code: 'refused',
        text: 'Invalid job identifier',
      });
      expect(to.v2.requests).toEqual([]);
    }
  });

  it('does not hide a wrong verb', async () => {
    const refused = (await onV3()).bridge.serve(callOf('PUT job.api/get/24/A'));
    await expect(refused).rejects.toMatchObject({ code: 'wrongVerb', allow: ['GET'] });
  });
});

describe('the pattern of a number with slashes', () => {
  it.each(['24/A', 'A/B', '1/2/3', '日/本', '#24 / 7', '24/-1', 'a/b/c/d/e/f/g/h'])('matches %j', (text) => {
    expect(isSlashedNumber(text)).toBe(true);
  });

  it.each([
    'A',
    '',
    '/',
    'a/',
    '/a',
    'a//b',
    'a/./b',
    'a/../b',
    '../a',
    'a/..',
    'a/.b',
    'a/ .b',
    'a/..;b',
    'a/-',
    'a/ ',
    'a/b\\c',
    'a/%2e',
    'a/b\nc',
    'a/b\u0085c',
    'a/․․/b',
    'a/x／../b',
    'a/x＼y',
    'a/b/c/d/e/f/g/h/i',
  ])('does not match %j', (text) => {
    expect(isSlashedNumber(text)).toBe(false);
  });
});
