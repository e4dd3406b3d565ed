import { exactly, fails, get, ok, post, refused, studio, without, type Table } from '../case.ts';
import { invoiceLosses } from '../moneyLosses.ts';
import { moneySeed } from '../moneySeed.ts';

const UNKNOWN_INVOICE = 'Invalid invoice identifier';
const example = '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client>';
const ben = '<Contact><ID>193</ID><Name>Ben Example</Name></Contact>';

/** In the order of the wire; an unset contact is left out. */
const first =
  '<ID>INV-0001</ID><Type>Progress Invoice</Type><JobText>J000101 Shop front</JobText><Description>First part\nof two &amp; more</Description><Date>2026-10-31T00:00:00</Date><DueDate>2026-11-20T00:00:00</DueDate>' +
  // 90 minutes at 120.00 and 15 %, 2.5 at 15.05 and 12.5 %; what is not billable costs nothing.
  `<Amount>217.63</Amount><AmountTax>31.70</AmountTax><AmountIncludingTax>249.33</AmountIncludingTax><AmountPaid>100.05</AmountPaid><AmountOutstanding>149.28</AmountOutstanding><Status>Approved</Status>${example}${ben}`;
const lines =
  '<Jobs><Job><ID>J000101</ID><Name>Shop front</Name><Description></Description><ClientOrderNumber>00042</ClientOrderNumber>' +
  '<Tasks><Task><ID>611</ID><Name>Lettering &lt;by hand&gt;</Name><Description>gold</Description><Minutes>90</Minutes><BillableRate>120.00</BillableRate><Billable>Yes</Billable><Amount>180.00</Amount><AmountTax>27.00</AmountTax><AmountIncludingTax>207.00</AmountIncludingTax></Task>' +
  '<Task><ID>612</ID><Name>Visit</Name><Description></Description><Minutes>45</Minutes><BillableRate>80.00</BillableRate><Billable>No</Billable><Amount>0.00</Amount><AmountTax>0.00</AmountTax><AmountIncludingTax>0.00</AmountIncludingTax></Task></Tasks>' +
  '<Costs><Cost><Description>Paint</Description><Note>red\nand "blue"</Note><Code>0001</Code><Billable>Yes</Billable><Quantity>2.50</Quantity><UnitCost>10.00</UnitCost><UnitPrice>15.05</UnitPrice><Amount>37.63</Amount><AmountTax>4.70</AmountTax><AmountIncludingTax>42.33</AmountIncludingTax></Cost>' +
  '<Cost><Description>Brush</Description><Note></Note><Code></Code><Billable>No</Billable><Quantity>1.00</Quantity><UnitCost>0.00</UnitCost><UnitPrice>0.00</UnitPrice><Amount>0.00</Amount><AmountTax>0.00</AmountTax><AmountIncludingTax>0.00</AmountIncludingTax></Cost></Costs></Job></Jobs>';
const advice =
  '<Tasks><Task><ID>613</ID><Name>Advice</Name><Description></Description><Minutes>60</Minutes><BillableRate>100.00</BillableRate><Billable>Yes</Billable><Amount>100.00</Amount><AmountTax>15.00</AmountTax><AmountIncludingTax>115.00</AmountIncludingTax></Task></Tasks><Costs />';

const reads = [
  studio(
    'one invoice, with its lines by job',
    get('invoice.api/get/INV-0001', exactly(`<Invoice>${first}${lines}</Invoice>`)),
    get('invoice.api/get/INV-0001/', ok(lines)),
  ),
  studio(
    'an invoice without a job has its lines beside it; its number is nothing but digits',
    get(
      'invoice.api/get/20017',
      without(
        ok(
          '<Invoice><ID>20017</ID><Type>Final Invoice</Type><JobText></JobText>',
          '<AmountOutstanding>0.00</AmountOutstanding><Status>Paid</Status>',
          advice,
        ),
        '<Jobs',
        '<Contact>',
      ),
    ),
  ),
  studio(
    'an invoice without lines',
    get('invoice.api/get/INV-0004', ok('<Status>Draft</Status>', '<Tasks /><Costs />')),
    get(
      'invoice.api/get/CN-12',
      ok('<Type>Credit Note</Type>', '<Amount>0.00</Amount>', '<Status>Cancelled</Status>'),
    ),
  ),
  studio(
    'less than nothing',
    get(
      'invoice.api/get/INV-0006',
      ok(
        '<Amount>-12.50</Amount><AmountTax>-1.88</AmountTax><AmountIncludingTax>-14.38</AmountIncludingTax>',
        '<Quantity>-1.00</Quantity>',
      ),
    ),
  ),
  ...['INV-9999', 'inv-0001', 'J000101', '611', 'x y'].map((number) =>
    studio(
      `an invoice that is none: ${number}`,
      get(`invoice.api/get/${encodeURIComponent(number)}`, refused(UNKNOWN_INVOICE)),
      get(`invoice.api/payments/${encodeURIComponent(number)}`, refused(UNKNOWN_INVOICE)),
    ),
  ),
  studio(
    'the payments of an invoice',
    get(
      'invoice.api/payments/INV-0001',
      exactly(
        '<Payments><Payment><Date>2026-11-05T00:00:00</Date><Amount>100.00</Amount><Reference>Cheque 000123 &amp; cash</Reference></Payment><Payment><Date>2026-11-06T00:00:00</Date><Amount>0.05</Amount><Reference></Reference></Payment></Payments>',
      ),
    ),
    get('invoice.api/payments/INV-0003', exactly('<Payments />')),
  ),
];

