import { exactly, fails, get, ok, put, refused, studio, without, type Table } from '../case.ts';
import { quoteLosses } from '../moneyLosses.ts';
import { moneySeed } from '../moneySeed.ts';

const UNKNOWN_QUOTE = 'Invalid quote identifier';

/** In the order of the wire; an unset contact is left out, and V1 has neither UUID nor lead. */
const sign =
  '<ID>Q000123</ID><Type>Quote</Type><State>Issued</State><Name>New sign &amp; more</Name><Description>As discussed:\n- design\n- build</Description><Budget>5000.00</Budget><OptionExplanation>Choose &lt;one&gt;</OptionExplanation><Date>2026-10-31T00:00:00</Date><ValidDate>2026-12-02T00:00:00</ValidDate>' +
  '<EstimatedCost>85.00</EstimatedCost><EstimatedCostTax>12.75</EstimatedCostTax><EstimatedCostIncludingTax>97.75</EstimatedCostIncludingTax>' +
  '<Amount>217.63</Amount><AmountTax>32.64</AmountTax><AmountIncludingTax>250.27</AmountIncludingTax><Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client><Contact><ID>193</ID><Name>Ben Example</Name></Contact>';
const lines =
  '<Tasks><Task><Name>Design</Name><Description>two drafts</Description><EstimatedMinutes>90</EstimatedMinutes><BillableRate>120.00</BillableRate><Billable>Yes</Billable><Amount>180.00</Amount><AmountTax>27.00</AmountTax><AmountIncludingTax>207.00</AmountIncludingTax></Task>' +
  '<Task><Name>Talk</Name><Description></Description><EstimatedMinutes>0</EstimatedMinutes><BillableRate>0.00</BillableRate><Billable>No</Billable><Amount>0.00</Amount><AmountTax>0.00</AmountTax><AmountIncludingTax>0.00</AmountIncludingTax></Task></Tasks>' +
  '<Costs><Cost><Description>Paint</Description><Note>red</Note><Code>0001</Code><Billable>Yes</Billable><Quantity>2.50</Quantity><UnitCost>10.00</UnitCost><UnitPrice>15.05</UnitPrice><Amount>37.63</Amount><AmountTax>5.64</AmountTax><AmountIncludingTax>43.27</AmountIncludingTax></Cost></Costs>' +
  '<Options><Option><Description>Gold leaf</Description><Note></Note><Code>G-1</Code><Quantity>1.00</Quantity><UnitCost>400.00</UnitCost><UnitPrice>596.13</UnitPrice><Amount>596.13</Amount><AmountTax>89.42</AmountTax><AmountIncludingTax>685.55</AmountIncludingTax></Option></Options>';

export const quotes: Table = {
  title: 'quotes',
  seed: [moneySeed],
  losses: quoteLosses,
  cases: [
    studio(
      'one quote, with its lines and options',
      get('quote.api/get/Q000123', exactly(`<Quote>${sign}${lines}</Quote>`)),
    ),
    studio(
      'an estimate without lines; its number is nothing but digits',
      get(
        'quote.api/get/20017',
        without(
          ok(
            '<Quote><ID>20017</ID><Type>Estimate</Type><State>Issued</State><Name>Guess</Name><Description></Description><Budget></Budget><OptionExplanation></OptionExplanation>',
            '<Tasks /><Costs /><Options /></Quote>',
          ),
          '<Contact>',
        ),
      ),
    ),
    ...['Q999999', 'q000123', 'INV-0001', '1000000'].map((number) =>
      studio(`a quote that is none: ${number}`, get(`quote.api/get/${number}`, refused(UNKNOWN_QUOTE))),
    ),
    studio(
      'the current ones: issued and not yet decided',
      get(
        'quote.api/current',
        without(
          ok(`<Quotes><Quote>${sign}</Quote>`, '<ID>20017</ID>'),
          'Q25008',
          'Q000125',
          '<Tasks',
          '<Costs',
          '<Options',
        ),
      ),
      get('quote.api/current?detailed=true', ok(`<Quote>${sign}${lines}</Quote>`)),
    ),
    studio(
      'the drafts; a number has a slash in it',
      get('quote.api/draft', without(ok('<Quotes><Quote><ID>Q25008/2</ID>'), '<Tasks')),
      get('quote.api/draft?detailed=yes', ok('<ID>Q25008/2</ID>', '<Tasks /><Costs /><Options />')),
    ),
    studio(
      'those of a range of days, both ends within',
      get(
        'quote.api/list?from=20261031&to=20261101',
        without(ok(`<Quote>${sign}</Quote>`, '<ID>20017</ID>'), 'Q25008'),
      ),
      get(
        'quote.api/list?from=20261103&to=20261103&detailed=1',
        ok('<State>Accepted</State>', '<Options />'),
      ),
      get('quote.api/list?from=20200101&to=20201231', exactly('<Quotes />')),
    ),
    studio(
      'a range of days that is none',
      get('quote.api/list', fails(500, 'The parameter from is required')),
      get('quote.api/list?from=20261031&to=', fails(500, 'The parameter to is required')),
      get('quote.api/list?from=yesterday&to=20261101', fails(500, 'Invalid value for from')),
    ),
    studio(
      'a verb nobody has for quotes',
      put('quote.api/current', '<Quote/>', fails(405, 'This method does not accept the HTTP verb used')),
    ),
  ],
};
