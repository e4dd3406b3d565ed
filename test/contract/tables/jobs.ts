import { exactly, fails, get, ok, refused, studio, without, type Table } from '../case.ts';
import { jobLosses } from '../jobLosses.ts';
import { jobSeed } from '../jobSeed.ts';

const UNKNOWN_JOB = 'Invalid job identifier';

const SHOP_FRONT =
  '<Job><ID>J000159</ID><Name>Shop front &amp; van</Name><Description>Two windows,\none door</Description>' +
  '<Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client><ClientOrderNumber>00417</ClientOrderNumber>' +
  '<Budget>596000.10</Budget><State>In Progress</State><Type>Signs &amp; lettering</Type>' +
  '<StartDate>2026-11-02T00:00:00</StartDate><DueDate>2026-12-18T00:00:00</DueDate>' +
  '<Contact><ID>193</ID><Name>Ben Example</Name></Contact><Manager><ID>7</ID><Name>Ada Example</Name></Manager>' +
  '<Partner><ID>8</ID><Name>Bo Example</Name></Partner><InternalID>3000159</InternalID>' +
  '<Assigned><Staff><ID>8</ID><Name>Bo Example</Name></Staff><Staff><ID>7</ID><Name>Ada Example</Name></Staff></Assigned>';

const LETTERING =
  '<Task><ID>401</ID><Name>Lettering</Name><TaskID>71</TaskID><EstimatedMinutes>480</EstimatedMinutes>' +
  '<ActualMinutes>95</ActualMinutes><Description>Gold\non green</Description><Completed>false</Completed>' +
  '<Billable>true</Billable><Folder>Windows</Folder><StartDate>2026-11-03T00:00:00</StartDate>' +
  '<DueDate>2026-11-10T00:00:00</DueDate><Assigned><Staff><ID>7</ID><Name>Ada Example</Name>' +
  '<AllocatedMinutes>300</AllocatedMinutes></Staff></Assigned></Task>';

const CLEAN_UP =
  '<Task><ID>402</ID><Name>Clean up</Name><TaskID></TaskID><EstimatedMinutes>0</EstimatedMinutes>' +
  '<ActualMinutes>0</ActualMinutes><Description></Description><Completed>true</Completed>' +
  '<Billable>false</Billable><Folder></Folder><Assigned /></Task>';

const DETAIL =
  `<Tasks>${LETTERING}${CLEAN_UP}</Tasks>` +
  '<Milestones><Milestone><Date>2026-11-20T00:00:00</Date><Description>Half &lt; done</Description>' +
  '<Completed>true</Completed><Folder>All</Folder></Milestone></Milestones>' +
  '<Notes><Note><ID>611</ID><Title>Colours &amp; more</Title><Text>Line one\nline two</Text><Folder>Design</Folder>' +
  '<Date>2026-11-04T09:15:00</Date><CreatedBy>Ada Example</CreatedBy><Comments><Comment><ID>621</ID>' +
  '<Text>Agreed</Text><Date>2026-11-05T10:00:00</Date><CreatedBy>Bo Example</CreatedBy></Comment></Comments></Note>' +
  '<Note><ID>612</ID><Title>Empty</Title><Text></Text><Folder></Folder><Date>2026-11-06T00:00:00</Date>' +
  '<CreatedBy></CreatedBy><Comments /></Note></Notes>';

const BARE =
  '<Job><ID>J000161</ID><Name>Bare</Name><Description></Description><Client><ID>1000001</ID><Name>Łódź Holdings</Name></Client>' +
  '<ClientOrderNumber></ClientOrderNumber><State>Planned</State><StartDate>2026-11-10T00:00:00</StartDate>' +
  '<DueDate></DueDate><InternalID>3000161</InternalID><Assigned />';

