import {
  exactly,
  fails,
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
import { staffLosses } from '../moneyLosses.ts';
import { studioSeed } from '../seed.ts';

const UNKNOWN_STAFF = 'Invalid staff identifier';
const staff = (inner: string): string => `<Staff>${inner}</Staff>`;

const staffSeed = {
  ...studioSeed,
  staff: [
    { number: 7, name: 'Ada Example', email: 'ada@studio.example', phone: '+64 4 555', mobile: '0210' },
    { number: 8, name: 'Bo <Example> & Söhne 😀', address: '1 High Street\nFloor 2', payrollCode: '0042' },
    { number: 2_000_000_000, name: 'Large number' },
  ],
};

const ada =
  '<ID>7</ID><Name>Ada Example</Name><Email>ada@studio.example</Email><Phone>+64 4 555</Phone><Mobile>0210</Mobile><Address></Address><PayrollCode></PayrollCode>';
const bo =
  '<ID>8</ID><Name>Bo &lt;Example&gt; &amp; Söhne 😀</Name><Email></Email><Phone></Phone><Mobile></Mobile><Address>1 High Street\nFloor 2</Address><PayrollCode>0042</PayrollCode>';
const keyMethods = ['delete', 'enable', 'disable', 'forgottenpassword'];

export const staffMembers: Table = {
  title: 'staff',
  seed: [staffSeed],
  losses: staffLosses,
  cases: [
    studio(
      'all of them',
      get(
        'staff.api/list',
        exactly(
          `<StaffList>${staff(ada)}${staff(bo)}<Staff><ID>2000000000</ID><Name>Large number</Name><Email></Email><Phone></Phone><Mobile></Mobile><Address></Address><PayrollCode></PayrollCode></Staff></StaffList>`,
        ),
      ),
    ),
    studio(
      'one of them',
      get('staff.api/get/7', exactly(staff(ada))),
      get('staff.api/get/8/', exactly(staff(bo))),
      get('staff.api/get/2000000000', ok('<Name>Large number</Name>')),
    ),
    ...['999999999', '0', 'abc', '1000000', '9'].map((id) =>
      studio(`a member that is none: ${id}`, get(`staff.api/get/${id}`, refused(UNKNOWN_STAFF))),
    ),
    studio(
      'a member with nothing but a name',
      post(
        'staff.api/add',
        staff('<Name>Only a name</Name>'),
        ok(
          '<Name>Only a name</Name><Email></Email><Phone></Phone><Mobile></Mobile><Address></Address><PayrollCode></PayrollCode></Staff>',
        ),
      ),
      get('staff.api/get/{new Staff}', ok('<Name>Only a name</Name>')),
      get('staff.api/list', ok('<Name>Only a name</Name>')),
    ),
    studio(
      'a member with every element, in another order and case; the rest is ignored',
      post(
        'staff.api/add/',
        '<?xml version="1.0"?>\n<staff xmlns="http://tempuri.org/">\n  <ID>7</ID>\n  <PAYROLLCODE>00123</PAYROLLCODE>\n  <Role>Painter</Role>\n  <Address>1 A\r\nB</Address>\n  <Mobile>1e5</Mobile>\n  <Phone>true</Phone>\n  <EMail>c@x.example</EMail>\n  <Name>Cem &#220;nal &amp; <![CDATA[<all>]]></Name>\n</staff>',
        ok(
          '<Name>Cem Ünal &amp; &lt;all&gt;</Name><Email>c@x.example</Email><Phone>true</Phone><Mobile>1e5</Mobile><Address>1 A\nB</Address><PayrollCode>00123</PayrollCode></Staff>',
        ),
        { headers: { 'Content-Type': 'application/x-www-form-urlencoded' } },
      ),
      get('staff.api/get/{new Staff}', ok('<PayrollCode>00123</PayrollCode>')),
      get('staff.api/get/7', exactly(staff(ada))),
    ),
    studio(
      'a member needs a name',
      ...['', '<Staff/>', staff('<Name> </Name>'), '<Person><Name>n</Name></Person>'].map((body) =>
        post('staff.api/add', body, missing('/Staff/Name')),
      ),
    ),
    studio(
      'who has just been added looks after a client',
      post('staff.api/add', staff('<Name>Dee</Name>'), ok('<Name>Dee</Name>')),
      post(
        'client.api/add',
        '<Client><Name>Looked after</Name><AccountManagerID>{new Staff}</AccountManagerID></Client>',
        ok('<AccountManager><ID>', '<Name>Dee</Name></AccountManager>'),
      ),
    ),
    studio(
      'a change keeps what is absent and clears what is empty',
      put(
        'staff.api/update',
        staff('<Mobile/><ID> 7 </ID><Phone>1</Phone>'),
        exactly(
          staff(
            '<ID>7</ID><Name>Ada Example</Name><Email>ada@studio.example</Email><Phone>1</Phone><Mobile></Mobile><Address></Address><PayrollCode></PayrollCode>',
          ),
        ),
      ),
      put(
        'staff.api/update',
        staff('<ID>7</ID><Name>Ada Changed</Name><Phone>+64 4 555</Phone><Mobile>0210</Mobile>'),
        ok('<Name>Ada Changed</Name>'),
      ),
      get('client.api/get/1000000', ok('<AccountManager><ID>7</ID><Name>Ada Changed</Name>')),
      put('staff.api/update', staff('<ID>7</ID><Name>Ada Example</Name>'), exactly(staff(ada))),
    ),
    studio(
      'a change that cannot be',
      put('staff.api/update', staff('<Name>n</Name>'), missing('/Staff/ID')),
      put('staff.api/update', '', missing('/Staff/ID')),
      put('staff.api/update', '<Person><ID>7</ID></Person>', missing('/Staff/ID')),
      put('staff.api/update', staff('<ID>7</ID><Name></Name>'), missing('/Staff/Name')),
      put('staff.api/update', staff('<ID>999999999</ID><Name>n</Name>'), refused(UNKNOWN_STAFF)),
      put('staff.api/update', staff('<ID>Ada</ID>'), refused(UNKNOWN_STAFF)),
      get('staff.api/get/7', exactly(staff(ada))),
    ),
    studio(
      'the letter for a new password',
      post('staff.api/forgottenpassword', staff('<ID>7</ID>'), statusOnly),
      post(
        'staff.api/ForgottenPassword',
        staff('<ID>8</ID>'),
        refused('The staff member has no email address'),
      ),
    ),
    studio(
      'shut out and let in again; the list has everybody',
      post('staff.api/disable', staff('<ID>8</ID>'), statusOnly),
      get('staff.api/list', ok(staff(bo))),
      post('staff.api/enable', staff('<ID>8</ID><Security>Administrator</Security>'), statusOnly),
      post('staff.api/enable/', staff('<id>8</id>'), statusOnly),
      get('staff.api/get/8', exactly(staff(bo))),
    ),
    ...keyMethods.map((method) =>
      studio(
        `${method} needs a member`,
        post(`staff.api/${method}`, '', missing('/Staff/ID')),
        post(`staff.api/${method}`, staff('<Name>Ada Example</Name>'), missing('/Staff/ID')),
        post(`staff.api/${method}`, staff('<ID>999999999</ID>'), refused(UNKNOWN_STAFF)),
        get(`staff.api/${method}`, fails(405, 'This method does not accept the HTTP verb used')),
      ),
    ),
    studio(
      'a deleted member is gone; what named it goes on naming it',
      post('staff.api/delete', staff('<ID>7</ID>'), statusOnly),
      get('staff.api/get/7', refused(UNKNOWN_STAFF)),
      get('staff.api/list', without(ok('<ID>8</ID>'), '<ID>7</ID>')),
      post('staff.api/delete', staff('<ID>7</ID>'), refused(UNKNOWN_STAFF)),
      get('client.api/get/1000000', ok('<AccountManager><ID>7</ID><Name>Ada Example</Name>')),
    ),
  ],
};
