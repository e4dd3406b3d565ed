import {
  australia,
  get,
  missing,
  ok,
  post,
  practice,
  put,
  refused,
  statusOnly,
  studio,
  without,
  type Table,
} from '../case.ts';
import { practiceLosses } from '../clientLosses.ts';
import { australiaSeed, practiceSeed, studioSeed } from '../seed.ts';

const UNKNOWN_CLIENT = 'Invalid client identifier';
const UNKNOWN_RELATIONSHIP = 'Invalid relationship identifier';
const NEEDS_MODULE = 'This method needs the practice management module';
const relationship = (inner: string): string => `<Relationship>${inner}</Relationship>`;
const between = '<ClientID>2000001</ClientID><RelatedClientID>2000000</RelatedClientID>';
const update = (inner: string): string =>
  `<Client><ID>2000000</ID><Name>Riverbend Holdings Ltd</Name>${inner}</Client>`;
const HOLDER = 'client.api/get/2000000';
const OTHER = 'client.api/get/2000001';

export const practices: Table = {
  title: 'practice management',
  seed: [studioSeed, practiceSeed, australiaSeed],
  losses: practiceLosses,
  cases: [
    practice(
      'the fields of New Zealand, the tax number masked',
      get(
        HOLDER,
        without(
          ok(
            '<JobManager><ID>21</ID><Name>Diane Ropata</Name></JobManager><FirstName></FirstName>',
            '<TaxNumber>********782</TaxNumber><CompanyNumber>1234567</CompanyNumber><BusinessNumber>9429000000000</BusinessNumber><BusinessStructure>Company</BusinessStructure><BalanceMonth>Mar</BalanceMonth><PrepareGST>Yes</PrepareGST><GSTRegistered>Yes</GSTRegistered><GSTPeriod>2 Monthly</GSTPeriod><GSTBasis>Payment</GSTBasis><ProvisionalTaxBasis>Ratio Option</ProvisionalTaxBasis><ProvisionalTaxRatio>12.5%</ProvisionalTaxRatio><SignedTaxAuthority>Yes</SignedTaxAuthority><TaxAgent>River &amp; Partners</TaxAgent><AgencyStatus>With EOT</AgencyStatus><ReturnType>IR4</ReturnType>',
            '<Relationships><Relationship><ID>901</ID><Type>Director</Type><RelatedClient><ID>2000001</ID><Name>Marsh, Walter</Name></RelatedClient>',
            '<NumberOfShares>1000</NumberOfShares>',
            '<Percentage>33.33</Percentage>',
            '<EndDate>2030-01-01</EndDate>',
          ),
          '123-456',
          'PrepareActivityStatement',
        ),
      ),
    ),
    practice(
      'a tax number of two characters',
      get(
        OTHER,
        ok(
          '<FirstName>Walter</FirstName><LastName>Marsh</LastName><OtherName>W.</OtherName><TaxNumber>12</TaxNumber>',
          '<DateOfBirth>1961-07-23</DateOfBirth>',
        ),
      ),
    ),
    practice(
      'the list, with and without detail',
      get('client.api/list', without(ok('<TaxNumber>********782</TaxNumber>'), '<Relationships')),
      get('client.api/list?detailed=true', ok('<Relationships><Relationship><ID>901</ID>')),
      get('client.api/search?query=marsh&detailed=true', ok('<ID>2000001</ID>')),
    ),
    australia(
      'the fields of Australia',
      get(
        HOLDER,
        without(
          ok(
            '<PrepareActivityStatement>Yes</PrepareActivityStatement><PrepareTaxReturn>No</PrepareTaxReturn>',
          ),
          '<TaxAgent',
          '<ReturnType',
        ),
      ),
    ),
    australia(
      'a relationship is changed with either verb, also on the version of V3 that has only one',
      post(
        'client.api/updaterelationship',
        relationship('<ID>911</ID><NumberOfShares>8</NumberOfShares>'),
        statusOnly,
      ),
      get(HOLDER, ok('<NumberOfShares>8</NumberOfShares>')),
      put(
        'client.api/updaterelationship',
        relationship('<ID>911</ID><NumberOfShares>9</NumberOfShares>'),
        statusOnly,
      ),
      get(HOLDER, ok('<NumberOfShares>9</NumberOfShares>')),
      put(
        'client.api/updaterelationship',
        relationship('<ID>911</ID><NumberOfShares>many</NumberOfShares>'),
        refused('Invalid value for NumberOfShares'),
      ),
    ),
    studio(
      'none of them without the module',
      post(
        'client.api/add',
        '<Client><Name>Plain</Name><TaxNumber>111</TaxNumber><FirstName>F</FirstName></Client>',
        without(ok('<Name>Plain</Name>'), '<TaxNumber', '<FirstName'),
      ),
    ),
    practice(
      'a client with practice fields is added and read back',
      post(
        'client.api/add',
        '<Client><Name>New One</Name><FirstName>N</FirstName><LastName>O</LastName><TaxNumber>99-887</TaxNumber><BusinessStructure>company</BusinessStructure><BalanceMonth>12</BalanceMonth><GSTPeriod>6</GSTPeriod><GSTBasis>hybrid</GSTBasis><GSTRegistered>1</GSTRegistered><ProvisionalTaxBasis>standard option</ProvisionalTaxBasis><JobManagerID>21</JobManagerID><SignedTaxAuthority>No</SignedTaxAuthority><TaxAgent>river &amp; partners</TaxAgent><AgencyStatus>Unlinked</AgencyStatus><ReturnType>pts</ReturnType></Client>',
        ok(
          '<TaxNumber>***887</TaxNumber>',
          '<BusinessStructure>Company</BusinessStructure><BalanceMonth>Dec</BalanceMonth>',
          '<GSTPeriod>6 Monthly</GSTPeriod><GSTBasis>Hybrid</GSTBasis>',
          '<TaxAgent>River &amp; Partners</TaxAgent><AgencyStatus>Unlinked</AgencyStatus><ReturnType>PTS</ReturnType>',
          '<JobManager><ID>21</ID>',
        ),
      ),
      get('client.api/get/{new Client}', ok('<TaxNumber>***887</TaxNumber>')),
    ),
    practice(
      'a masked tax number that comes back does not overwrite the real one',
      put(
        'client.api/update',
        update('<TaxNumber>********782</TaxNumber><CompanyNumber>7654321</CompanyNumber>'),
        ok('<TaxNumber>********782</TaxNumber><CompanyNumber>7654321</CompanyNumber>'),
      ),
      put(
        'client.api/update',
        update('<TaxNumber>555-000-111</TaxNumber>'),
        ok('<TaxNumber>********111</TaxNumber>'),
      ),
      put('client.api/update', update('<TaxNumber></TaxNumber>'), ok('<TaxNumber></TaxNumber>')),
      get(HOLDER, ok('<TaxNumber></TaxNumber>')),
    ),
    practice(
      'values that are none',
      put('client.api/update', update('<GSTPeriod>3</GSTPeriod>'), refused('Invalid value for GSTPeriod')),
      put(
        'client.api/update',
        update('<BalanceMonth>13</BalanceMonth>'),
        refused('Invalid value for BalanceMonth'),
      ),
      put(
        'client.api/update',
        update('<BusinessStructure>Club</BusinessStructure>'),
        refused('Invalid value for BusinessStructure'),
      ),
      put(
        'client.api/update',
        update('<ReturnType>IR99</ReturnType>'),
        refused('Invalid value for ReturnType'),
      ),
      put(
        'client.api/update',
        update('<JobManagerID>999999999</JobManagerID>'),
        refused('Invalid staff identifier'),
      ),
    ),
    practice(
      'two clients are related, the relation is read back, changed and ended',
      post(
        'client.api/addrelationship',
        relationship(
          `${between}<Type>Shareholder</Type><NumberOfShares>50</NumberOfShares><StartDate>2020-01-02</StartDate>`,
        ),
        statusOnly,
      ),
      get(
        OTHER,
        ok(
          '<Type>Shareholder</Type><RelatedClient><ID>2000000</ID><Name>Riverbend Holdings Ltd</Name></RelatedClient><NumberOfShares>50</NumberOfShares><StartDate>2020-01-02</StartDate><EndDate></EndDate>',
        ),
      ),
      post(
        'client.api/updaterelationship',
        relationship(
          '<ID>{new Relationship}</ID><NumberOfShared>60</NumberOfShared><EndDate>20210304</EndDate>',
        ),
        statusOnly,
      ),
      get(
        OTHER,
        ok(
          '<NumberOfShares>60</NumberOfShares><StartDate>2020-01-02</StartDate><EndDate>2021-03-04</EndDate>',
        ),
      ),
      put(
        'client.api/updaterelationship',
        relationship('<ID>{new Relationship}</ID><StartDate/>'),
        statusOnly,
      ),
      get(OTHER, ok('<StartDate></StartDate><EndDate>2021-03-04</EndDate>')),
      post('client.api/deleterelationship', relationship('<ID>{new Relationship}</ID>'), statusOnly),
      get(OTHER, without(ok('<Name>Marsh, Walter</Name>'), '<Relationship>')),
      post(
        'client.api/deleterelationship',
        relationship('<ID>{new Relationship}</ID>'),
        refused(UNKNOWN_RELATIONSHIP),
      ),
    ),
    practice(
      'every type of relationship, a percentage where it belongs',
      post(
        'client.api/addrelationship',
        relationship(`${between}<Type>partner</Type><Percentage>12.345</Percentage>`),
        statusOnly,
      ),
      put('client.api/addrelationship', relationship(`${between}<Type>PUBLIC OFFICER</Type>`), statusOnly),
      post('client.api/addrelationship', relationship(`${between}<Type>Parent Of</Type>`), statusOnly),
      get(
        OTHER,
        ok('<Percentage>12.35</Percentage>', '<Type>Public Officer</Type>', '<Type>Parent Of</Type>'),
      ),
    ),
    practice(
      'a seeded relationship by its number',
      post(
        'client.api/updaterelationship',
        relationship('<ID>903</ID><Percentage>40</Percentage>'),
        statusOnly,
      ),
      get(HOLDER, ok('<Percentage>40.00</Percentage>')),
      post('client.api/deleterelationship', relationship('<ID>902</ID>'), statusOnly),
      get(HOLDER, without(ok('<ID>901</ID>'), '<ID>902</ID>')),
    ),
    practice(
      'relationships that cannot be',
      post(
        'client.api/addrelationship',
        relationship('<RelatedClientID>2000000</RelatedClientID><Type>Wife</Type>'),
        missing('/Relationship/ClientID'),
      ),
      post(
        'client.api/addrelationship',
        relationship('<ClientID>2000000</ClientID><Type>Wife</Type>'),
        missing('/Relationship/RelatedClientID'),
      ),
      post('client.api/addrelationship', relationship(between), missing('/Relationship/Type')),
      post(
        'client.api/addrelationship',
        relationship(`${between}<Type>Neighbour</Type>`),
        refused('Invalid value for Type'),
      ),
      post(
        'client.api/addrelationship',
        relationship(`${between}<Type>Director</Type><NumberOfShares>1</NumberOfShares>`),
        refused('Invalid value for NumberOfShares'),
      ),
      post(
        'client.api/addrelationship',
        relationship(`${between}<Type>Director</Type><Percentage>1</Percentage>`),
        refused('Invalid value for Percentage'),
      ),
      post(
        'client.api/addrelationship',
        relationship(`${between}<Type>Director</Type><StartDate>never</StartDate>`),
        refused('Invalid value for StartDate'),
      ),
      post(
        'client.api/addrelationship',
        relationship(
          '<ClientID>999999999</ClientID><RelatedClientID>2000000</RelatedClientID><Type>Wife</Type>',
        ),
        refused(UNKNOWN_CLIENT),
      ),
      post(
        'client.api/addrelationship',
        relationship(
          '<ClientID>2000000</ClientID><RelatedClientID>999999999</RelatedClientID><Type>Wife</Type>',
        ),
        refused(UNKNOWN_CLIENT),
      ),
      post(
        'client.api/updaterelationship',
        relationship('<NumberOfShares>1</NumberOfShares>'),
        missing('/Relationship/ID'),
      ),
      post(
        'client.api/updaterelationship',
        relationship('<ID>999999999</ID>'),
        refused(UNKNOWN_RELATIONSHIP),
      ),
      post('client.api/deleterelationship', relationship(''), missing('/Relationship/ID')),
      post('client.api/deleterelationship', '', missing('/Relationship/ID')),
    ),
    studio(
      'no relationships without the module',
      post(
        'client.api/addrelationship',
        relationship(
          '<ClientID>1000000</ClientID><RelatedClientID>1000001</RelatedClientID><Type>Wife</Type>',
        ),
        refused(NEEDS_MODULE),
      ),
    ),
  ],
};
