import { afterEach, describe, expect, it } from '@jest/globals';
import {
  anyRecord,
  ask,
  closeWorlds,
  legacyOk,
  ok,
  pair,
  refusal,
  uuid,
  world,
  writtenBody,
  type Played,
} from './world.ts';

afterEach(closeWorlds);

const ADA = uuid('5a', 7);
const pairs = [pair('staff', 7, ADA)];

const refused = (status: number, words: string): Played => ({
  status,
  body: `<?xml version="1.0"?>\n<Response><Status>ERROR</Status><ErrorDescription>${words}</ErrorDescription></Response>`,
});
const html: Played = { status: 404, headers: { 'content-type': 'text/html' }, body: '<html>nginx</html>' };
const unknown = refused(404, 'Unknown method');
const ada = ok(`<Staff><UUID>${ADA}</UUID><Name>Ada</Name></Staff>`);
const GONE = 'This method is not available through the connected service';

/** What the forms of V3 differ in, and V1 never did. */
describe('a method that this V3 does not have', () => {
  it.each([
    ['POST staff.api/delete', '<Staff><ID>7</ID></Staff>'],
    ['GET purchaseorder.api/current', ''],
    ['GET purchaseorder.api/get/P000123', ''],
  ])("gets the service's refusal for %s", async (line, body) => {
    const to = await world({ pairs, v3: () => unknown });
    expect(await refusal(to, line, { body })).toMatchObject({ code: 'refused', text: GONE });
    expect(to.v3.requests.length).toBe(1);
  });

  it('gets it from a V3 with numbers, too, where nothing is rewritten', async () => {
    const to = await world({ identifiers: 'number', v3: () => unknown });
    const body = '<Staff><ID>7</ID></Staff>';
    expect(await refusal(to, 'POST staff.api/delete', { body })).toMatchObject({ text: GONE });
  });
});

describe('a member of staff with two possible paths', () => {
  const GET = 'GET staff.api/get/7';
  const reply = legacyOk(
    'Get',
    '<Staff><ID>7</ID><Name>Ada</Name><Email></Email><Phone></Phone><Mobile></Mobile><Address></Address><PayrollCode></PayrollCode></Staff>',
  );
  const paths = ({ v3 }: Awaited<ReturnType<typeof world>>): readonly string[] =>
    v3.requests.map(({ verb, segments }) => `${verb} ${segments.join('/')}`);
  const both = [`GET staff.api/get/${ADA}`, `GET staff.api/${ADA}`];

  it('is read from the first, and the second is not called', async () => {
    const to = await world({ pairs, v3: () => ada });
    expect(await ask(to, GET)).toBe(reply);
    expect(paths(to)).toEqual(both.slice(0, 1));
  });

  it.each([
    ['the service', unknown],
    ['a gateway', html],
  ])('is read from the second, if %s does not know the first', async (_who, first) => {
    const to = await world({ pairs, v3: (_request, count) => (count === 1 ? first : ada) });
    expect(await ask(to, GET)).toBe(reply);
    expect(paths(to)).toEqual(both);
  });

  it('is refused by the first if both have none', async () => {
    const words = 'Invalid staff identifier';
    const to = await world({
      pairs,
      v3: (_request, count) => (count === 1 ? refused(404, words) : unknown),
    });
    expect(await refusal(to, GET)).toMatchObject({ code: 'refused', text: words });
    expect(paths(to)).toEqual(both);
  });

  it('is an unknown method if neither path exists', async () => {
    const to = await world({ pairs, v3: () => unknown });
    expect(await refusal(to, GET)).toMatchObject({ code: 'refused', text: GONE });
  });

  it('is refused by the first even if the second fails differently', async () => {
    const to = await world({ pairs, v3: (_request, count) => (count === 1 ? html : { status: 502 }) });
    expect(await refusal(to, GET)).toMatchObject({ code: 'upstreamAnswer' });
  });

  it.each([200, 400, 403, 500])('is not looked up in the second after status %d', async (status) => {
    const to = await world({ pairs, v3: () => refused(status, 'no') });
    await refusal(to, GET);
    expect(paths(to)).toEqual(both.slice(0, 1));
  });

  it('is looked up nowhere if its number is unknown', async () => {
    const to = await world({ pairs, v3: () => ada });
    expect(await refusal(to, 'GET staff.api/get/8')).toMatchObject({ text: 'Invalid staff identifier' });
    expect(to.v3.requests).toEqual([]);
  });
});

