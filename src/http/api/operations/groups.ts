import { z } from 'zod';
import type { AccountGroup } from '../../../features/status/groups.ts';
import { filterText } from '../../../features/status/report/filter-text.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const groupSchema = z.strictObject({
  name: z.string(),
  query: z.string().describe('The parameters of `GET /accounts` it stands for'),
  savedAt: moment,
  savedBy: z.string(),
});

const groupOf = ({ name, filter, savedAt, savedBy }: AccountGroup): z.infer<typeof groupSchema> => ({
  name,
  query: filterText(filter),
  savedAt: iso(savedAt),
  savedBy,
});

const list = endpoint({
  id: 'listGroups',
  verb: 'GET',
  path: '/groups',
  area: 'Accounts',
  summary: 'Lists the saved groups of accounts; each always contains the accounts that match its filters',
  scope: 'read',
  reply: { name: 'GroupList', schema: z.strictObject({ groups: z.array(groupSchema) }) },
  handle: async ({ admin }) => ({ groups: (await admin.groups.list()).map(groupOf) }),
});

const save = endpoint({
  id: 'saveGroup',
  verb: 'PUT',
  path: '/groups/{name}',
  area: 'Accounts',
  summary: 'Saves a group under a name, replacing any group of that name',
  scope: 'operate',
  body: {
    name: 'Group',
    schema: z.strictObject({ query: z.string().max(2_000).describe('`stage=legacy&tag=north`') }),
  },
  reply: { name: 'SavedGroup', schema: groupSchema },
  handle: async ({ admin, path, who, body }) =>
    groupOf(await admin.groups.save(path.name ?? '', body.query, who)),
});

const remove = endpoint({
  id: 'removeGroup',
  verb: 'DELETE',
  path: '/groups/{name}',
  area: 'Accounts',
  summary: 'Deletes a group; its accounts are not changed',
  scope: 'operate',
  reply: { name: 'RemovedGroup', schema: z.strictObject({ removed: z.string() }) },
  async handle({ admin, path: { name = '' }, who }) {
    await admin.groups.remove(name, who);
    return { removed: name };
  },
});

export const groupOperations: readonly Endpoint[] = [list, save, remove];
