import { afterEach, describe, expect, it } from '@jest/globals';
import { ask, closeWorlds, json, ok, pair, refusal, uuid, world, type Setting, type World } from './world.ts';

afterEach(closeWorlds);

type Settings = Setting['legacyIdentifiers'] & {};

const [CLIENT, OTHER] = [uuid('c1', 12), uuid('c1', 13)];
const pairs = [pair('client', 12, CLIENT), pair('client', 13, OTHER), pair('staff', 7, uuid('5a', 7))];

const onV3 = (legacyIdentifiers?: Settings): Promise<World> =>
  world({
    pairs,
    v3: () =>
      ok(`<Client><UUID>${CLIENT}</UUID></Client><Contact><UUID>${OTHER}</UUID><Name>n</Name></Contact>`),
    ...(legacyIdentifiers && { legacyIdentifiers }),
  });
const onV2 = (legacyIdentifiers?: Settings): Promise<World> =>
  world({
    pairs,
    v2: () => json({ uuid: CLIENT, name: 'n' }),
    ...(legacyIdentifiers && { legacyIdentifiers }),
  });

const accepting: Settings = { zeroPadded: 'accept', doubled: 'refuse' };

describe('an identifier with leading zeros', () => {
  it.each([
    ['V3', onV3],
    ['V2', onV2],
  ])('is unknown on %s unless the profile says otherwise', async (_, open) => {
    const to = await open();
    const get = { code: 'refused', text: 'Invalid client identifier' };
    expect(await refusal(to, 'GET client.api/get/0012')).toMatchObject(get);
    const body = '<Client><ID>0012</ID><Name>n</Name></Client>';
    expect(await refusal(to, 'PUT client.api/update', { body })).toMatchObject(get);
    expect([...to.v3.requests, ...to.v2.requests]).toEqual([]);
  });

  it('is treated as the number without them if the profile says so', async () => {
    const read = await onV3(accepting);
    await ask(read, 'GET client.api/get/0012');
    expect(read.v3.requests[0]?.segments).toEqual(['client.api', 'get', CLIENT]);
    const written = await onV3(accepting);
    await ask(written, 'PUT client.api/update', { body: '<Client><ID>0012</ID><Name>n</Name></Client>' });
    expect(written.v3.sent).toContain(`<UUID>${CLIENT}</UUID>`);
    const v2 = await onV2(accepting);
    await ask(v2, 'GET client.api/get/0012');
    expect(v2.v2.requests[0]?.segments).toContain(CLIENT);
  });

  it('never is zero', async () => {
    expect(await refusal(await onV3(accepting), 'GET client.api/get/000')).toMatchObject({ code: 'refused' });
  });
});

const archive = (inner: string): { readonly body: string } => ({ body: `<Client>${inner}</Client>` });

describe('two identifiers in one element', () => {
  const doubled = '<ID>12</ID><id>13</id>';

  it('are refused unless the profile says otherwise, and nothing is sent', async () => {
    const to = await onV3();
    const text = 'Message not in expected format. The element ID was found twice';
    expect(await refusal(to, 'PUT client.api/archive', archive(doubled))).toMatchObject({ text });
    expect(to.v3.requests).toEqual([]);
  });

  it.each([
    ['first', CLIENT],
    ['last', OTHER],
  ] as const)('are the %s where the profile says so', async (which, uuidOf) => {
    const to = await onV3({ zeroPadded: 'refuse', doubled: which });
    await ask(to, 'PUT client.api/archive', archive(doubled));
    expect(to.v3.sent).toContain(`<Client><UUID>${uuidOf}</UUID></Client>`);
  });

  it('are detected inside lists of the request, too, and on V2', async () => {
    const last: Settings = { zeroPadded: 'refuse', doubled: 'last' };
    const contact = `<Contact><Client>${doubled}</Client><Name>n</Name></Contact>`;
    const v3 = await onV3(last);
    await ask(v3, 'POST client.api/contact', { body: contact });
    expect(v3.v3.sent).toContain(`<Client><UUID>${OTHER}</UUID></Client>`);
    const v2 = await onV2(last);
    await ask(v2, 'PUT client.api/update', archive(`${doubled}<Name>n</Name>`));
    expect(v2.v2.requests.every(({ segments }) => segments.includes(OTHER))).toBe(true);
  });

  it('do not affect other repeated elements', async () => {
    const to = await onV3({ zeroPadded: 'refuse', doubled: 'last' });
    const text = 'Message not in expected format. The element City was found twice';
    const twice = archive('<ID>12</ID><Name>n</Name><City>a</City><City>b</City>');
    expect(await refusal(to, 'PUT client.api/update', twice)).toMatchObject({ text });
  });
});
