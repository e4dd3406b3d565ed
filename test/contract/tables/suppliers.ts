import { exactly, get, missing, ok, post, put, refused, studio, without, type Table } from '../case.ts';
import { tradeSeed } from '../tradeSeed.ts';

const UNKNOWN_SUPPLIER = 'Invalid supplier identifier';
const UNKNOWN_CONTACT = 'Invalid contact identifier';
const supplier = (inner: string): string => `<Supplier>${inner}</Supplier>`;
const contact = (inner: string): string => `<Contact>${inner}</Contact>`;

const blank =
  '<Address></Address><City></City><Region></Region><PostCode></PostCode><Country></Country>' +
  '<PostalAddress></PostalAddress><PostalCity></PostalCity><PostalRegion></PostalRegion>' +
  '<PostalPostCode></PostalPostCode><PostalCountry></PostalCountry><Phone></Phone><Fax></Fax><Website></Website>';
const REWI =
  '<Contact><ID>311</ID><Name>Rewi Tane</Name><Mobile>021 555</Mobile><Email>rewi@paper.example</Email><Phone>1e5</Phone><Position>Sales</Position></Contact>';
const SECOND =
  '<Contact><ID>312</ID><Name>Second</Name><Mobile></Mobile><Email></Email><Phone></Phone><Position></Position></Contact>';
const PAPER = `<ID>301</ID><Name>Paper &amp; Co</Name><Address>1 Mill Lane\nUnit 2</Address><City>Ōamaru</City><Region></Region><PostCode>09400</PostCode><Country></Country><PostalAddress></PostalAddress><PostalCity></PostalCity><PostalRegion></PostalRegion><PostalPostCode></PostalPostCode><PostalCountry></PostalCountry><Phone>+64 3 555 0100</Phone><Fax></Fax><Website>https://paper.example/?a=1&amp;b=2</Website><Contacts>${REWI}${SECOND}</Contacts>`;
const NOTES =
  '<Notes><Note><Title>First</Title><Text>a\nb</Text><Folder></Folder><Date>2026-10-30T09:15:00</Date><CreatedBy>Ada Example</CreatedBy></Note></Notes>';
const PLAIN = `<ID>5000</ID><Name>Supplier 0</Name>${blank}<Contacts />`;

