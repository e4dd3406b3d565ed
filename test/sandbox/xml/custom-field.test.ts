import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { ok, UNKNOWN_CLIENT } from './example.ts';
import { defaultSwitches, missing, refusal, Service, statusOnly } from './service.ts';

let service: Service;

const uuidOf = (digit: number): string => `${digit}0000000-0000-4000-8000-000000000000`;
const SUPPLIER = 'd0000000-0000-4000-8000-000000000000';
const everyUse = ['Client', 'Contact', 'Supplier', 'Job', 'Lead', 'JobTask', 'JobCost', 'JobTime'];
const definition = (number: number, name: string, type: string, more: Record<string, unknown> = {}) => ({
  number,
  uuid: uuidOf(number),
  name,
  type,
  use: everyUse,
  ...more,
});

const definitions = [
  definition(1, 'A text', 'Text'),
  definition(2, 'A number', 'Number'),
  definition(3, 'A decimal', 'Decimal'),
  definition(4, 'A date', 'Date'),
  definition(5, 'A box', 'Checkbox'),
  definition(6, 'A list', 'Dropdown List', { options: ['One & only', 'Two'] }),
  definition(7, 'A link', 'Value Link', { linkUrl: 'https://x.example/?a=1&b=[value]' }),
  definition(8, 'Of jobs', 'Text', { use: ['Job'] }),
];

