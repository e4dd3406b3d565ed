import { exactly, fails, get, missing, ok, post, refused, studio, without, type Table } from '../case.ts';
import { manyOrderLosses, orderLosses } from '../moneyLosses.ts';
import { moneySeed } from '../moneySeed.ts';

const UNKNOWN_ORDER = 'Invalid purchase order identifier';
const order = (inner: string): string => `<PurchaseOrder>${inner}</PurchaseOrder>`;
const items = (...all: readonly string[]): string =>
  `<Items>${all.map((item) => `<Item>${item}</Item>`).join('')}</Items>`;

/** In the order of the wire. */
const paint =
  '<ID>P000121</ID><Description>Paint &amp; brushes</Description><Date>2026-10-31T00:00:00</Date><DeliveryAddress>1 High Street\nFloor 2</DeliveryAddress><State>Issued</State><Amount>25.13</Amount><AmountTax>3.77</AmountTax><AmountIncludingTax>28.90</AmountIncludingTax><Job><ID>J000101</ID><Name>Shop front</Name></Job><Supplier><ID>301</ID><Name>Paper &amp; Co</Name></Supplier>';
const costs =
  '<Costs><Cost><Description>Paint</Description><Code>0001</Code><Note>matt\nnot gloss</Note><Quantity>2.50</Quantity><UnitCost>10.05</UnitCost><Amount>25.13</Amount><AmountTax>3.77</AmountTax><AmountIncludingTax>28.90</AmountIncludingTax></Cost>' +
  '<Cost><Description>Brush &lt;wide&gt;</Description><Code></Code><Note></Note><Quantity>1.00</Quantity><UnitCost>0.00</UnitCost><Amount>0.00</Amount><AmountTax>0.00</AmountTax><AmountIncludingTax>0.00</AmountIncludingTax></Cost></Costs>';

const reads = [
  studio('one order, with its costs', get('purchaseorder.api/get/P000121', exactly(order(paint + costs)))),
  studio(
    'an order whose number is that of a client; one without a job',
    get(
      'purchaseorder.api/get/1000000',
      ok(
        '<ID>1000000</ID>',
        '<Job><ID>K2</ID><Name>Kiosk &amp; more</Name></Job><Supplier><ID>302</ID><Name>Ōamaru &lt;Stone&gt;</Name></Supplier><Costs />',
      ),
    ),
    get('purchaseorder.api/get/P000124', without(ok('<Supplier><ID>301</ID>'), '<Job>')),
  ),
  ...['P999999', '301', 'J000101'].map((number) =>
    studio(
      `an order that is none: ${number}`,
      get(`purchaseorder.api/get/${number}`, refused(UNKNOWN_ORDER)),
    ),
  ),
  studio(
    'the current ones and the drafts',
    get(
      'purchaseorder.api/current',
      without(ok(`<PurchaseOrders>${order(paint)}`, '<ID>P000124</ID>'), 'P000123', '<Costs'),
    ),
    get('purchaseorder.api/current?detailed=true', ok(order(paint + costs))),
    get('purchaseorder.api/draft', without(ok('<ID>P000123</ID>', '<State>Draft</State>'), 'P000121')),
    get('purchaseorder.api/draft?DETAILED=true', ok('<ID>P000123</ID>', '<Costs /></PurchaseOrder>')),
  ),
  studio(
    'those of a range of days, both ends within; V1 has no pages',
    get(
      'purchaseorder.api/list?from=20261031&to=20261101',
      without(ok(order(paint), '<ID>1000000</ID>'), 'P000123', '<TotalRecords', '<Page'),
    ),
    get('purchaseorder.api/list?from=20261031&to=20261101&detailed=true', ok(order(paint + costs))),
    get('purchaseorder.api/list?from=20200101&to=20201231', exactly('<PurchaseOrders />')),
    get(
      'purchaseorder.api/list?from=20260101&to=20261231&page=2&pagesize=1',
      ok('<ID>P000121</ID>', '<ID>P000124</ID>'),
    ),
  ),
  studio(
    'a range of days that is none',
    get('purchaseorder.api/list', fails(500, 'The parameter from is required')),
    get('purchaseorder.api/list?from=20261031', fails(500, 'The parameter to is required')),
    get('purchaseorder.api/list?from=20261031&to=soon', fails(500, 'Invalid value for to')),
  ),
  studio(
    'those of a job, by its number',
    get(
      'purchaseorder.api/job/J000101',
      without(ok(`<PurchaseOrders>${order(paint)}`, '<ID>P000123</ID>'), '<ID>1000000</ID>', '<Costs'),
    ),
    get('purchaseorder.api/job/J000101?detailed=true', without(ok('<ID>P000123</ID>'), '<Costs')),
    get('purchaseorder.api/job/J000103', exactly('<PurchaseOrders />')),
    get('purchaseorder.api/job/J999999', refused('Invalid job identifier')),
  ),
];

