import { z } from 'zod';
import { statusReportSchema } from '../../../features/status/model.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { filterOf, filterQuery } from '../queries.ts';

const statusReport = endpoint({
  id: 'showBoard',
  verb: 'GET',
  path: '/board',
  area: 'Board',
  summary: 'The state of the migration: every account, totals, pace and history',
  notes:
    'What `causeway status --format json` prints, by the same function. Filters select accounts; totals always cover all accounts.',
  scope: 'read',
  query: z.strictObject(filterQuery),
  reply: { name: 'Board', schema: statusReportSchema },
  handle: async ({ admin, query }) => admin.view(filterOf(query)),
});

export const statusReportOperations: readonly Endpoint[] = [statusReport];