beforeEach(async () => {
  service = await Service.start();
  await service.seed({
    customFieldDefinitions: definitions,
    staff: [{ number: 7, name: 'Ada' }],
    suppliers: [{ number: 21, uuid: SUPPLIER, name: 'S', contacts: [{ number: 22, name: 'SC' }] }],
    clients: [
      {
        number: 11,
        uuid: 'c0000000-0000-4000-8000-000000000000',
        name: 'C',
        contacts: [{ number: 12, name: 'CC' }],
      },
    ],
    jobs: [
      {
        number: 'J000123',
        name: 'J',
        client: 11,
        tasks: [{ number: 32, name: 'T' }],
        costs: [{ number: 33, description: 'K' }],
      },
    ],
    times: [{ number: 41, job: 'J000123', task: 32, staff: 7, date: '2026-01-02', minutes: 5 }],
    leads: [{ number: 51, name: 'L', client: 11, owner: 7 }],
  });
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

/** The nine kinds: read path, write path, words for an unknown record, by V1 identifiers. */
const kinds = [
  ['client', 'client.api/get/11', 'client.api/update/11', UNKNOWN_CLIENT],
  ['contact', 'client.api/contact/12', 'client.api/contact/12', 'Invalid contact identifier'],
  ['supplier', 'supplier.api/get/21', 'supplier.api/update/21', 'Invalid supplier identifier'],
  ['supplierContact', 'supplier.api/contact/22', 'supplier.api/contact/22', 'Invalid contact identifier'],
  ['job', 'job.api/get/J000123', 'job.api/update/J000123', 'Invalid job identifier'],
  ['jobTask', 'job.api/task/32', 'job.api/task/32', 'Invalid task identifier'],
  ['jobCost', 'job.api/cost/33', 'job.api/cost/33', 'Invalid cost identifier'],
  ['time', 'time.api/get/41', 'time.api/update/41', 'Invalid time identifier'],
  ['lead', 'lead.api/get/51', 'lead.api/update/51', 'Invalid lead identifier'],
] as const;

const methodOf = (path: string): string => {
  const method = path.split('/')[1] ?? '';
  return method.charAt(0).toUpperCase() + method.slice(1);
};

const body = (...fields: readonly string[]): string =>
  `<CustomFields>${fields.map((field) => `<CustomField>${field}</CustomField>`).join('')}</CustomFields>`;

const write = async (...fields: readonly string[]): Promise<string> =>
  service.v1('PUT', 'client.api/update/11/customfield', body(...fields));
const read = async (): Promise<string> => service.v1('GET', 'client.api/get/11/customfield');

describe('customfield.api/definition', () => {
  it('lists the definitions with both identifiers on V1', async () => {
    const answer = await service.v1('GET', 'customfield.api/definition/');
    const all =
      '<UseClient>true</UseClient><UseContact>true</UseContact><UseSupplier>true</UseSupplier><UseJob>true</UseJob>' +
      '<UseLead>true</UseLead><UseJobTask>true</UseJobTask><UseJobCost>true</UseJobCost><UseJobTime>true</UseJobTime>';
    expect(
      answer.startsWith(
        ok('Definition', '').replace('</Response>', '') +
          `<CustomFieldDefinitions><CustomFieldDefinition><ID>1</ID><UUID>${uuidOf(1)}</UUID><Name>A text</Name><Type>Text</Type>` +
          `<LinkUrl></LinkUrl><Options></Options>${all}<ValueElement>Text</ValueElement></CustomFieldDefinition>`,
      ),
    ).toBe(true);
    expect(answer).toContain(
      `<Type>Dropdown List</Type><LinkUrl></LinkUrl><Options>One &amp; only\nTwo</Options>`,
    );
    expect(answer).toContain(
      '<Type>Value Link</Type><LinkUrl>https://x.example/?a=1&amp;b=[value]</LinkUrl>',
    );
    expect(answer).toContain(
      '<Type>Checkbox</Type><LinkUrl></LinkUrl><Options></Options>' + all + '<ValueElement>Boolean<',
    );
    expect(answer).toContain(
      '<Name>Of jobs</Name><Type>Text</Type><LinkUrl></LinkUrl><Options></Options><UseClient>false</UseClient>' +
        '<UseContact>false</UseContact><UseSupplier>false</UseSupplier><UseJob>true</UseJob><UseLead>false</UseLead>' +
        '<UseJobTask>false</UseJobTask><UseJobCost>false</UseJobCost><UseJobTime>false</UseJobTime>',
    );
  });

  it('has UUIDs only on V3, and on V1 what the switch says', async () => {
    expect(await service.v3('GET', 'customfield.api/definition')).toContain(
      `<CustomFieldDefinition><UUID>${uuidOf(1)}</UUID><Name>A text</Name>`,
    );
    service.switches = { ...defaultSwitches, customFieldIds: 'id' };
    expect(await service.v1('GET', 'customfield.api/definition')).toContain(
      '<CustomFieldDefinition><ID>1</ID><Name>A text</Name>',
    );
    service.switches = { ...defaultSwitches, customFieldIds: 'uuid' };
    expect(await service.v1('GET', 'customfield.api/definition')).toContain(
      `<CustomFieldDefinition><UUID>${uuidOf(1)}</UUID><Name>A text</Name>`,
    );
  });

  it('returns an empty container for an organisation without any', async () => {
    const answer = await service.call('GET', 'v1/customfield.api/definition', undefined, {
      organisation: 'two',
    });
    expect(answer.text).toBe(ok('Definition', '<CustomFieldDefinitions />'));
  });
});

describe.each(kinds)('custom fields of a %s', (_kind, readPath, writePath, unknown) => {
  it('are empty, written, read, cleared', async () => {
    const readAll = async (): Promise<string> => service.v1('GET', `${readPath}/customfield`);
    const writeAll = async (...fields: readonly string[]): Promise<string> =>
      service.v1('PUT', `${writePath}/customfield`, body(...fields));
    expect(await readAll()).toBe(ok(methodOf(readPath), '<CustomFields />'));
    expect(
      await writeAll(`<UUID>${uuidOf(1)}</UUID><Text>T &amp; U</Text>`, '<ID>3</ID><Decimal>-12.5</Decimal>'),
    ).toBe(statusOnly(methodOf(writePath)));
    const decimal = `<CustomField><ID>3</ID><UUID>${uuidOf(3)}</UUID><Name>A decimal</Name><Decimal>-12.50</Decimal></CustomField>`;
    expect(await readAll()).toBe(
      ok(
        methodOf(readPath),
        `<CustomFields><CustomField><ID>1</ID><UUID>${uuidOf(1)}</UUID><Name>A text</Name><Text>T &amp; U</Text></CustomField>` +
          `${decimal}</CustomFields>`,
      ),
    );
    await writeAll('<ID>1</ID><Text></Text>');
    expect(await readAll()).toBe(ok(methodOf(readPath), `<CustomFields>${decimal}</CustomFields>`));
  });

  it('are refused for an unknown record', async () => {
    const wrong = (path: string): string => path.replace(/[^/]+$/, '999');
    expect(await service.v1('GET', `${wrong(readPath)}/customfield`)).toBe(
      refusal(methodOf(readPath), unknown),
    );
    expect(await service.v1('PUT', `${wrong(writePath)}/customfield`, body('<ID>1</ID><Text>x</Text>'))).toBe(
      refusal(methodOf(writePath), unknown),
    );
  });
});

describe('custom fields of the sandbox', () => {
  it('are written to a supplier by both documented paths, on both forms', async () => {
    const field = body(`<UUID>${uuidOf(1)}</UUID><Text>x</Text>`);
    for (const method of ['update', 'get']) {
      const name = methodOf(`/${method}`);
      expect(await service.v1('PUT', `supplier.api/${method}/21/customfield`, field)).toBe(statusOnly(name));
      expect(await service.v3('PUT', `supplier.api/${method}/${SUPPLIER}/customfield`, field)).toBe(
        statusOnly(name),
      );
    }
  });

  it('have UUIDs only on V3, where jobs keep their number', async () => {
    const field = body(`<UUID>${uuidOf(8)}</UUID><Text>x</Text>`);
    expect(await service.v3('PUT', 'job.api/update/J000123/customfield', field)).toBe(statusOnly('Update'));
    expect(await service.v3('GET', 'job.api/get/J000123/customfield')).toBe(
      ok(
        'Get',
        `<CustomFields><CustomField><UUID>${uuidOf(8)}</UUID><Name>Of jobs</Name><Text>x</Text></CustomField></CustomFields>`,
      ),
    );
    expect(
      await service.v3('PUT', 'job.api/update/J000123/customfield', body('<ID>8</ID><Text>x</Text>')),
    ).toBe(refusal('Update', missing('/CustomFields/CustomField/UUID')));
  });

  it.each([
    ['2', 'Number', '007', '7'],
    ['2', 'Number', '-3', '-3'],
    ['3', 'Decimal', '30', '30.00'],
    ['3', 'Decimal', '1.10', '1.10'],
    ['3', 'Decimal', '2.345', '2.35'],
    ['3', 'Decimal', '-0.001', '0.00'],
    ['4', 'Date', '20260228', '2026-02-28T00:00:00'],
    ['4', 'Date', '2026-02-28', '2026-02-28T00:00:00'],
    ['4', 'Date', '2026-02-28T10:11:12Z', '2026-02-28T00:00:00'],
    ['5', 'Boolean', 'yes', 'true'],
    ['5', 'Boolean', '0', 'false'],
    ['6', 'Text', 'one &amp; ONLY', 'One &amp; only'],
    ['7', 'Text', '00042', '00042'],
    ['1', 'Text', '1e5', '1e5'],
    ['1', 'Text', 'a\nb', 'a\nb'],
  ])('field %s reads %s %s and shows %s', async (id, element, given, shown) => {
    expect(await write(`<ID>${id}</ID><${element}>${given}</${element}>`)).toBe(statusOnly('Update'));
    expect(await read()).toContain(`<${element}>${shown}</${element}></CustomField></CustomFields>`);
  });

  it.each([
    ['2', 'Number', '1.5'],
    ['2', 'Number', '1e3'],
    ['3', 'Decimal', '1,000.00'],
    ['3', 'Decimal', '1e3'],
    ['3', 'Decimal', 'abc'],
    ['4', 'Date', '2026-02-30'],
    ['4', 'Date', '28/02/2026'],
    ['5', 'Boolean', 'maybe'],
    ['6', 'Text', 'Three'],
  ])('field %s refuses %s %s', async (id, element, given) => {
    const answer = await write(`<ID>${id}</ID><${element}>${given}</${element}>`);
    expect(answer).toContain('<Status>ERROR</Status><ErrorDescription>Invalid value for custom field ');
    expect(await read()).toContain('<CustomFields />');
  });

  it.each([
    ['2', 'Number', '5'],
    ['3', 'Decimal', '5'],
    ['4', 'Date', '20260101'],
    ['5', 'Boolean', 'true'],
    ['6', 'Text', 'Two'],
  ])('field %s is cleared by an empty %s', async (id, element, value) => {
    await write(`<ID>${id}</ID><${element}>${value}</${element}>`);
    await write(`<ID>${id}</ID><${element}/>`);
    expect(await read()).toContain('<CustomFields />');
  });

  it.each([
    ['<ID>2</ID><Text>5</Text>', 'The custom field A number takes exactly one value element, Number'],
    ['<ID>2</ID>', 'The custom field A number takes exactly one value element, Number'],
    [
      '<ID>2</ID><Number>5</Number><Text>5</Text>',
      'The custom field A number takes exactly one value element, Number',
    ],
    ['<ID>99</ID><Text>x</Text>', 'Invalid custom field identifier'],
    [`<UUID>${uuidOf(9)}</UUID><Text>x</Text>`, 'Invalid custom field identifier'],
    [`<ID>1</ID><UUID>${uuidOf(2)}</UUID><Text>x</Text>`, 'Invalid custom field identifier'],
    ['<ID>8</ID><Text>not of clients</Text>', 'Invalid custom field identifier'],
    ['<Text>x</Text>', missing('/CustomFields/CustomField/UUID')],
  ])('refuse %s, and with it the whole message', async (field, text) => {
    expect(await write('<ID>1</ID><Text>good</Text>', field)).toBe(refusal('Update', text));
    expect(await read()).toContain('<CustomFields />');
  });

  it.each(['', '<CustomFields/>', '<CustomField><ID>1</ID><Text>x</Text></CustomField>'])(
    'need at least one field in the right root: %s',
    async (message) => {
      expect(await service.v1('PUT', 'client.api/update/11/customfield', message)).toBe(
        refusal('Update', missing('/CustomFields/CustomField')),
      );
    },
  );

  it('keep the values that a message does not name', async () => {
    await write('<ID>1</ID><Text>kept</Text>');
    await write('<ID>2</ID><Number>1</Number>');
    expect(await read()).toContain('<Text>kept</Text>');
  });
});