describe('a relationship that V3 changes by POST or by PUT', () => {
  const RELATION = uuid('4e', 9);
  const body = '<Relationship><ID>9</ID><NumberOfShares>3</NumberOfShares></Relationship>';
  const wrongVerb = refused(405, 'This method does not accept the HTTP verb used');
  const change = async (...answers: readonly Played[]): ReturnType<typeof world> =>
    world({
      pairs: [pair('relationship', 9, RELATION)],
      v3: (_request, count) => answers[count - 1] ?? ok(),
    });
  const verbs = ({ v3 }: Awaited<ReturnType<typeof world>>): readonly string[] =>
    v3.requests.map(({ verb }) => verb);

  it.each(['POST', 'PUT'])(
    'is sent again as PUT if V3 does not take POST, whatever the program sent: %s',
    async (verb) => {
      const to = await change(wrongVerb);
      expect(await ask(to, `${verb} client.api/updaterelationship`, { body })).toBe(
        legacyOk('Updaterelationship'),
      );
      expect(verbs(to)).toEqual(['POST', 'PUT']);
      expect(to.v3.requests.map(writtenBody)).toEqual(
        Array(2).fill(
          `<?xml version="1.0" encoding="UTF-8"?><Relationship><UUID>${RELATION}</UUID><NumberOfShares>3</NumberOfShares></Relationship>`,
        ),
      );
    },
  );

  it.each([200, 400, 404, 409, 500])('is sent once if V3 answers %d', async (status) => {
    const to = await change(refused(status, 'no'));
    await refusal(to, 'POST client.api/updaterelationship', { body });
    expect(verbs(to)).toEqual(['POST']);
  });

  it('keeps the refusal of its verb if V3 takes neither', async () => {
    const to = await change(wrongVerb, wrongVerb);
    expect(await refusal(to, 'POST client.api/updaterelationship', { body })).toMatchObject({
      code: 'wrongVerb',
      isOfCall: false,
    });
  });

  it('has an unknown outcome if the second request has none', async () => {
    const to = await change(wrongVerb, { status: 504 });
    expect(await refusal(to, 'POST client.api/updaterelationship', { body })).toMatchObject({
      code: 'outcomeUnknown',
    });
  });
});

describe('a range of days', () => {
  const lists = ['invoice.api/list', 'quote.api/list', 'purchaseorder.api/list'];

  it.each(lists)(
    'is required by %s, whose refusal names what is absent, and nothing is sent',
    async (path) => {
      const to = await world({ v3: () => ok() });
      for (const [query, name] of [
        ['', 'from'],
        ['?from=', 'from'],
        ['?from=%20&to=20261130', 'from'],
        ['?from=20261101', 'to'],
        ['?FROM=20261101&To=', 'to'],
      ] as const)
        expect(await refusal(to, `GET ${path}${query}`)).toMatchObject({
          code: 'missingRange',
          text: `The parameter ${name} is required`,
        });
      expect(to.v3.requests).toEqual([]);
    },
  );

  it.each(lists)('gets a 500 with the same message as on V1 if V3 answers 400: %s', async (path) => {
    for (const identifiers of ['uuid', 'number'] as const) {
      const to = await world({ identifiers, v3: () => refused(400, 'Invalid value for from') });
      expect(await refusal(to, `GET ${path}?from=soon&to=20261130`)).toMatchObject({
        code: 'unreadableRange',
        text: 'Invalid value for from',
        isOfCall: false,
      });
    }
    const text = 'Paging is not enabled for this client, nor open to it';
    const to = await world({ v3: () => refused(400, text) });
    expect(await refusal(to, `GET ${path}?from=20261101&to=20261130`)).toMatchObject({
      code: 'refused',
      text,
    });
  });

  it('is not blamed on the call if only V3 refuses the verb', async () => {
    const to = await world({ v3: () => refused(405, 'Method not allowed') });
    expect(await refusal(to, 'GET invoice.api/current')).toMatchObject({
      code: 'wrongVerb',
      isOfCall: false,
    });
    expect(await refusal(to, 'DELETE invoice.api/current')).toMatchObject({ isOfCall: true });
  });

  it('is not required by other lists, which keep their refusal', async () => {
    const to = await world({ v3: () => refused(400, 'Invalid value for detailed') });
    expect(await refusal(to, 'GET invoice.api/current?detailed=perhaps')).toMatchObject({
      code: 'refused',
      text: 'Invalid value for detailed',
    });
  });
});

describe('a number that is text', () => {
  it.each(['P000124', '00125', 'Q25008/2', 'CN-12 & <13>'])('identifies a new order: %s', async (number) => {
    const escaped = number.replace('&', '&amp;').replace('<', '&lt;').replace('>', '&gt;');
    const to = await world({
      pairs: [pair('supplier', 301, uuid('50', 301))],
      v3: () => ok(`<UUID>${uuid('70', 1)}</UUID><ID>${escaped}</ID>`),
    });
    const body = '<PurchaseOrder><JobNumber>J1</JobNumber><SupplierID>301</SupplierID></PurchaseOrder>';
    expect(await ask(to, 'POST purchaseorder.api/add', { body })).toBe(
      legacyOk('Add', `<ID>${escaped}</ID>`),
    );
  });

  it.each([
    ['GET invoice.api/get/7', 'invoice.api/get/7'],
    ['GET invoice.api/job/7', 'invoice.api/job/7'],
    ['GET invoice.api/payments/7', 'invoice.api/payments/7'],
    ['GET quote.api/get/7', 'quote.api/get/7'],
    ['GET purchaseorder.api/get/7', 'purchaseorder.api/get/7'],
    ['GET purchaseorder.api/job/7', 'purchaseorder.api/job/7'],
    [`GET quote.api/get/${ADA}`, `quote.api/get/${ADA}`],
  ])('is not the identifier in %s', async (line, path) => {
    const to = await world({
      pairs: [...pairs, pair('client', 7, uuid('c1', 7))],
      v3: () => (/\/(?:job|payments)\//.test(line) ? ok() : anyRecord()),
    });
    await ask(to, line);
    expect(to.v3.path).toBe(path);
  });
});
