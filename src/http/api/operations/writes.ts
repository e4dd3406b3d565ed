/**
 * The API of writes whose outcome is unknown: the list by state and account, the same as CSV, one write with the values
 * sent, and its settlement. Those values are personal data and are shown for one write at a time.
 */
import { z } from 'zod';
import type { AdminService } from '../../../features/admin/admin.ts';
import type { ListedWrite } from '../../../features/admin/writes.ts';
import { settlements, writeFilters, writeOrders, writeStates } from '../../../features/writes/model.ts';
import { stepStates, type WriteStep } from '../../../features/writes/steps.ts';
import { positionText } from '../../../lib/text/list-order.ts';
import { csvList } from '../csv-list.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { cursorQuery, cursorReply, nextCursor, orderQuery } from '../queries.ts';
import { count, isoOrNull, orNull, perhaps } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

const write = {
  id: z.string().describe('The id of the call, `X-Request-Id` of its answer'),
  account: z.strictObject({ id: z.string(), name: z.string() }),
  method: z.string(),
  route: z.string(),
  state: z.enum(writeStates),
  settlement: perhaps(z.enum(settlements)).describe('While `settled`'),
  caller: z.enum(['waits', 'told', 'untold']).describe('Whether the caller knows the outcome'),
  number: perhaps(z.string()).describe('Number of the created record, as legacy programs know it'),
  length: count.describe('Bytes of its body'),
  createdAt: moment,
  unknownAt: perhaps(moment),
  attempts: count.describe('How often it was looked up'),
  settledAt: perhaps(moment),
  settledBy: perhaps(z.string()).describe('Null where the bridge did it, by what it read'),
  repeats: perhaps(z.string()).describe('The write that was not done and that this one repeats'),
  note: z.string().describe('As text; contains nothing of what was sent'),
} as const;

const writeOf = (one: ListedWrite): z.infer<z.ZodObject<typeof write>> => {
  const { id, method, route, state, caller, length, attempts, note } = one;
  const plain = { id, method, route, state, caller, length, attempts, note };
  return {
    ...plain,
    account: { id: one.accountId, name: one.account },
    settlement: orNull(one.settlement),
    number: orNull(one.made),
    ...{ createdAt: iso(one.createdAt), unknownAt: isoOrNull(one.unknownAt) },
    ...{ settledAt: isoOrNull(one.settledAt), settledBy: orNull(one.settledBy) },
    repeats: orNull(one.repeats),
  };
};

const stepOf = ({ says, state, made }: WriteStep) => ({ says, state, number: orNull(made) });

const idIn = ({ write: id = '' }: Readonly<Record<string, string>>): string => id;

const filter = {
  state: z.enum(writeFilters).optional().describe('`unsettled`: unknown, or undecidable'),
  account: z.string().max(200).optional().describe('Id or exact name'),
} as const;

/** Undefined: all accounts. Throws `AdminRefusal` unknown. */
const accountIdOf = async (
  { accounts }: Pick<AdminService, 'accounts'>,
  account: string | undefined,
): Promise<string | undefined> => (account === undefined ? undefined : (await accounts.find(account)).id);

const list = endpoint({
  id: 'listWrites',
  verb: 'GET',
  path: '/writes',
  area: 'Writes',
  summary: 'Lists calls that create, change or delete, with their outcome, newest first by default',
  notes: 'Contains nothing of what was sent.',
  scope: 'read',
  query: z.strictObject({ ...cursorQuery(writeOrders), ...filter }),
  reply: {
    name: 'WriteList',
    schema: z.strictObject({
      writes: z.array(z.strictObject(write)),
      ...cursorReply,
    }),
  },
  async handle({ admin, query: { account, ...page } }) {
    const found = await admin.writes.list({ ...page, accountId: await accountIdOf(admin, account) });
    return { writes: found.map(writeOf), next: nextCursor(writeOrders, page, found, admin.writes.rows) };
  },
});