const writes = [
  studio(
    'an order is added and read back',
    post(
      'purchaseorder.api/add',
      order(
        `<SupplierID> 302 </SupplierID><JobNumber>J000101</JobNumber><Date>20261120</Date><DeliveryAddress>2 Low Street\r\nYard</DeliveryAddress><Description>Stone &amp; <![CDATA[<sand>]]></Description>${items('<Description>Stone</Description><Code>0002</Code><Note>grey</Note><Quantity>2.5</Quantity><UnitCost>10.05</UnitCost>', '<Description>Sand</Description>')}`,
      ),
      exactly('<ID>P000125</ID>'),
    ),
    get(
      'purchaseorder.api/get/P000125',
      exactly(
        order(
          '<ID>P000125</ID><Description>Stone &amp; &lt;sand&gt;</Description><Date>2026-11-20T00:00:00</Date><DeliveryAddress>2 Low Street\nYard</DeliveryAddress><State>Issued</State><Amount>25.13</Amount><AmountTax>3.77</AmountTax><AmountIncludingTax>28.90</AmountIncludingTax><Job><ID>J000101</ID><Name>Shop front</Name></Job><Supplier><ID>302</ID><Name>Ōamaru &lt;Stone&gt;</Name></Supplier>' +
            '<Costs><Cost><Description>Stone</Description><Code>0002</Code><Note>grey</Note><Quantity>2.50</Quantity><UnitCost>10.05</UnitCost><Amount>25.13</Amount><AmountTax>3.77</AmountTax><AmountIncludingTax>28.90</AmountIncludingTax></Cost>' +
            '<Cost><Description>Sand</Description><Code></Code><Note></Note><Quantity>1.00</Quantity><UnitCost>0.00</UnitCost><Amount>0.00</Amount><AmountTax>0.00</AmountTax><AmountIncludingTax>0.00</AmountIncludingTax></Cost></Costs>',
        ),
      ),
    ),
    get('purchaseorder.api/job/J000101', ok('<ID>P000125</ID>')),
  ),
  studio(
    'a draft with nothing but job and supplier, in another case and order',
    post(
      'purchaseorder.api/adddraft/',
      '<?xml version="1.0" encoding="utf-16"?>\r\n<purchaseorder xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\r\n  <ID>0</ID>\r\n  <supplierid>301</supplierid>\r\n  <State>Issued</State>\r\n  <jobnumber>K2</jobnumber>\r\n  <Items />\r\n</purchaseorder>',
      exactly('<ID>P000126</ID>'),
      { headers: { 'Content-Type': 'text/plain; charset=utf-8' } },
    ),
    get(
      'purchaseorder.api/get/P000126',
      ok('<Date>2026-11-20T00:00:00</Date>', '<State>Draft</State>', '<Job><ID>K2</ID>', '<Costs />'),
    ),
    get('purchaseorder.api/draft', ok('<ID>P000126</ID>')),
  ),
  studio(
    'an order needs a job and a supplier',
    post('purchaseorder.api/add', '', missing('/PurchaseOrder/JobNumber')),
    post('purchaseorder.api/add', order(''), missing('/PurchaseOrder/JobNumber')),
    post(
      'purchaseorder.api/add',
      order('<JobNumber> </JobNumber><SupplierID>301</SupplierID>'),
      missing('/PurchaseOrder/JobNumber'),
    ),
    post(
      'purchaseorder.api/add',
      order('<JobNumber>J000101</JobNumber>'),
      missing('/PurchaseOrder/SupplierID'),
    ),
    post(
      'purchaseorder.api/adddraft',
      order('<JobNumber>J000101</JobNumber><SupplierID/>'),
      missing('/PurchaseOrder/SupplierID'),
    ),
    post(
      'purchaseorder.api/adddraft',
      '<Order><JobNumber>J000101</JobNumber><SupplierID>301</SupplierID></Order>',
      missing('/PurchaseOrder/JobNumber'),
    ),
  ),
  studio(
    'a job, a supplier, an item, a value that is none; and nothing is left behind',
    post(
      'purchaseorder.api/add',
      order('<JobNumber>J999999</JobNumber><SupplierID>301</SupplierID>'),
      refused('Invalid job identifier'),
    ),
    ...['303', 'x', '0'].map((supplier) =>
      post(
        'purchaseorder.api/add',
        order(`<JobNumber>J000101</JobNumber><SupplierID>${supplier}</SupplierID>`),
        refused('Invalid supplier identifier'),
      ),
    ),
    post(
      'purchaseorder.api/add',
      order(`<JobNumber>J000101</JobNumber><SupplierID>301</SupplierID>${items('<Code>1</Code>')}`),
      missing('/PurchaseOrder/Items/Item/Description'),
    ),
    post(
      'purchaseorder.api/add',
      order(
        `<JobNumber>J000101</JobNumber><SupplierID>301</SupplierID>${items('<Description>d</Description><Quantity>1e3</Quantity>')}`,
      ),
      refused('Invalid value for Quantity'),
    ),
    post(
      'purchaseorder.api/add',
      order('<JobNumber>J000101</JobNumber><SupplierID>301</SupplierID><Date>30.2.2026</Date>'),
      refused('Invalid value for Date'),
    ),
    get('purchaseorder.api/get/P000127', refused(UNKNOWN_ORDER)),
  ),
  studio(
    'verbs nobody has for orders',
    get('purchaseorder.api/add', fails(405, 'This method does not accept the HTTP verb used')),
    post('purchaseorder.api/delete', order('<ID>P000121</ID>'), fails(404, 'Unknown method')),
  ),
];

