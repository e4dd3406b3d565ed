import { get, missing, ok, post, put, refused, statusOnly, studio, without, type Table } from '../case.ts';
import { jobWriteLosses } from '../jobLosses.ts';
import { jobSeed } from '../jobSeed.ts';

const UNKNOWN_JOB = 'Invalid job identifier';
const UNKNOWN_TASK = 'Invalid task identifier';
const job = (inner: string): string => `<Job>${inner}</Job>`;
const JOB = '<ID>J000161</ID>';

/** What is written of jobs themselves; each case works on what the ones before it left. */
export const jobWrites: Table = {
  title: 'jobs: writes',
  seed: [jobSeed],
  losses: jobWriteLosses,
  cases: [
    studio(
      'a new job, and the number it gets',
      post(
        'job.api/add',
        job(
          '<Name>Fjord &amp; Söhne</Name><ClientID>1000000</ClientID><Description>Line one\nline two</Description><ContactID>194</ContactID><CategoryID>4</CategoryID><StartDate>20261123</StartDate><DueDate>2026-12-18</DueDate><ClientNumber>00418</ClientNumber><Budget>1500.005</Budget><Unknown>x</Unknown>',
        ),
        ok(
          '<Job><ID>J000162</ID><Name>Fjord &amp; Söhne</Name><Description>Line one\nline two</Description><Client><ID>1000000</ID><Name>Example &amp; Sons</Name></Client><ClientOrderNumber>00418</ClientOrderNumber><Budget>1500.01</Budget><State>Planned</State><Type>Größer als A &gt; B</Type><StartDate>2026-11-23T00:00:00</StartDate><DueDate>2026-12-18T00:00:00</DueDate><Contact><ID>194</ID><Name>Cleo Example</Name></Contact><InternalID>',
          '<Assigned /><Tasks /><Milestones /><Notes /></Job>',
        ),
      ),
      get('job.api/get/J000162', ok('<Name>Fjord &amp; Söhne</Name>')),
      get('job.api/client/1000000', ok('<ID>J000159</ID>', '<ID>J000162</ID>')),
    ),
    studio(
      'a new job under a number of its own, from a template',
      post(
        'job.api/add',
        '<?xml version="1.0" encoding="utf-16"?>\r\n<Job xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">\r\n  <id>A77</id>\r\n  <clientid>1000001</clientid>\r\n  <name>From a template</name>\r\n  <startdate>20261123</startdate>\r\n  <TemplateID>21</TemplateID>\r\n</Job>',
        ok(
          '<Job><ID>A77</ID>',
          '<Name>Lettering</Name><TaskID>71</TaskID><EstimatedMinutes>60</EstimatedMinutes>',
          '<Name>Survey</Name><TaskID></TaskID>',
          '<Milestones><Milestone><Date>2026-11-30T00:00:00</Date><Description>Draft</Description>',
        ),
      ),
      get(
        'job.api/costs/A77',
        ok('<Description>Foil</Description><Quantity>3.00</Quantity>', '<ID>301</ID>'),
      ),
      post(
        'job.api/add',
        job('<Name>n</Name><ClientID>1000001</ClientID><ID>A77</ID>'),
        refused('The job number A77 is already in use'),
      ),
    ),
    studio(
      'jobs that cannot be',
      post('job.api/add', job('<ClientID>1000000</ClientID>'), missing('/Job/Name')),
      post('job.api/add', job('<Name>n</Name><ClientID> </ClientID>'), missing('/Job/ClientID')),
      post('job.api/add', '<Work><Name>n</Name></Work>', missing('/Job/Name')),
      post('job.api/add', '', missing('/Job/Name')),
      post(
        'job.api/add',
        job('<Name>n</Name><ClientID>999</ClientID>'),
        refused('Invalid client identifier'),
      ),
      post(
        'job.api/add',
        job('<Name>n</Name><ClientID>1000001</ClientID><ContactID>193</ContactID>'),
        refused('Invalid contact identifier'),
      ),
      post(
        'job.api/add',
        job('<Name>n</Name><ClientID>1000001</ClientID><TemplateID>999</TemplateID>'),
        refused('Invalid template identifier'),
      ),
      post(
        'job.api/add',
        job('<Name>n</Name><ClientID>1000001</ClientID><CategoryID>999</CategoryID>'),
        refused('Invalid category identifier'),
      ),
      post(
        'job.api/add',
        job('<Name>n</Name><ClientID>1000001</ClientID><StartDate>20260230</StartDate>'),
        refused('Invalid value for StartDate'),
      ),
    ),
    studio(
      'changes keep what they do not name, and empty clears',
      put(
        'job.api/update',
        job(`${JOB}<Description>now</Description><Budget>12</Budget><CategoryID>3</CategoryID>`),
        ok(
          '<Name>Bare</Name><Description>now</Description>',
          '<Budget>12.00</Budget>',
          '<Type>Signs &amp; lettering</Type>',
        ),
      ),
      put(
        'job.api/update',
        job(`${JOB}<Name>Not so bare</Name><Budget></Budget><CategoryID></CategoryID>`),
        without(ok('<Name>Not so bare</Name><Description>now</Description>'), '<Budget', '<Type'),
      ),
      put('job.api/update', job('<Name>n</Name>'), missing('/Job/ID')),
      put('job.api/update', job(`${JOB}<Name></Name>`), missing('/Job/Name')),
      put('job.api/update', job('<ID>J999999</ID><Name>n</Name>'), refused(UNKNOWN_JOB)),
      put('job.api/update', job(`${JOB}<Budget>much</Budget>`), refused('Invalid value for Budget')),
    ),
    studio(
      'the state of a job, in any case',
      put('job.api/state', job(`${JOB}<State>COMPLETED</State>`), statusOnly),
      get(
        'job.api/get/J000161',
        ok('<State>Completed</State>', '<CompletedDate>2026-11-20T00:00:00</CompletedDate>'),
      ),
      put('job.api/state', job(`${JOB}<State>Cancelled</State>`), statusOnly),
      get('job.api/get/J000161', ok('<CompletedDate>2026-11-20T00:00:00</CompletedDate>')),
      put('job.api/state', job('<State>on hold</State><ID>J000161</ID>'), statusOnly),
      get('job.api/get/J000161', without(ok('<State>On Hold</State>'), '<CompletedDate')),
      put('job.api/state', job(`${JOB}<State>Invoiced</State>`), statusOnly),
      get('job.api/get/J000161', ok('<CompletedDate>2026-11-20T00:00:00</CompletedDate>')),
      put('job.api/state', job(`${JOB}<State>Planned</State>`), statusOnly),
      put('job.api/state', job(`${JOB}<State>Dreaming</State>`), refused('Invalid value for State')),
      put('job.api/state', job(JOB), missing('/Job/State')),
      put('job.api/state', job('<State>Planned</State>'), missing('/Job/ID')),
    ),
    studio(
      'a template is applied to a job that is there',
      post(
        'job.api/applytemplate',
        job(`${JOB}<TemplateID>21</TemplateID><TaskMode>AddNew</TaskMode>`),
        statusOnly,
      ),
      get('job.api/get/J000161', ok('<Name>Lettering</Name><TaskID>71</TaskID>', '<Name>Survey</Name>')),
      post('job.api/applytemplate', job(JOB), missing('/Job/TemplateID')),
      post(
        'job.api/applytemplate',
        job(`${JOB}<TemplateID>71</TemplateID>`),
        refused('Invalid template identifier'),
      ),
      post('job.api/applytemplate', job('<ID>J9</ID><TemplateID>21</TemplateID>'), refused(UNKNOWN_JOB)),
    ),
    studio(
      'who works on a job, manages it, is its partner',
      put(
        'job.api/assign',
        job(
          '<ID>J000159</ID><add id="9"/><add id="8" task-id="402" /><remove id="7"/><add-manager id="8" /><add-partner ID="9"></add-partner>',
        ),
        statusOnly,
      ),
      get(
        'job.api/get/J000159',
        ok(
          '<Manager><ID>8</ID><Name>Bo Example</Name></Manager><Partner><ID>9</ID><Name>Cleo Example</Name></Partner>',
          '<Assigned><Staff><ID>8</ID><Name>Bo Example</Name></Staff><Staff><ID>9</ID><Name>Cleo Example</Name></Staff></Assigned>',
          '<Assigned><Staff><ID>8</ID><Name>Bo Example</Name><AllocatedMinutes>',
        ),
      ),
      put(
        'job.api/assign',
        job(
          '<ID>J000159</ID><remove-manager id="7"/><remove-partner id="9"/><remove id="8" task-id="402"/><add id="7" task-id=""/>',
        ),
        statusOnly,
      ),
      get(
        'job.api/get/J000159',
        without(
          ok('<Manager><ID>8</ID>', '<ID>7</ID><Name>Ada Example</Name></Staff></Assigned>'),
          '<Partner',
        ),
      ),
      put('job.api/assign', job('<ID>J000159</ID>'), statusOnly),
    ),
    studio(
      'assignments that cannot be',
      put('job.api/assign', job('<add id="7"/>'), missing('/Job/ID')),
      put('job.api/assign', job('<ID>J000159</ID><add/>'), missing('/Job/add/@id')),
      put(
        'job.api/assign',
        job('<ID>J000159</ID><remove-manager id=" "/>'),
        missing('/Job/remove-manager/@id'),
      ),
      put('job.api/assign', job('<ID>J000159</ID><add id="999"/>'), refused('Invalid staff identifier')),
      put('job.api/assign', job('<ID>J000159</ID><add id="7" task-id="999"/>'), refused(UNKNOWN_TASK)),
      put('job.api/assign', job('<ID>J000159</ID><add id="7" task-id="403"/>'), refused(UNKNOWN_TASK)),
      put('job.api/assign', job('<ID>J9</ID><add id="7"/>'), refused(UNKNOWN_JOB)),
    ),
    studio(
      'a job is deleted',
      post('job.api/delete', job('<ID>A77</ID>'), statusOnly),
      get('job.api/get/A77', refused(UNKNOWN_JOB)),
      post('job.api/delete', job('<ID>A77</ID>'), refused(UNKNOWN_JOB)),
      post('job.api/delete', job(''), missing('/Job/ID')),
    ),
  ],
};
