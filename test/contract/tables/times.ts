import {
  del,
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
import { tradeSeed } from '../tradeSeed.ts';

const UNKNOWN_TIME = 'Invalid time identifier';
const UNKNOWN_TASK = 'Invalid task identifier';
const sheet = (inner: string): string => `<Timesheet>${inner}</Timesheet>`;
const JOB = '<Job>J000101</Job>';
const TASK = '<Task>401</Task>';
const STAFF = '<Staff>7</Staff>';
const DATE = '<Date>20261119</Date>';
const MINUTES = '<Minutes>30</Minutes>';

const SHOP = '<Job><ID>J000101</ID><Name>Shop front</Name></Job>';
const ADA = '<Staff><ID>7</ID><Name>Ada Example</Name></Staff>';
const BO = '<Staff><ID>8</ID><Name>Bo Example</Name></Staff>';
const LETTERING = '<Task><ID>401</ID><Name>Lettering</Name></Task>';
const CLEANING = '<Task><ID>402</ID><Name>Cleaning</Name></Task>';
const FIRST = `<Time><ID>431</ID>${SHOP}${LETTERING}${ADA}<Date>2026-11-02T00:00:00</Date><Minutes>90</Minutes><Note>Zoë: 5 &lt; 6\nsecond line</Note><Billable>true</Billable><Start>09:05</Start><End>10:35</End></Time>`;
const SECOND = `<Time><ID>432</ID>${SHOP}${CLEANING}${BO}<Date>2026-11-03T00:00:00</Date><Minutes>0</Minutes><Note></Note><Billable>false</Billable></Time>`;

export const times: Table = {
  title: 'time entries',
  seed: [tradeSeed],
  cases: [
    studio(
      'the time of a range of days',
      get('time.api/list?from=20261101&to=20261130', exactly(`<Times>${FIRST}${SECOND}</Times>`)),
      get('time.api/list?TO=20261102&FROM=2026-11-02', exactly(`<Times>${FIRST}</Times>`)),
      get('time.api/list?from=20200101&to=20200102', exactly('<Times />')),
    ),
    studio(
      'the time of a job, with and without days',
      get('time.api/job/J000101', exactly(`<Times>${FIRST}${SECOND}</Times>`)),
      get('time.api/job/J000101?from=20261103', exactly(`<Times>${SECOND}</Times>`)),
      get('time.api/job/J000101?to=20261102', exactly(`<Times>${FIRST}</Times>`)),
      get('time.api/job/J000103', exactly('<Times />')),
      get('time.api/job/J999999', refused('Invalid job identifier')),
      get('time.api/job/J000101?from=soon', refused('Invalid value for from')),
    ),
    studio(
      'the time of a member of staff',
      get('time.api/staff/7?from=20261101&to=20261231', ok('<ID>431</ID>', '<ID>433</ID>')),
      get('time.api/staff/8/?from=20261101&to=20261231', exactly(`<Times>${SECOND}</Times>`)),
      get('time.api/staff/999?from=20261101&to=20261231', refused('Invalid staff identifier')),
      get(
        'time.api/staff/00000000-0000-4000-8000-00000000dead?from=20261101&to=20261231',
        refused('Invalid staff identifier'),
      ),
    ),
    studio(
      'a range of days that is none',
      get('time.api/list', fails(500, 'The parameter from is required')),
      get('time.api/list?from=20261101', fails(500, 'The parameter to is required')),
      get('time.api/list?from=20261101&to=20261332', fails(500, 'Invalid value for to')),
      get('time.api/staff/7', fails(500, 'The parameter from is required')),
    ),
    studio(
      'one time entry',
      get('time.api/get/431', exactly(FIRST)),
      get('time.api/get/432', exactly(SECOND)),
      get('time.api/get/999999999', refused(UNKNOWN_TIME)),
      get('time.api/get/J000101', refused(UNKNOWN_TIME)),
    ),
    studio(
      'a new entry, changed, moved to another job, and deleted',
      post(
        'time.api/add',
        sheet(`${JOB}${TASK}${STAFF}${DATE}${MINUTES}<Note>one\r\ntwo &amp; three</Note>`),
        ok(
          `${SHOP}${LETTERING}${ADA}<Date>2026-11-19T00:00:00</Date><Minutes>30</Minutes><Note>one\ntwo &amp; three</Note><Billable>true</Billable></Time>`,
        ),
      ),
      get('time.api/get/{new Time}', ok('<Minutes>30</Minutes>')),
      put(
        'time.api/update',
        sheet('<ID>{new Time}</ID><Minutes>45</Minutes><Start>13:00</Start><End>825</End><Staff>8</Staff>'),
        ok(BO, '<Minutes>45</Minutes>', '<Start>13:00</Start><End>13:45</End>'),
      ),
      put(
        'time.api/update',
        sheet('<ID>{new Time}</ID><Job>J000102</Job><Task>403</Task><Start></Start><End/>'),
        without(ok('<Job><ID>J000102</ID><Name>Kiosk</Name></Job><Task><ID>403</ID>'), '<Start>', '<End>'),
      ),
      put(
        'time.api/update',
        sheet('<ID>{new Time}</ID><Job/><Task></Task><Staff/><Date></Date><Note>kept</Note>'),
        ok('<Task><ID>403</ID>', `${BO}<Date>2026-11-19T00:00:00</Date>`, '<Note>kept</Note>'),
      ),
      put('time.api/update', sheet('<ID>{new Time}</ID><Task>401</Task>'), refused(UNKNOWN_TASK)),
      del('time.api/delete/{new Time}', statusOnly),
      get('time.api/get/{new Time}', refused(UNKNOWN_TIME)),
      del('time.api/delete/{new Time}', refused(UNKNOWN_TIME)),
    ),
    studio(
      'PUT on the add method, a slash behind it, the words in any case',
      put(
        'time.api/add/',
        '<TIMESHEET><JOB>J000101</JOB><TASK> 402 </TASK><STAFF>8</STAFF><DATE>2026-11-19</DATE><START>9:05</START><END>09:35:00</END></TIMESHEET>',
        ok(`${SHOP}${CLEANING}${BO}`, '<Minutes>30</Minutes>', '<Start>09:05</Start><End>09:35</End>'),
        { headers: { 'Content-Type': 'application/x-www-form-urlencoded', Accept: '*/*' } },
      ),
      put('time.api/add', sheet(`${JOB}${TASK}${STAFF}${DATE}${MINUTES}`), ok('<Minutes>30</Minutes>')),
    ),
    studio(
      'entries that cannot be',
      post('time.api/add', sheet(`${TASK}${STAFF}${DATE}${MINUTES}`), missing('/Timesheet/Job')),
      post('time.api/add', sheet(`${JOB}${STAFF}${DATE}${MINUTES}`), missing('/Timesheet/Task')),
      post('time.api/add', sheet(`${JOB}${TASK}${DATE}${MINUTES}`), missing('/Timesheet/Staff')),
      post('time.api/add', sheet(`${JOB}${TASK}${STAFF}${MINUTES}`), missing('/Timesheet/Date')),
      post('time.api/add', sheet(`${JOB}${TASK}${STAFF}${DATE}`), missing('/Timesheet/Minutes')),
      post('time.api/add', '', missing('/Timesheet/Job')),
      post('time.api/add', '<Time/>', missing('/Timesheet/Job')),
      post(
        'time.api/add',
        sheet(`<Job>J9</Job>${TASK}${STAFF}${DATE}${MINUTES}`),
        refused('Invalid job identifier'),
      ),
      post('time.api/add', sheet(`${JOB}<Task>403</Task>${STAFF}${DATE}${MINUTES}`), refused(UNKNOWN_TASK)),
      post('time.api/add', sheet(`${JOB}<Task>999</Task>${STAFF}${DATE}${MINUTES}`), refused(UNKNOWN_TASK)),
      post(
        'time.api/add',
        sheet(`${JOB}${TASK}<Staff>999</Staff>${DATE}${MINUTES}`),
        refused('Invalid staff identifier'),
      ),
      post(
        'time.api/add',
        sheet(`${JOB}${TASK}${STAFF}<Date>soon</Date>${MINUTES}`),
        refused('Invalid value for Date'),
      ),
      post(
        'time.api/add',
        sheet(`${JOB}${TASK}${STAFF}${DATE}<Minutes>-1</Minutes>`),
        refused('Invalid value for Minutes'),
      ),
      put('time.api/update', sheet(MINUTES), missing('/Timesheet/ID')),
      put('time.api/update', sheet(`<ID>999999999</ID>${MINUTES}`), refused(UNKNOWN_TIME)),
      get('time.api/add', fails(405, 'This method does not accept the HTTP verb used')),
    ),
    studio(
      'time for a task that has a label',
      put('job.api/task', '<Task><ID>401</ID><Label>Gold</Label></Task>', statusOnly),
      get('time.api/list?from=20261102&to=20261102', ok('<Task><ID>401</ID><Name>Gold</Name></Task>')),
    ),
  ],
};
