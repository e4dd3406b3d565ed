import { z } from 'zod';
import { csvFile } from '../../csv-list.ts';
import { driftColumns, driftShown, shownDriftSchema } from '../../../../features/usage/drift/shown.ts';
import type { AdminService } from '../../../../features/admin/admin.ts';
import { endpoint, type Endpoint } from '../../endpoint.ts';

const listSchema = z.strictObject({ changes: z.array(shownDriftSchema) });
const reply = { name: 'DriftList', schema: listSchema };

async function replyOf(admin: AdminService): Promise<z.infer<typeof listSchema>> {
  const now = admin.drift.now();
  return { changes: (await admin.drift.list()).map((alarm) => driftShown(alarm, now)) };
}

/** Ended drifts stay listed for a while. */
const list = endpoint({
  id: 'listDrift',
  verb: 'GET',
  path: '/drift',
  area: 'Routes',
  summary: 'Lists changes in the service’s replies that affect several accounts, open ones first',
  scope: 'read',
  reply,
  handle: ({ admin }) => replyOf(admin),
});

/** Anyone with the scope `operate` decides; the name is that of the person. */
const acknowledge = endpoint({
  id: 'acknowledgeDrift',
  verb: 'POST',
  path: '/drift/{change}/acknowledgement',
  area: 'Routes',
  summary: 'Accepts a change as normal from now on; a further change raises a new alarm',
  scope: 'operate',
  body: {
    name: 'DriftAcknowledgement',
    schema: z.strictObject({ name: z.string().max(100), reason: z.string().max(500) }),
  },
  reply,
  async handle({ admin, path, who, body }) {
    await admin.drift.acknowledge(path.change ?? '', body, who);
    return replyOf(admin);
  },
});

export const driftOperations: readonly Endpoint[] = [
  list,
  csvFile({
    ...{ id: 'listDriftCsv', path: '/drift.csv', area: 'Routes' },
    ...{ name: 'DriftCsv', file: 'drift.csv', columns: driftColumns },
    rows: async ({ admin }) => (await replyOf(admin)).changes,
  }),
  acknowledge,
];
