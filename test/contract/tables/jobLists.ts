import { get, ok, studio, without, type Table } from '../case.ts';
import { longJobSeed } from '../jobSeed.ts';

/** V1 has no pages: 213 jobs are one list, however many pages V3 gives, and where it ignores paging. */
export const jobLists: Table = {
  title: 'jobs: long lists',
  seed: [longJobSeed],
  cases: [
    studio(
      'all jobs in one list',
      get(
        'job.api/list?from=20260101&to=20261231',
        without(
          ok('<Jobs><Job><ID>J000100</ID>', '<ID>J000199</ID>', '<ID>J000200</ID>', '<ID>J000312</ID>'),
          '<TotalRecords',
          '<Page',
        ),
      ),
    ),
    studio(
      'all jobs in detail',
      get(
        'job.api/list?from=20260101&to=20261231&detailed=true',
        ok('<ID>5000000</ID>', '<ID>5000212</ID>', '<InternalID>3000312</InternalID>'),
      ),
    ),
    studio(
      'exactly one page',
      get(
        'job.api/list?from=20260101&to=20261231&modifiedsinceutc=2026-04-24T00:00:00',
        without(ok('<ID>J000213</ID>', '<ID>J000312</ID>'), '<ID>J000212</ID>'),
      ),
    ),
    studio(
      'the current ones, of which V3 makes no pages',
      get('job.api/current', ok('<Jobs><Job><ID>J000100</ID>', '<ID>J000312</ID>')),
      get(
        'job.api/current?modifiedsinceutc=2026-04-24T00:00:00',
        without(ok('<Jobs><Job><ID>J000213</ID>', '<ID>J000312</ID>'), '<ID>J000212</ID>'),
      ),
    ),
  ],
};