export const purchaseOrders: Table = {
  title: 'purchase orders',
  seed: [moneySeed],
  cases: [...reads, ...writes],
  losses: orderLosses,
};

/** So many that V3 shows them on several pages. */
const manySeed = {
  ...moneySeed,
  purchaseOrders: Array.from({ length: 230 }, (_, index) => ({
    number: `P${String(index + 1).padStart(6, '0')}`,
    supplier: 301 + (index % 2),
    job: 'J000101',
    date: `2026-${String((index % 10) + 1).padStart(2, '0')}-15`,
    description: `Order ${String(index)} größer`,
    costs: [{ description: 'Paint', quantity: index, unitCost: '0.10' }],
  })),
};

export const manyOrders: Table = {
  title: 'many purchase orders',
  seed: [manySeed],
  losses: manyOrderLosses,
  cases: [
    studio(
      'all in one list',
      get(
        'purchaseorder.api/list?from=20260101&to=20261231',
        without(
          ok(
            '<PurchaseOrders><PurchaseOrder><ID>P000001</ID>',
            '<ID>P000100</ID>',
            '<ID>P000101</ID>',
            '<ID>P000230</ID>',
          ),
          '<TotalRecords',
          '<Page',
        ),
      ),
    ),
    studio(
      'in detail, and of some months',
      get(
        'purchaseorder.api/list?from=20260101&to=20260531&detailed=true',
        without(ok('<ID>P000001</ID>', '<ID>P000225</ID>', '<Costs><Cost>'), '<ID>P000006</ID>'),
      ),
    ),
    studio(
      'the list that has no pages on V3 either',
      get('purchaseorder.api/current', ok('<ID>P000001</ID>', '<ID>P000230</ID>')),
    ),
  ],
};
