import {
  exactly,
  get,
  missing,
  ok,
  post,
  put,
  refused,
  statusOnly,
  studio,
  without,
  type Table,
} from '../case.ts';
import { tradeSeed } from '../tradeSeed.ts';

const UNKNOWN_COST = 'Invalid cost identifier';
const UNKNOWN_SUPPLIER = 'Invalid supplier identifier';
const cost = (inner: string): string => `<Cost>${inner}</Cost>`;
const PAINT =
  '<Cost><ID>21</ID><Description>Paint &amp; primer</Description><Code>00123</Code><Note>two\ncoats</Note><UnitCost>1.10</UnitCost><UnitPrice>2000.00</UnitPrice><IncomeAccount>200</IncomeAccount><CostOfSaleAccount>310</CostOfSaleAccount><Supplier><ID>301</ID><Name>Paper &amp; Co</Name></Supplier></Cost>';
const REBATE =
  '<Cost><ID>22</ID><Description>Rebate</Description><Code></Code><Note></Note><UnitCost>-12.50</UnitCost><UnitPrice>0.00</UnitPrice></Cost>';

export const costs: Table = {
  title: 'the catalogue of costs',
  seed: [tradeSeed],
  cases: [
    studio(
      'all costs in one list, counted',
      get(
        'cost.api/list',
        ok(
          `<Records>232</Records><Costs>${PAINT}${REBATE}`,
          '<ID>6098</ID>',
          '<ID>6099</ID>',
          '<ID>6197</ID>',
          '<ID>6198</ID>',
          '<UnitCost>229.05</UnitCost><UnitPrice>0.00</UnitPrice></Cost></Costs></Response>',
        ),
      ),
    ),
    studio(
      'one page of them, where a program asks for it',
      get(
        'cost.api/list?page=1',
        without(ok('<Records>232</Records>', PAINT, '<ID>6097</ID>'), '<ID>6098</ID>'),
      ),
      get('cost.api/list?Page=3', without(ok('<ID>6198</ID>', '<ID>6229</ID>'), '<ID>6197</ID>')),
      get('cost.api/list?page=4', exactly('<Records>232</Records><Costs />')),
    ),
    studio(
      'one cost',
      get('cost.api/get/21', exactly(PAINT)),
      get('cost.api/get/22/', exactly(REBATE)),
      get('cost.api/get/999999999', refused(UNKNOWN_COST)),
      get('cost.api/get/x', refused(UNKNOWN_COST)),
    ),
    studio(
      'a new cost, changed and deleted',
      post(
        'cost.api/add',
        cost(
          '<unitprice>20</unitprice><Description>Gold &lt;leaf&gt;</Description><Code>1.10</Code><Note>one\r\ntwo</Note><UnitCost>12.345</UnitCost><SupplierID>301</SupplierID><Colour>red</Colour>',
        ),
        ok(
          '<Description>Gold &lt;leaf&gt;</Description><Code>1.10</Code><Note>one\ntwo</Note><UnitCost>12.35</UnitCost><UnitPrice>20.00</UnitPrice><Supplier><ID>301</ID><Name>Paper &amp; Co</Name></Supplier></Cost>',
        ),
      ),
      get('cost.api/get/{new Cost}', ok('<Description>Gold &lt;leaf&gt;</Description>')),
      put(
        'cost.api/update',
        cost('<ID>{new Cost}</ID><Note></Note><UnitCost>-1</UnitCost><SupplierID></SupplierID>'),
        ok('<Code>1.10</Code><Note></Note><UnitCost>-1.00</UnitCost><UnitPrice>20.00</UnitPrice></Cost>'),
      ),
      put(
        'cost.api/update',
        cost('<ID>{new Cost}</ID><SupplierID>5000</SupplierID>'),
        ok('<UnitCost>-1.00</UnitCost>', '<Supplier><ID>5000</ID><Name>Supplier 0</Name></Supplier>'),
      ),
      post('cost.api/delete', cost('<ID>{new Cost}</ID>'), statusOnly),
      get('cost.api/get/{new Cost}', refused(UNKNOWN_COST)),
      put('cost.api/update', cost('<ID>{new Cost}</ID><Code>x</Code>'), refused(UNKNOWN_COST)),
    ),
    studio(
      'costs that cannot be',
      post('cost.api/add', cost('<Code>x</Code>'), missing('/Cost/Description')),
      post('cost.api/add', '', missing('/Cost/Description')),
      post(
        'cost.api/add',
        cost('<Description>x</Description><UnitCost>much</UnitCost>'),
        refused('Invalid value for UnitCost'),
      ),
      post(
        'cost.api/add',
        cost('<Description>x</Description><SupplierID>999999999</SupplierID>'),
        refused(UNKNOWN_SUPPLIER),
      ),
      put('cost.api/update', cost('<Description>x</Description>'), missing('/Cost/ID')),
      put('cost.api/update', cost('<ID>21</ID><Description> </Description>'), missing('/Cost/Description')),
      put('cost.api/update', cost('<ID>999999999</ID>'), refused(UNKNOWN_COST)),
      post('cost.api/delete', cost(''), missing('/Cost/ID')),
      post('cost.api/delete', cost('<ID>999999999</ID>'), refused(UNKNOWN_COST)),
      get('cost.api/get/21', exactly(PAINT)),
    ),
    studio(
      'every cost at once',
      post('cost.api/deleteall', '', missing('/DeleteAll')),
      post('cost.api/deleteall', cost('<ID>21</ID>'), missing('/DeleteAll')),
      get('cost.api/get/21', exactly(PAINT)),
      post('cost.api/deleteall', '<deleteall />', statusOnly),
      get('cost.api/list', exactly('<Records>0</Records><Costs />')),
      get('cost.api/get/21', refused(UNKNOWN_COST)),
    ),
  ],
};