/** The fields of the JSON, without the values sent. */
const columns = {
  id: ({ id }: ListedWrite) => id,
  account_id: ({ accountId }: ListedWrite) => accountId,
  account: ({ account }: ListedWrite) => account,
  method: ({ method }: ListedWrite) => method,
  route: ({ route }: ListedWrite) => route,
  state: ({ state }: ListedWrite) => state,
  settlement: ({ settlement }: ListedWrite) => settlement,
  caller: ({ caller }: ListedWrite) => caller,
  number: ({ made }: ListedWrite) => made,
  length: ({ length }: ListedWrite) => length,
  created_at: ({ createdAt }: ListedWrite) => iso(createdAt),
  unknown_at: ({ unknownAt }: ListedWrite) => isoOrNull(unknownAt),
  attempts: ({ attempts }: ListedWrite) => attempts,
  settled_at: ({ settledAt }: ListedWrite) => isoOrNull(settledAt),
  settled_by: ({ settledBy }: ListedWrite) => settledBy,
  repeats: ({ repeats }: ListedWrite) => repeats,
  note: ({ note }: ListedWrite) => note,
} as const;

const csv = endpoint({
  id: 'listWritesCsv',
  verb: 'GET',
  path: '/writes.csv',
  area: 'Writes',
  summary: 'All these writes as CSV',
  notes: 'Contains nothing of what was sent.',
  scope: 'read',
  type: 'text/csv',
  query: z.strictObject({ ...orderQuery(writeOrders), ...filter }),
  reply: { name: 'WriteCsv', schema: z.string() },
  async handle({ admin, query: { account, ...page } }) {
    const accountId = await accountIdOf(admin, account);
    return csvList<ListedWrite>({
      file: 'writes.csv',
      columns,
      read: (limit, last) =>
        admin.writes.list({
          ...{ ...page, limit, accountId },
          before: last && positionText(writeOrders, page, last, last.id),
        }),
    });
  },
});

const show = endpoint({
  id: 'showWrite',
  verb: 'GET',
  path: '/writes/{write}',
  area: 'Writes',
  summary:
    'Shows a write, with the values by which its record can be found (personal data) and what the operator should do',
  scope: 'read',
  reply: {
    name: 'WritePage',
    schema: z.strictObject({
      write: z.strictObject(write),
      steps: z
        .array(z.strictObject({ says: z.string(), state: z.enum(stepStates), number: perhaps(z.string()) }))
        .describe('Set if the service takes several calls for it; `open`: it may have been carried out'),
      advice: z.string(),
      sent: perhaps(
        z.strictObject({
          verb: z.string(),
          path: z.string(),
          values: z.record(z.string(), z.string()).describe('By the path of the element'),
        }),
      ).describe('null: no key of this bridge opens it'),
    }),
  },
  async handle({ admin, path }) {
    const { write: one, facts, steps, advice } = await admin.writes.find(idIn(path));
    const sent = facts && {
      verb: facts.verb,
      path: facts.segments.join('/'),
      values: { ...facts.values },
    };
    return { write: writeOf(one), steps: steps.map(stepOf), advice, sent: orNull(sent) };
  },
});

const settle = endpoint({
  id: 'settleWrite',
  verb: 'POST',
  path: '/writes/{write}/settle',
  area: 'Writes',
  summary: 'Settles a write whose outcome is unknown or undecidable; this is final',
  scope: 'operate',
  body: {
    name: 'WriteFinding',
    schema: z.discriminatedUnion('settlement', [
      z.strictObject({
        settlement: z.literal('done'),
        number: z
          .string()
          .max(64)
          .optional()
          .describe('Of the record it made; needed where it made one, refused where it makes none'),
      }),
      z.strictObject({ settlement: z.literal('not-done') }),
    ]),
  },
  reply: { name: 'SettledWrite', schema: z.strictObject({ write: z.strictObject(write) }) },
  async handle({ admin, path, body, who }) {
    const finding = body.settlement === 'done' ? { settlement: body.settlement, made: body.number } : body;
    return { write: writeOf(await admin.writes.settle(idIn(path), finding, who)) };
  },
});

export const writeOperations: readonly Endpoint[] = [list, csv, show, settle];