export const suppliers: Table = {
  title: 'suppliers and their contacts',
  seed: [tradeSeed],
  cases: [
    studio(
      'all suppliers in one list, the archived left out',
      get(
        'supplier.api/list',
        without(
          ok(
            `<Suppliers><Supplier>${PAPER}</Supplier><Supplier>${PLAIN}</Supplier>`,
            '<ID>5098</ID>',
            '<ID>5099</ID>',
            '<ID>5198</ID>',
            '<ID>5199</ID>',
            `<ID>5204</ID><Name>Supplier 204</Name>${blank}<Contacts /></Supplier></Suppliers></Response>`,
          ),
          '<ID>302</ID>',
          '<Notes',
          '<TotalRecords',
        ),
      ),
      get('supplier.api/list?detailed=true', ok(`${PAPER}${NOTES}`, `${PLAIN}<Notes />`, '<ID>5204</ID>')),
    ),
    studio(
      'one supplier',
      get('supplier.api/get/301', exactly(`<Supplier>${PAPER}${NOTES}</Supplier>`)),
      get('supplier.api/get/5000/', exactly(`<Supplier>${PLAIN}<Notes /></Supplier>`)),
      get('supplier.api/get/302', ok('<Name>Archived</Name>')),
      get('supplier.api/get/999999999', refused(UNKNOWN_SUPPLIER)),
      get('supplier.api/get/1000000', refused(UNKNOWN_SUPPLIER)),
    ),
    studio(
      'a new supplier with contacts, changed, archived and deleted',
      post(
        'supplier.api/add',
        supplier(
          '<Website>fjord.example</Website><Postcode>00100</Postcode><Name>Fjord &amp; Söhne</Name><Address>one\r\ntwo</Address><Contacts type="array"><Contact><Name>Jörg</Name><email>j@fjord.example</email></Contact><Contact><Name>Zoë</Name></Contact></Contacts>',
        ),
        ok(
          '<Name>Fjord &amp; Söhne</Name><Address>one\ntwo</Address>',
          '<PostCode>00100</PostCode>',
          '<Website>fjord.example</Website><Contacts><Contact>',
          '<Name>Jörg</Name><Mobile></Mobile><Email>j@fjord.example</Email>',
          '<Name>Zoë</Name>',
          '</Contacts><Notes /></Supplier>',
        ),
      ),
      get('supplier.api/get/{new Supplier}', ok('<Name>Fjord &amp; Söhne</Name>', '<Name>Zoë</Name>')),
      get('supplier.api/contact/{new Contact}', ok('<Name>Zoë</Name>')),
      put(
        'supplier.api/update',
        supplier('<ID>{new Supplier}</ID><Name>Fjord</Name><Phone>+64</Phone><Address/>'),
        ok('<Name>Fjord</Name><Address></Address>', '<PostCode>00100</PostCode>', '<Phone>+64</Phone>'),
      ),
      put('supplier.api/archive', supplier('<ID>{new Supplier}</ID>'), ok('<Name>Fjord</Name>')),
      get('supplier.api/list', without(ok('<ID>301</ID>'), '<Name>Fjord</Name>')),
      post('supplier.api/delete', supplier('<ID>{new Supplier}</ID>'), ok('<Name>Fjord</Name>')),
      get('supplier.api/get/{new Supplier}', refused(UNKNOWN_SUPPLIER)),
      get('supplier.api/contact/{new Contact}', refused(UNKNOWN_CONTACT)),
      put('supplier.api/archive', supplier('<ID>{new Supplier}</ID>'), refused(UNKNOWN_SUPPLIER)),
    ),
    studio(
      'suppliers that cannot be',
      post('supplier.api/add', supplier('<City>x</City>'), missing('/Supplier/Name')),
      post('supplier.api/add', '', missing('/Supplier/Name')),
      post(
        'supplier.api/add',
        supplier('<Name>x</Name><Contacts><Contact><Email>x</Email></Contact></Contacts>'),
        missing('/Supplier/Contacts/Contact/Name'),
      ),
      put('supplier.api/update', supplier('<Name>x</Name>'), missing('/Supplier/ID')),
      put('supplier.api/update', supplier('<ID>301</ID><Name> </Name>'), missing('/Supplier/Name')),
      put('supplier.api/update', supplier('<ID>999</ID><Name>x</Name>'), refused(UNKNOWN_SUPPLIER)),
      put('supplier.api/archive', supplier(''), missing('/Supplier/ID')),
      post('supplier.api/delete', supplier('<ID>x</ID>'), refused(UNKNOWN_SUPPLIER)),
      get('supplier.api/get/301', exactly(`<Supplier>${PAPER}${NOTES}</Supplier>`)),
    ),
    studio(
      'contacts of suppliers',
      get('supplier.api/contact/311', exactly(REWI)),
      get('supplier.api/contact/193', refused(UNKNOWN_CONTACT)),
      post(
        'supplier.api/contact',
        contact('<Name>Third &amp; last</Name><Position>Buyer</Position><supplier><id>301</id></supplier>'),
        ok(
          '<Name>Third &amp; last</Name><Mobile></Mobile><Email></Email><Phone></Phone><Position>Buyer</Position></Contact>',
        ),
      ),
      get('supplier.api/contact/{new Contact}', ok('<Name>Third &amp; last</Name>')),
      put(
        'supplier.api/contact/{new Contact}',
        contact('<Name>Third</Name><Position></Position><Mobile>021</Mobile>'),
        ok('<Name>Third</Name><Mobile>021</Mobile><Email></Email><Phone></Phone><Position></Position>'),
      ),
      get('supplier.api/get/301', ok('<Name>Third</Name>')),
      put(
        'supplier.api/contact/{new Contact}',
        supplier('<Name>Fourth</Name>'),
        ok('<Name>Fourth</Name><Mobile>021</Mobile>'),
      ),
    ),
    studio(
      'contacts that cannot be',
      post('supplier.api/contact', contact('<Name>x</Name>'), missing('/Contact/Supplier/ID')),
      post('supplier.api/contact', contact('<Supplier><ID>301</ID></Supplier>'), missing('/Contact/Name')),
      post(
        'supplier.api/contact',
        contact('<Supplier><ID>999</ID></Supplier><Name>x</Name>'),
        refused(UNKNOWN_SUPPLIER),
      ),
      post('supplier.api/contact', '', missing('/Contact/Supplier/ID')),
      put('supplier.api/contact/311', contact('<Email>x</Email>'), missing('/Contact/Name')),
      put('supplier.api/contact/999', contact('<Name>x</Name>'), refused(UNKNOWN_CONTACT)),
      get('supplier.api/contact/311', exactly(REWI)),
    ),
  ],
};
