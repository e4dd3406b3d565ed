/**
 * What an organisation configures on the service's own screens and no API can write: account codes, tax rates
 * and recurring jobs. Below `/_sandbox/organisations/:id`, in the control plane's format.
 */
import express, { type NextFunction, type Request, type Response, type Router } from 'express';
import type { Kysely } from 'kysely';
import { z } from 'zod';
import type { Clock } from '../../../lib/time/clock.ts';
import { check, ControlRefusal, readJson, sendRefusal } from '../../control/json.ts';
import type { OrganisationStore } from '../../identity/organisations.ts';
import { frequencies } from '../../tables/catalogue/rates.ts';
import type { StoredRecord } from '../../records/kinds.ts';
import { Records } from '../../records/records.ts';
import type { RecordTables } from '../../records/tables.ts';
import { catchUp, nextRun } from '../jobs/recurrence.ts';
import { recurringShown } from '../jobs/recurring.ts';
import { two } from '../record/values.ts';

export interface ConfiguredParts {
  readonly db: Kysely<RecordTables>;
  readonly clock: Clock;
  readonly organisations: OrganisationStore;
}

/** Returns what an organisation has configured, by list name, in the form of V2. */
export async function configuredLists(
  parts: ConfiguredParts,
  organisationId: string,
): Promise<ConfiguredLists> {
  const { records } = await opened(parts, organisationId);
  const lists = Object.entries(settings).map(
    async ([path, of]) => [path, (await records.all(of.kind)).map(of.view)] as const,
  );
  return Object.fromEntries(await Promise.all(lists));
}

export type ConfiguredLists = Readonly<Record<string, readonly object[]>>;

/** Adds an entry to one of the lists. Throws `ControlRefusal`. */
export async function addConfigured(
  parts: ConfiguredParts,
  organisationId: string,
  path: string,
  body: unknown,
): Promise<object> {
  const of = Object.hasOwn(settings, path) ? settings[path] : undefined;
  if (of === undefined) throw new ControlRefusal(404, 'There is no such list.');
  return written(parts, organisationId, of, (records, now) => of.make(records, body, now));
}

/**
 * The control plane's endpoints for account codes, tax rates and recurring jobs: list, add, change, delete.
 */
export function configuredScreens(parts: ConfiguredParts): Router {
  const router = express.Router();
  for (const [path, of] of Object.entries(settings)) {
    const root = `/_sandbox/organisations/:id/${path}`;
    router.get(root, async (request: Request<Record<'id', string>>, response) => {
      const { records } = await opened(parts, request.params.id);
      response.json({ data: (await records.all(of.kind)).map(of.view) });
    });
    router.post(root, async (request: Request<Record<'id', string>>, response) => {
      const data = await addConfigured(parts, request.params.id, path, readJson(request));
      response.status(201).json({ data });
    });
    router.put(`${root}/:uuid`, async (request: Request<Record<'id' | 'uuid', string>>, response) => {
      const { id, uuid } = request.params;
      const data = await written(parts, id, of, (records, now) =>
        of.change(records, uuid, readJson(request), now),
      );
      response.json({ data });
    });
    router.delete(`${root}/:uuid`, async (request: Request<Record<'id' | 'uuid', string>>, response) => {
      const { id, uuid } = request.params;
      await written(parts, id, of, async (records, now) => {
        await records.update(await found(records, of.kind, uuid), { isDeleted: true }, now);
      });
      response.json({ data: { deleted: uuid } });
    });
  }
  router.use((error: unknown, _request: Request, response: Response, next: NextFunction) => {
    if (error instanceof ControlRefusal) sendRefusal(response, error);
    else next(error);
  });
  return router;
}

type ConfiguredKind = 'account' | 'tax' | 'recurringJob';

interface Setting<K extends ConfiguredKind = ConfiguredKind> {
  readonly kind: K;
  /** Whether a connected accounting system maintains the list. */
  readonly isSynchronised: boolean;
  readonly view: (record: StoredRecord<K>) => object;
  readonly make: (records: Records, body: unknown, now: number) => Promise<object>;
  readonly change: (records: Records, uuid: string, body: unknown, now: number) => Promise<object>;
}

/** Drops the kind from the type; safe because `view` only gets records of `kind`. */
const setting = <K extends ConfiguredKind>(of: Setting<K>): Setting => of as unknown as Setting;

async function opened({ db, organisations }: ConfiguredParts, organisationId: string) {
  const organisation = await organisations.byId(organisationId.toLowerCase());
  if (!organisation) throw new ControlRefusal(404, 'There is no such organisation.');
  return { organisation, records: new Records(db, organisation.id) };
}

/**
 * With an accounting integration account codes are synchronised and cannot be edited in the service, and tax rates are
 * read-only (V2 specification, "What the service does"). Throws `ControlRefusal`.
 */
