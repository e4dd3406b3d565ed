import { HEAD } from './service.ts';

/** The detailed client that the reference of the wire prints, as a seed. */
export const exampleClient = {
  number: 1000000,
  uuid: '11111111-1111-4111-8111-111111111111',
  name: 'Example & Sons',
  email: 'office@example.org',
  address: '1 High Street\nFloor 2',
  city: 'Wellington',
  postCode: '6011',
  country: 'New Zealand',
  phone: '(04) 555 0100',
  accountManager: 7,
  contacts: [
    {
      number: 193,
      uuid: '22222222-2222-4222-8222-222222222222',
      name: 'Ben Example',
      email: 'ben@example.org',
      position: 'Owner',
      salutation: 'Ben',
      addressee: 'Mr B Example',
      isPrimary: true,
    },
  ],
};

export const exampleStaff = [
  { number: 7, uuid: '33333333-3333-4333-8333-333333333333', name: 'Ada Example' },
];

export const plainElements =
  '<Address>1 High Street\nFloor 2</Address><City>Wellington</City><Region></Region><PostCode>6011</PostCode>' +
  '<Country>New Zealand</Country><PostalAddress></PostalAddress><PostalCity></PostalCity>' +
  '<PostalRegion></PostalRegion><PostalPostCode></PostalPostCode><PostalCountry></PostalCountry>' +
  '<Phone>(04) 555 0100</Phone><Fax></Fax><Website></Website><ReferralSource></ReferralSource>' +
  '<ExportCode></ExportCode><IsProspect>No</IsProspect><IsArchived>No</IsArchived><IsDeleted>No</IsDeleted>';

export const contactElements =
  '<Name>Ben Example</Name><Mobile></Mobile><Email>ben@example.org</Email><Phone></Phone><Position>Owner</Position>' +
  '<Salutation>Ben</Salutation><Addressee>Mr B Example</Addressee><IsPrimary>Yes</IsPrimary>';

/** The printed client; `rest` stands behind Contacts. */
export const v1Client = (rest: string): string =>
  '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name><Email>office@example.org</Email>' +
  plainElements +
  '<AccountManager><ID>7</ID><Name>Ada Example</Name></AccountManager>' +
  `<Contacts><Contact><ID>193</ID>${contactElements}</Contact></Contacts>${rest}</Client>`;

export const v3Client = (rest: string): string =>
  '<Client><UUID>11111111-1111-4111-8111-111111111111</UUID><Name>Example &amp; Sons</Name>' +
  '<Email>office@example.org</Email>' +
  plainElements +
  '<AccountManager><UUID>33333333-3333-4333-8333-333333333333</UUID><Name>Ada Example</Name></AccountManager>' +
  '<Contacts><Contact><UUID>22222222-2222-4222-8222-222222222222</UUID>' +
  `${contactElements}</Contact></Contacts>${rest}</Client>`;

export const transitionClient = (rest: string): string =>
  '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name><Email>office@example.org</Email>' +
  plainElements +
  '<AccountManager><ID>7</ID><Name>Ada Example</Name><UUID>33333333-3333-4333-8333-333333333333</UUID></AccountManager>' +
  `<Contacts><Contact><ID>193</ID>${contactElements}<UUID>22222222-2222-4222-8222-222222222222</UUID></Contact></Contacts>` +
  `${rest}<UUID>11111111-1111-4111-8111-111111111111</UUID></Client>`;

export const ok = (apiMethod: string, rest: string): string =>
  `${HEAD}<Response api-method="${apiMethod}"><Status>OK</Status>${rest}</Response>`;

export const UNKNOWN_CLIENT = 'Invalid client identifier';