const lists = [
  studio(
    'the current ones: approved and not yet paid',
    get(
      'invoice.api/current',
      without(
        ok(`<Invoices><Invoice>${first}</Invoice>`, '<ID>INV-0006</ID>'),
        '20017',
        'INV-0003',
        'CN-12',
        '<Jobs',
        '<Tasks',
        '<Costs',
      ),
    ),
  ),
  studio(
    'the current ones in detail',
    get('invoice.api/current?detailed=true', ok(`<Invoice>${first}${lines}</Invoice>`)),
    get('invoice.api/current?detailed=false', without(ok(`<Invoice>${first}</Invoice>`), '<Jobs')),
  ),
  studio(
    'the drafts, plain and in detail',
    get(
      'invoice.api/draft',
      without(
        ok('<ID>INV-0003</ID>', '<JobText>K2 Kiosk &amp; more</JobText>', '<ID>INV-0004</ID>'),
        '20017',
      ),
    ),
    get(
      'invoice.api/draft?Detailed=TRUE',
      ok(
        '<Job><ID>K2</ID><Name>Kiosk &amp; more</Name><Description>Digits\nonly</Description><ClientOrderNumber></ClientOrderNumber><Tasks /><Costs><Cost><Description>Stone</Description>',
        '<Tasks /><Costs /></Invoice></Invoices>',
      ),
    ),
  ),
  studio(
    'those of a range of days, both ends within',
    get(
      'invoice.api/list?from=20261031&to=20261101',
      without(ok(`<Invoice>${first}</Invoice>`, '<ID>20017</ID>'), 'INV-0003'),
    ),
    get('invoice.api/list?to=2026-11-01&from=2026-11-01&detailed=true', ok('<ID>20017</ID>', advice)),
    get('invoice.api/list?from=20200101&to=20201231', exactly('<Invoices />')),
    get('invoice.api/list?from=20261231&to=20260101', exactly('<Invoices />')),
  ),
  studio(
    'a range of days that is none',
    get('invoice.api/list', fails(500, 'The parameter from is required')),
    get('invoice.api/list?from=20261031', fails(500, 'The parameter to is required')),
    get('invoice.api/list?from=&to=20261031', fails(500, 'The parameter from is required')),
    get('invoice.api/list?from=31.10.2026&to=20261101', fails(500, 'Invalid value for from')),
    get('invoice.api/list?from=20261031&to=20260230', fails(500, 'Invalid value for to')),
  ),
  studio(
    'those of a job, by its number',
    get('invoice.api/job/J000101', ok(`<Invoices><Invoice>${first}</Invoice>`, '<ID>INV-0006</ID>')),
    get('invoice.api/job/K2', ok('<ID>INV-0003</ID>')),
    get('invoice.api/job/J000103', exactly('<Invoices />')),
    get('invoice.api/job/J999999', refused('Invalid job identifier')),
    get('invoice.api/job/1000000', refused('Invalid job identifier')),
  ),
  studio(
    'verbs nobody has for invoices',
    post('invoice.api/current', '<Invoice/>', fails(405, 'This method does not accept the HTTP verb used')),
    get('invoice.api/add', fails(404, 'Unknown method')),
  ),
];

export const invoices: Table = {
  title: 'invoices',
  seed: [moneySeed],
  cases: [...reads, ...lists],
  losses: invoiceLosses,
};