async function written<T>(
  parts: ConfiguredParts,
  organisationId: string,
  of: Setting,
  write: (records: Records, now: number) => Promise<T>,
): Promise<T> {
  const { organisation } = await opened(parts, organisationId);
  if (of.isSynchronised && organisation.switches.accountingIntegration)
    throw new ControlRefusal(409, 'It is synchronised from the accounting system and cannot be edited here.');
  const now = parts.clock.now();
  return parts.db.transaction().execute((tx) => write(new Records(tx, organisation.id), now));
}

async function found<K extends ConfiguredKind | 'client' | 'template'>(
  records: Records,
  kind: K,
  uuid: string,
): Promise<StoredRecord<K>> {
  const record = await records.byUuid(kind, uuid);
  if (!record) throw new ControlRefusal(404, `There is no such ${kind}.`);
  return record;
}

const account = z.strictObject({
  code: z.string().min(1),
  name: z.string().min(1),
  type: z.enum(['income', 'expense']),
});

const accountView = ({ uuid, code, name, fields }: StoredRecord<'account'>) => ({
  uuid,
  code,
  name,
  type: fields.type,
});

const accounts = setting({
  kind: 'account',
  isSynchronised: true,
  view: accountView,
  make: async (records, body, now) => {
    const { code, name, type } = check(account, body);
    if (await records.isCodeTaken('account', code))
      throw new ControlRefusal(409, 'The code is used already.', [{ field: 'code', message: 'is taken' }]);
    return accountView(await records.insert('account', { code, name, fields: { type } }, now));
  },
  change: async (records, uuid, body, now) => {
    const before = await found(records, 'account', uuid);
    // The code stays, because other records refer to it.
    const { name = before.name, type = before.fields.type } = check(
      account.omit({ code: true }).partial(),
      body,
    );
    await records.update(before, { name, fields: { type } }, now);
    return accountView({ ...before, name, fields: { type } });
  },
});

const tax = z.strictObject({ name: z.string().min(1), rate: z.number().min(0).max(100) });

const taxView = ({ uuid, name, fields }: StoredRecord<'tax'>) => ({
  uuid,
  name,
  rate: Number(fields.rate),
});

const taxes = setting({
  kind: 'tax',
  isSynchronised: true,
  view: taxView,
  make: async (records, body, now) => {
    const { name, rate } = check(tax, body);
    return taxView(await records.insert('tax', { name, fields: { rate: two(rate) } }, now));
  },
  change: async (records, uuid, body, now) => {
    const before = await found(records, 'tax', uuid);
    const { name = before.name, rate = Number(before.fields.rate) } = check(tax.partial(), body);
    const fields = { rate: two(rate) };
    await records.update(before, { name, fields }, now);
    return taxView({ ...before, name, fields });
  },
});

const day = z.iso.date();
const recurring = z
  .strictObject({
    name: z.string().min(1),
    clientUUID: z.guid(),
    jobTemplateUUID: z.guid().optional(),
    frequency: z.enum(frequencies),
    interval: z.int().min(1).max(1_000).default(1),
    /** For the frequency `dates`. */
    dates: z.array(day).default([]),
    /** The first day; for `dates`, the earliest of them. */
    startDate: day.optional(),
    endDate: day.optional(),
  })
  .refine(({ frequency, startDate }) => frequency === 'dates' || startDate !== undefined, {
    path: ['startDate'],
    message: 'is required',
  })
  .refine(({ frequency, dates }) => frequency !== 'dates' || dates.length > 0, {
    path: ['dates'],
    message: 'is required for the frequency dates',
  });

const recurringJobs = setting({
  kind: 'recurringJob',
  isSynchronised: false,
  view: recurringShown,
  make: async (records, body, now) => {
    return recurringShown(await records.insert('recurringJob', await recurringFrom(records, body), now));
  },
  change: async (records, uuid, body, now) => {
    // What was due before the change is still created as it was configured.
    const before = await catchUp(records, await found(records, 'recurringJob', uuid), now);
    const { other = null, ...given } = await recurringFrom(records, body, before.fields.lastRunDate);
    await records.update(before, { ...given, other }, now);
    return recurringShown(await found(records, 'recurringJob', uuid));
  },
});

/** `lastRunDate`: of the configuration before the change; no job is created again. */
async function recurringFrom(records: Records, body: unknown, lastRunDate = '') {
  const { name, clientUUID, jobTemplateUUID, frequency, interval, ...given } = check(recurring, body);
  const client = await found(records, 'client', clientUUID);
  const template = jobTemplateUUID && (await found(records, 'template', jobTemplateUUID));
  const dates = [...given.dates].sort();
  const { startDate = dates[0] ?? '', endDate = '' } = given;
  const schedule = { frequency, interval, dates, startDate, endDate };
  return {
    name,
    owner: client.uuid,
    other: template ? template.uuid : undefined,
    fields: {
      ...schedule,
      ...nextRun(schedule, lastRunDate),
      ...(lastRunDate !== '' && { lastRunDate }),
    },
  };
}

const settings: Readonly<Record<string, Setting>> = {
  accounts,
  taxes,
  'recurring-jobs': recurringJobs,
};
