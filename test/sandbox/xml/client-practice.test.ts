import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleClient, exampleStaff, ok, UNKNOWN_CLIENT, v1Client, v3Client } from './example.ts';
import { defaultSwitches, missing, refusal, Service, statusOnly, textOf } from './service.ts';

let service: Service;

beforeEach(async () => {
  service = await Service.start();
  service.switches = { ...defaultSwitches, practice: 'NZ' };
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const practiceValues = {
  jobManager: 7,
  firstName: 'Ex',
  lastName: 'Ample',
  otherName: 'O',
  taxNumber: '012345678',
  companyNumber: '0042',
  businessNumber: '9429',
  businessStructure: 'Company',
  balanceMonth: 'Mar',
  prepareGst: true,
  gstRegistered: true,
  gstPeriod: '2 Monthly',
  gstBasis: 'Hybrid',
  provisionalTaxBasis: 'Ratio Option',
  provisionalTaxRatio: '1.10',
  signedTaxAuthority: true,
  taxAgent: 'Tax Agent',
  agencyStatus: 'With EOT',
  returnType: 'IR3NR',
  prepareActivityStatement: true,
  prepareTaxReturn: false,
};

const manager = (id: string): string => `<JobManager>${id}<Name>Ada Example</Name></JobManager>`;

const everywhere =
  '<FirstName>Ex</FirstName><LastName>Ample</LastName><OtherName>O</OtherName><TaxNumber>******678</TaxNumber>' +
  '<CompanyNumber>0042</CompanyNumber><BusinessNumber>9429</BusinessNumber>' +
  '<BusinessStructure>Company</BusinessStructure><BalanceMonth>Mar</BalanceMonth><PrepareGST>Yes</PrepareGST>' +
  '<GSTRegistered>Yes</GSTRegistered><GSTPeriod>2 Monthly</GSTPeriod><GSTBasis>Hybrid</GSTBasis>' +
  '<ProvisionalTaxBasis>Ratio Option</ProvisionalTaxBasis><ProvisionalTaxRatio>1.10</ProvisionalTaxRatio>';

const newZealand =
  '<SignedTaxAuthority>Yes</SignedTaxAuthority><TaxAgent>Tax Agent</TaxAgent><AgencyStatus>With EOT</AgencyStatus>' +
  '<ReturnType>IR3NR</ReturnType>';

const australia =
  '<PrepareActivityStatement>Yes</PrepareActivityStatement><PrepareTaxReturn>No</PrepareTaxReturn>';

const seedPractice = async (): Promise<void> =>
  service.seed({ staff: exampleStaff, clients: [{ ...exampleClient, ...practiceValues }] });

describe('the fields of the practice management module', () => {
  it('are shown in order, those of one country only there', async () => {
    await seedPractice();
    const rest = `<Notes />${manager('<ID>7</ID>')}${everywhere}`;
    expect(await service.v1('GET', 'client.api/get/1000000')).toBe(ok('Get', v1Client(rest + newZealand)));
    service.switches = { ...defaultSwitches, practice: 'AU' };
    expect(await service.v1('GET', 'client.api/get/1000000')).toBe(ok('Get', v1Client(rest + australia)));
  });

  it('are shown on V3 and in short lists too', async () => {
    await seedPractice();
    const rest = `${manager(`<UUID>${exampleStaff[0]?.uuid ?? ''}</UUID>`)}${everywhere}${newZealand}`;
    expect(await service.v3('GET', 'client.api/list')).toBe(
      ok('List', `<Clients>${v3Client(rest)}</Clients>`),
    );
  });

  it('are missing, and ignored in messages, while the module is off', async () => {
    service.switches = defaultSwitches;
    const body =
      '<Client><Name>N</Name><TaxNumber>123</TaxNumber><GSTPeriod>9</GSTPeriod><FirstName>F</FirstName></Client>';
    const added = await service.v1('POST', 'client.api/add', body);
    expect(added).not.toMatch(/TaxNumber|GSTPeriod|FirstName/);
    service.switches = { ...defaultSwitches, practice: 'NZ' };
    const shown = await service.v1('GET', 'client.api/get/1000000');
    expect(textOf(shown, 'TaxNumber')).toBe('');
    expect(textOf(shown, 'FirstName')).toBe('');
  });

  it('are read from a message', async () => {
    await service.seed({ staff: exampleStaff });
    const added = await service.v1(
      'POST',
      'client.api/add',
      '<Client><Name>N</Name><JobManagerID>7</JobManagerID><FirstName>Ex</FirstName><LastName>Ample</LastName>' +
        '<OtherName>O</OtherName><TaxNumber>012345678</TaxNumber><CompanyNumber>0042</CompanyNumber>' +
        '<BusinessNumber>9429</BusinessNumber><BusinessStructure>COMPANY</BusinessStructure><BalanceMonth>3</BalanceMonth>' +
        '<PrepareGST>yes</PrepareGST><GSTRegistered>1</GSTRegistered><GSTPeriod>2</GSTPeriod><GSTBasis>hybrid</GSTBasis>' +
        '<ProvisionalTaxBasis>ratio option</ProvisionalTaxBasis><ProvisionalTaxRatio>1.10</ProvisionalTaxRatio>' +
        '<SignedTaxAuthority>true</SignedTaxAuthority><TaxAgent>tax agent</TaxAgent><AgencyStatus>with eot</AgencyStatus>' +
        '<ReturnType>ir3nr</ReturnType><PrepareTaxReturn>rubbish</PrepareTaxReturn></Client>',
    );
    expect(added).toContain(`<Notes />${manager('<ID>7</ID>')}${everywhere}${newZealand}</Client>`);
  });

  it.each([
    ['1', 'Monthly'],
    ['2', '2 Monthly'],
    ['6', '6 Monthly'],
  ])('return GSTPeriod %s as %s', async (given, shown) => {
    const body = `<Client><Name>N</Name><GSTPeriod>${given}</GSTPeriod></Client>`;
    expect(textOf(await service.v1('POST', 'client.api/add', body), 'GSTPeriod')).toBe(shown);
  });

  it.each([
    ['Jan', 'Jan'],
    ['february', 'Feb'],
    ['12', 'Dec'],
    ['', ''],
  ])('return BalanceMonth %s as %s', async (given, shown) => {
    const body = `<Client><Name>N</Name><BalanceMonth>${given}</BalanceMonth></Client>`;
    expect(textOf(await service.v1('POST', 'client.api/add', body), 'BalanceMonth')).toBe(shown);
  });

  it.each([
    ['GSTPeriod', '3'],
    ['GSTPeriod', 'Monthly'],
    ['BalanceMonth', '13'],
    ['GSTBasis', 'Cash'],
    ['ProvisionalTaxBasis', 'Option'],
    ['BusinessStructure', 'Kingdom'],
    ['TaxAgent', 'Nobody'],
    ['AgencyStatus', 'EOT'],
    ['ReturnType', 'IR5'],
    ['SignedTaxAuthority', 'perhaps'],
  ])('refuse %s %s', async (element, value) => {
    const body = `<Client><Name>N</Name><${element}>${value}</${element}></Client>`;
    expect(await service.v1('POST', 'client.api/add', body)).toBe(
      refusal('Add', `Invalid value for ${element}`),
    );
  });

  it('use the business structures of the settings', async () => {
    await service.seed({ businessStructures: [{ name: 'Co-operative' }] });
    const add = async (name: string): Promise<string | undefined> =>
      textOf(
        await service.v1(
          'POST',
          'client.api/add',
          `<Client><Name>N</Name><BusinessStructure>${name}</BusinessStructure></Client>`,
        ),
        'BusinessStructure',
      );
    expect(await add('co-operative')).toBe('Co-operative');
    expect(await add('Company')).toBeUndefined();
  });
});

describe('the tax number', () => {
  const update = async (taxNumber: string): Promise<string | undefined> => {
    const body = `<Client><ID>1000000</ID><Name>N</Name><TaxNumber>${taxNumber}</TaxNumber></Client>`;
    return textOf(await service.v1('PUT', 'client.api/update', body), 'TaxNumber');
  };
  const storedNumber = async (): Promise<string | undefined> => {
    const { fields } = await service.db
      .selectFrom('records')
      .select('fields')
      .where('kind', '=', 'client')
      .executeTakeFirstOrThrow();
    return (JSON.parse(fields) as { taxNumber?: string }).taxNumber;
  };

  beforeEach(seedPractice);

  it('can be updated, and is returned masked except for its last three characters', async () => {
    expect(await update('987654321')).toBe('******321');
    expect(await storedNumber()).toBe('987654321');
    expect(await update('12')).toBe('12');
  });

  it('is not overwritten by its own mask', async () => {
    expect(await update('******678')).toBe('******678');
    expect(await storedNumber()).toBe('012345678');
  });

  it('is cleared by an empty element', async () => {
    expect(await update('')).toBe('');
    expect(await storedNumber()).toBe('');
  });
});

describe('relationships', () => {
  const second = '44444444-4444-4444-8444-444444444444';

  beforeEach(async () => {
    await service.seed({
      staff: exampleStaff,
      clients: [exampleClient, { number: 5, uuid: second, name: 'Second' }],
    });
  });

  const relationship = (elements: string): string => `<Relationship>${elements}</Relationship>`;
  const pair = '<ClientID>1000000</ClientID><RelatedClientID>5</RelatedClientID>';
  const add = async (elements: string, verb = 'POST'): Promise<string> =>
    service.v1(verb, 'client.api/addrelationship', relationship(elements));
  const shown = async (): Promise<string> =>
    /<Relationships>.*<\/Relationships>/.exec(await service.v1('GET', 'client.api/get/1000000'))?.[0] ?? '';

  it.each(['POST', 'PUT'])('are added (%s), shown last, updated and deleted', async (verb) => {
    const dates = '<StartDate>2020-01-02</StartDate><EndDate>20211231</EndDate>';
    expect(
      await add(`${pair}<Type>shareholder</Type><NumberOfShares>100</NumberOfShares>${dates}`, verb),
    ).toBe(statusOnly('Addrelationship'));
    const record =
      '<Relationships><Relationship><ID>1000000</ID><Type>Shareholder</Type><RelatedClient><ID>5</ID><Name>Second</Name>' +
      '</RelatedClient><NumberOfShares>100</NumberOfShares><StartDate>2020-01-02</StartDate><EndDate>2021-12-31</EndDate>' +
      '</Relationship></Relationships>';
    const client = await service.v1('GET', 'client.api/get/1000000');
    expect(client.endsWith(`${record}</Client></Response>`)).toBe(true);
    const change = relationship('<ID>1000000</ID><NumberOfShares></NumberOfShares><EndDate></EndDate>');
    expect(await service.v1(verb, 'client.api/updaterelationship', change)).toBe(
      statusOnly('Updaterelationship'),
    );
    expect(await shown()).toBe(
      record.replace('<NumberOfShares>100</NumberOfShares>', '').replace('2021-12-31', ''),
    );
    expect(await service.v1(verb, 'client.api/deleterelationship', relationship('<ID>1000000</ID>'))).toBe(
      statusOnly('Deleterelationship'),
    );
    expect(await shown()).toBe('');
  });

  it('are changed only by PUT on version 3.1 of V3', async () => {
    await add(`${pair}<Type>Owner</Type>`);
    service.switches = { ...service.switches, practiceVersion: '3.1' };
    const call = async (root: string, verb: string, method = 'updaterelationship'): Promise<number> =>
      (await service.call(verb, `${root}/client.api/${method}`, relationship(''))).status;
    expect([await call('3.0', 'POST'), await call('3.0', 'PUT'), await call('v1', 'POST')]).toEqual([
      405, 200, 200,
    ]);
    expect(await call('3.0', 'POST', 'deleterelationship')).toBe(200);
  });

  it('have UUIDs on V3', async () => {
    const body = `<ClientUUID>${exampleClient.uuid}</ClientUUID><RelatedClientUUID>${second}</RelatedClientUUID><Type>Partner</Type><Percentage>33.3</Percentage>`;
    expect(await service.v3('POST', 'client.api/addrelationship', relationship(body))).toBe(
      statusOnly('Addrelationship'),
    );
    expect(await service.v3('GET', `client.api/get/${exampleClient.uuid}`)).toMatch(
      new RegExp(
        `<Relationship><UUID>[\\da-f-]{36}</UUID><Type>Partner</Type><RelatedClient><UUID>${second}</UUID><Name>Second</Name></RelatedClient>` +
          '<Percentage>33\\.30</Percentage><StartDate></StartDate><EndDate></EndDate></Relationship>',
      ),
    );
  });

  it.each(['v1', 'v3'])(
    'accept shares only for Shareholder and Owner, a percentage only for Partner, on %s',
    async (surface) => {
      const ids =
        surface === 'v1'
          ? pair
          : `<ClientUUID>${exampleClient.uuid}</ClientUUID><RelatedClientUUID>${second}</RelatedClientUUID>`;
      const send = async (elements: string): Promise<string> =>
        (
          await service.call(
            'POST',
            `${surface === 'v1' ? 'v1' : '3.0'}/client.api/addrelationship`,
            relationship(ids + elements),
          )
        ).text;
      const refused = (element: string): string => refusal('Addrelationship', `Invalid value for ${element}`);
      expect(await send('<Type>Director</Type><NumberOfShares>1</NumberOfShares>')).toBe(
        refused('NumberOfShares'),
      );
      expect(await send('<Type>Owner</Type><Percentage>1</Percentage>')).toBe(refused('Percentage'));
      expect(await send('<Type>Owner</Type><NumberOfShares>1</NumberOfShares>')).toBe(
        statusOnly('Addrelationship'),
      );
      expect(await send('<Type>Partner</Type><Percentage>50</Percentage>')).toBe(
        statusOnly('Addrelationship'),
      );
      expect(await send('<Type>Director</Type><NumberOfShares/><Percentage/>')).toBe(
        statusOnly('Addrelationship'),
      );
    },
  );

  it('accept the name that one documented form has for the shares', async () => {
    await add(`${pair}<Type>Owner</Type><NumberOfShared>12</NumberOfShared>`);
    expect(textOf(await shown(), 'NumberOfShares')).toBe('12');
  });

  it.each([
    'Director',
    'Shareholder',
    'Trustee',
    'Beneficiary',
    'Partner',
    'Settlor',
    'Associate',
    'Secretary',
    'Public Officer',
    'Husband',
    'Wife',
    'Spouse',
    'Parent Of',
    'Child Of',
    'Appointer',
    'Member',
    'Auditor',
    'Owner',
  ])('support the type %s', async (type) => {
    expect(await add(`${pair}<Type>${type}</Type>`)).toBe(statusOnly('Addrelationship'));
    expect(textOf(await shown(), 'Type')).toBe(type);
  });

  it.each([
    ['<RelatedClientID>5</RelatedClientID><Type>Owner</Type>', missing('/Relationship/ClientID')],
    ['<ClientID>1000000</ClientID><Type>Owner</Type>', missing('/Relationship/RelatedClientID')],
    ['<ClientID>9</ClientID><RelatedClientID>9</RelatedClientID>', missing('/Relationship/Type')],
    [`${pair}<Type>Cousin</Type>`, 'Invalid value for Type'],
    ['<ClientID>9</ClientID><RelatedClientID>5</RelatedClientID><Type>Owner</Type>', UNKNOWN_CLIENT],
    ['<ClientID>1000000</ClientID><RelatedClientID>9</RelatedClientID><Type>Owner</Type>', UNKNOWN_CLIENT],
    [`${pair}<Type>Owner</Type><NumberOfShares>1.5</NumberOfShares>`, 'Invalid value for NumberOfShares'],
    [`${pair}<Type>Owner</Type><NumberOfShares>-1</NumberOfShares>`, 'Invalid value for NumberOfShares'],
    [`${pair}<Type>Owner</Type><StartDate>soon</StartDate>`, 'Invalid value for StartDate'],
  ])('are refused: %s', async (elements, text) => {
    expect(await add(elements)).toBe(refusal('Addrelationship', text));
  });

  it.each(['updaterelationship', 'deleterelationship'])(
    'are found by their identifier: %s',
    async (method) => {
      const name = method.charAt(0).toUpperCase() + method.slice(1);
      expect(await service.v1('POST', `client.api/${method}`, relationship(''))).toBe(
        refusal(name, missing('/Relationship/ID')),
      );
      expect(await service.v1('POST', `client.api/${method}`, relationship('<ID>1</ID>'))).toBe(
        refusal(name, 'Invalid relationship identifier'),
      );
    },
  );

  it('belong to the practice management module', async () => {
    await add(`${pair}<Type>Owner</Type>`);
    service.switches = defaultSwitches;
    expect(await add(`${pair}<Type>Owner</Type>`)).toBe(
      refusal('Addrelationship', 'This method needs the practice management module'),
    );
    expect(await shown()).toBe('');
  });
});
