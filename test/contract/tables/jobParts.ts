import { exactly, get, missing, ok, post, put, refused, statusOnly, studio, type Table } from '../case.ts';
import { jobPartLosses } from '../jobLosses.ts';
import { jobSeed } from '../jobSeed.ts';

const UNKNOWN_JOB = 'Invalid job identifier';
const UNKNOWN_TASK = 'Invalid task identifier';
const job = (inner: string): string => `<Job>${inner}</Job>`;
const task = (inner: string): string => `<Task>${inner}</Task>`;
const cost = (inner: string): string => `<Cost>${inner}</Cost>`;
const SIGN = 'UGxhbiBmw7xyIFpvw6sNCg==';

/** What joins a job: tasks, costs, notes, documents, quotes. */
export const jobParts: Table = {
  title: 'jobs: what belongs to them',
  seed: [jobSeed],
  losses: jobPartLosses,
  cases: [
    studio(
      'a task of the catalogue joins a job, is changed, done and not done',
      post(
        'job.api/task',
        task(
          '<Job>J000159</Job><TaskID>72</TaskID><Label>Über &amp; out</Label><Description><![CDATA[5 < 6]]></Description><EstimatedMinutes>120</EstimatedMinutes><StartDate>20261123</StartDate><DueDate>20261127</DueDate>',
        ),
        ok('<Status>OK</Status><ID>'),
      ),
      get(
        'job.api/get/J000159',
        ok(
          '<Name>Über &amp; out</Name><TaskID>72</TaskID><EstimatedMinutes>120</EstimatedMinutes><ActualMinutes>0</ActualMinutes><Description>5 &lt; 6</Description><Completed>false</Completed>',
        ),
      ),
      put(
        'job.api/task',
        task('<ID>{new Task}</ID><Label></Label><EstimatedMinutes>90</EstimatedMinutes><DueDate/>'),
        statusOnly,
      ),
      put('job.api/task/{new Task}/complete', '', statusOnly),
      get(
        'job.api/tasks?complete=true',
        ok('<Name>Travel &amp; set-up</Name><TaskID>72</TaskID><EstimatedMinutes>90</EstimatedMinutes>'),
      ),
      put('job.api/task/{new Task}/reopen', '<Task/>', statusOnly),
      get('job.api/tasks?complete=false', ok('<TaskID>72</TaskID>')),
      put(
        'job.api/reordertasks',
        job('<ID>J000159</ID><Tasks><Task><ID>{new Task}</ID></Task><Task><ID>402</ID></Task></Tasks>'),
        statusOnly,
      ),
      get('job.api/get/J000159', ok('</Task><Task><ID>402</ID>', '</Task><Task><ID>401</ID>')),
    ),
    studio(
      'tasks that cannot be',
      post('job.api/task', task('<TaskID>72</TaskID>'), missing('/Task/Job')),
      post('job.api/task', task('<Job>J000159</Job>'), missing('/Task/TaskID')),
      post('job.api/task', task('<Job>J000159</Job><TaskID>401</TaskID>'), refused(UNKNOWN_TASK)),
      post('job.api/task', task('<Job>J9</Job><TaskID>72</TaskID>'), refused(UNKNOWN_JOB)),
      put('job.api/task', task('<Label>x</Label>'), missing('/Task/ID')),
      put('job.api/task', task('<ID>72</ID><Label>x</Label>'), refused(UNKNOWN_TASK)),
      put(
        'job.api/task',
        task('<ID>401</ID><EstimatedMinutes>-1</EstimatedMinutes>'),
        refused('Invalid value for EstimatedMinutes'),
      ),
      put('job.api/task/72/complete', '', refused(UNKNOWN_TASK)),
      put('job.api/task/abc/reopen', '', refused(UNKNOWN_TASK)),
      put('job.api/reordertasks', job('<ID>J000159</ID>'), missing('/Job/Tasks/Task')),
      put('job.api/reordertasks', job('<ID>J000159</ID><Tasks/>'), missing('/Job/Tasks/Task')),
      put(
        'job.api/reordertasks',
        job('<ID>J000159</ID><Tasks><Task/></Tasks>'),
        missing('/Job/Tasks/Task/ID'),
      ),
      put(
        'job.api/reordertasks',
        job('<ID>J000159</ID><Tasks><Task><ID>403</ID></Task></Tasks>'),
        refused(UNKNOWN_TASK),
      ),
    ),
    studio(
      'notes and documents',
      post(
        'job.api/note',
        '<Note><Job>J000161</Job><Title>Call &amp; visit</Title><Text>Line one\r\nline two 😀</Text><Folder>Visits</Folder><Public>true</Public></Note>',
        statusOnly,
      ),
      get(
        'job.api/get/J000161',
        ok(
          '<Title>Call &amp; visit</Title><Text>Line one\nline two 😀</Text><Folder>Visits</Folder><Date>2026-11-20T09:',
          '</Date><CreatedBy>API</CreatedBy><Comments /></Note></Notes>',
        ),
      ),
      post('job.api/note', '<Note><Title>t</Title></Note>', missing('/Note/Job')),
      post('job.api/note', '<Note><Job>J000161</Job></Note>', missing('/Note/Title')),
      post('job.api/note', '<Note><Job>J9</Job><Title>t</Title></Note>', refused(UNKNOWN_JOB)),
      post(
        'job.api/document',
        `<Document><Job>J000161</Job><Title>Scan</Title><Folder>Scans</Folder><Filename>scan.txt</Filename><Content>${SIGN}</Content><Public>false</Public></Document>`,
        statusOnly,
      ),
      get(
        'job.api/documents/J000161',
        ok(
          '<Title>Scan</Title><Text></Text><Folder>Scans</Folder><Date>20261120</Date><CreatedBy>API</CreatedBy><URL>',
        ),
      ),
      post('job.api/document', '<Document><Title>t</Title></Document>', missing('/Document/Job')),
      post('job.api/document', '<Document><Job>J000161</Job></Document>', missing('/Document/Title')),
      post(
        'job.api/document',
        '<Document><Job>J000161</Job><Title>t</Title><FileName>f</FileName></Document>',
        missing('/Document/Content'),
      ),
    ),
    studio(
      'a cost is added and changed',
      post(
        'job.api/cost',
        cost(
          '<Job>J000161</Job><Description>Paint</Description><Date>20261105</Date><Code>P-01</Code><Quantity>2.5</Quantity><UnitCost>19.9</UnitCost><UnitPrice>29.855</UnitPrice><Billable>No</Billable><SupplierID>301</SupplierID>',
        ),
        ok('<Status>OK</Status><ID>'),
      ),
      put(
        'job.api/cost',
        cost(
          '<ID>{new Cost}</ID><Job>J000161</Job><Date></Date><Note>cheaper</Note><UnitCost>-1</UnitCost><SupplierID></SupplierID>',
        ),
        statusOnly,
      ),
      get(
        'job.api/costs/J000161',
        ok(
          '<Description>Paint</Description><Quantity>2.50</Quantity><UnitCost>-1.00</UnitCost><UnitPrice>29.86</UnitPrice><Date>2026-11-05T00:00:00</Date><Code>P-01</Code><Note>cheaper</Note><Billable>false</Billable></Cost>',
        ),
      ),
      put('job.api/cost', cost('<ID>421</ID><Quantity>4</Quantity>'), statusOnly),
      get(
        'job.api/costs/J000159',
        ok('<ID>421</ID><Description>Paint &amp; primer</Description><Quantity>4.00</Quantity>'),
      ),
    ),
    studio(
      'a new task and a new cost with empty elements get no defaults',
      post(
        'job.api/task',
        task(
          '<Job>J000161</Job><TaskID>71</TaskID><Label>Bare</Label><Description></Description><EstimatedMinutes/>',
        ),
        ok('<Status>OK</Status><ID>'),
      ),
      get(
        'job.api/get/J000161',
        ok(
          '<Name>Bare</Name><TaskID>71</TaskID><EstimatedMinutes>0</EstimatedMinutes><ActualMinutes>0</ActualMinutes><Description></Description>',
        ),
      ),
      post(
        'job.api/cost',
        cost('<Job>J000161</Job><Description>Gift</Description><Billable></Billable><Quantity/>'),
        ok('<Status>OK</Status><ID>'),
      ),
      get(
        'job.api/costs/J000161',
        ok('<Description>Gift</Description><Quantity>0.00</Quantity>', '<Billable>false</Billable></Cost>'),
      ),
    ),
    studio(
      'costs that cannot be',
      post('job.api/cost', cost('<Description>d</Description>'), missing('/Cost/Job')),
      post('job.api/cost', cost('<Job>J000161</Job>'), missing('/Cost/Description')),
      post('job.api/cost', cost('<Job>J9</Job><Description>d</Description>'), refused(UNKNOWN_JOB)),
      post(
        'job.api/cost',
        cost('<Job>J000161</Job><Description>d</Description><SupplierID>999</SupplierID>'),
        refused('Invalid supplier identifier'),
      ),
      post(
        'job.api/cost',
        cost('<Job>J000161</Job><Description>d</Description><Quantity>two</Quantity>'),
        refused('Invalid value for Quantity'),
      ),
      put('job.api/cost', cost('<Job>J000161</Job>'), missing('/Cost/ID')),
      put('job.api/cost', cost('<ID>999</ID>'), refused('Invalid cost identifier')),
      put('job.api/cost', cost('<ID>421</ID><Job>J000161</Job>'), refused(UNKNOWN_JOB)),
    ),
    studio(
      'a quote and an estimate of what a job holds',
      post('job.api/createquote/J000159', '', exactly('<ID>Q000001</ID>')),
      post('job.api/createestimate/J000159', '', exactly('<ID>Q000002</ID>')),
      post('job.api/createquote/J9', '', refused(UNKNOWN_JOB)),
      post('job.api/createestimate/J9', '', refused(UNKNOWN_JOB)),
    ),
  ],
};