/** What is read of jobs and of the settings they draw on. */
export const jobs: Table = {
  title: 'jobs: reads',
  seed: [jobSeed],
  losses: jobLosses,
  cases: [
    studio(
      'categories and templates',
      get(
        'category.api/list',
        exactly(
          '<Categories><Category><ID>3</ID><Name>Signs &amp; lettering</Name></Category><Category><ID>4</ID><Name>Größer als A &gt; B</Name></Category></Categories>',
        ),
      ),
      get(
        'template.api/list',
        exactly(
          '<Templates><Template><ID>21</ID><Name>Shop front</Name></Template><Template><ID>22</ID><Name>Year end "2026"</Name></Template></Templates>',
        ),
      ),
    ),
    studio(
      'the catalogue of tasks, which are not those of jobs',
      get(
        'task.api/list',
        exactly(
          '<TaskList><Task><ID>71</ID><Name>Lettering</Name><Description>Foil, cut\nand applied</Description></Task><Task><ID>72</ID><Name>Travel &amp; set-up</Name><Description></Description></Task></TaskList>',
        ),
      ),
      get(
        'task.api/get/72',
        exactly('<Task><ID>72</ID><Name>Travel &amp; set-up</Name><Description></Description></Task>'),
      ),
      get('task.api/get/401', refused('Invalid task identifier')),
      get('task.api/get/abc', refused('Invalid task identifier')),
    ),
    studio(
      'current jobs, short and in detail',
      get('job.api/current', exactly(`<Jobs>${SHOP_FRONT}</Job>${BARE}</Job></Jobs>`)),
      get(
        'job.api/current?detailed=true',
        exactly(`<Jobs>${SHOP_FRONT}${DETAIL}</Job>${BARE}<Tasks /><Milestones /><Notes /></Job></Jobs>`),
      ),
      get('job.api/current?detailed=false&modifiedsinceutc=2026-11-11T00:00:00', ok('<ID>J000161</ID>')),
      get('job.api/current?modifiedsinceutc=2027-01-01T00:00:00', exactly('<Jobs />')),
    ),
    studio(
      'jobs of a span of days',
      get('job.api/list?from=20261101&to=20261130', exactly(`<Jobs>${SHOP_FRONT}</Job>${BARE}</Job></Jobs>`)),
      get(
        'job.api/list?from=20260901&to=20261015&detailed=true',
        without(
          ok(
            '<Budget>0.00</Budget><State>Completed</State>',
            '<CompletedDate>2026-10-30T00:00:00</CompletedDate><InternalID>3000160</InternalID><Assigned /><Tasks><Task><ID>403</ID>',
          ),
          'J000159',
          'TotalRecords',
        ),
      ),
      get('job.api/list?from=20260101&to=20260102', exactly('<Jobs />')),
      get('job.api/list?from=20261101&to=20261130&modifiedsinceutc=2026-11-11T00:00:00', ok('J000161')),
    ),
    studio(
      'a span without its ends',
      get('job.api/list?to=20261130', fails(500, 'The parameter from is required')),
      get('job.api/list?from=20261101&to=', fails(500, 'The parameter to is required')),
    ),
    studio(
      'one job by its number',
      get('job.api/get/J000159', exactly(`${SHOP_FRONT}${DETAIL}</Job>`)),
      get('job.api/get/J000161/', exactly(`${BARE}<Tasks /><Milestones /><Notes /></Job>`)),
      get('job.api/get/J999999', refused(UNKNOWN_JOB)),
      get('job.api/get/3000159', refused(UNKNOWN_JOB)),
    ),
    studio(
      'the jobs of a staff member',
      get('job.api/staff/7', exactly(`<Jobs>${SHOP_FRONT}</Job></Jobs>`)),
      get('job.api/staff/9', exactly('<Jobs />')),
      get('job.api/staff/999', refused('Invalid staff identifier')),
      get('job.api/staff/00000000-0000-4000-8000-00000000dead', refused('Invalid staff identifier')),
    ),
    studio(
      'the jobs of a client',
      get('job.api/client/1000001', ok('<ID>J000160</ID>', '<InternalID>3000160</InternalID>', BARE)),
      get('job.api/client/1000002', exactly('<Jobs />')),
      get('job.api/client/999', refused('Invalid client identifier')),
    ),
    studio(
      'tasks by state and dates',
      get('job.api/tasks', exactly(`<Jobs>${SHOP_FRONT}<Tasks>${LETTERING}${CLEAN_UP}</Tasks></Job></Jobs>`)),
      get(
        'job.api/tasks?complete=true',
        exactly(`<Jobs>${SHOP_FRONT}<Tasks>${CLEAN_UP}</Tasks></Job></Jobs>`),
      ),
      get(
        'job.api/tasks?complete=false&due=20261130&start=20261101',
        exactly(`<Jobs>${SHOP_FRONT}<Tasks>${LETTERING}</Tasks></Job></Jobs>`),
      ),
      get('job.api/tasks?due=20261109', exactly('<Jobs />')),
      get('job.api/tasks?complete=perhaps', refused('Invalid value for complete')),
    ),
    studio(
      'the documents of a job, and their files',
      get(
        'job.api/documents/J000159',
        ok(
          '<Documents><Document><Title>Plan</Title><Text>As &lt;built&gt;</Text><Folder>Drawings</Folder><Date>20261104</Date><CreatedBy>Ada Example</CreatedBy><URL>',
        ),
      ),
      get('job.api/documents/J000161', exactly('<Documents />')),
      get('job.api/documents/J999999', refused(UNKNOWN_JOB)),
    ),
    studio(
      'the costs of a job',
      get(
        'job.api/costs/J000159',
        ok(
          '<Costs><Cost><ID>421</ID><Description>Paint &amp; primer</Description><Quantity>2.50</Quantity><UnitCost>19.90</UnitCost><UnitPrice>-0.05</UnitPrice><Date>2026-11-05T00:00:00</Date><Code>P-01</Code><Note>Two coats\nat least</Note><Billable>true</Billable><Supplier><ID>301</ID><Name>Paper &amp; Co</Name></Supplier></Cost><Cost><ID>422</ID>',
          '<Billable>false</Billable></Cost></Costs>',
        ),
      ),
      get('job.api/costs/J000161', exactly('<Costs />')),
      get('job.api/costs/J999999', refused(UNKNOWN_JOB)),
    ),
  ],
};
