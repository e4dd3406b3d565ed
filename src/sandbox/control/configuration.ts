import type { Kysely } from 'kysely';
import { z } from 'zod';
import { applicationSchema, type Application } from '../identity/application.ts';
import type { IdentityTables } from '../identity/tables.ts';
import {
  changeProtocol,
  profiles,
  protocolChangeSchema,
  protocolSchema,
  type Protocol,
  type ProtocolChange,
} from '../protocol.ts';

/** Values missing from a database of an earlier release default to the specification's. */
const storedProtocol = z.preprocess(
  (stored) => (typeof stored === 'object' ? { ...profiles.spec, ...stored } : stored),
  protocolSchema,
);

const storedSchema = z.object({ protocol: storedProtocol, applications: z.array(applicationSchema) });

/**
 * The body of `POST /_sandbox/settings`: an application with a known id replaces the existing one, any other
 * is registered.
 */
export const settingsChangeSchema = z.strictObject({
  protocol: protocolChangeSchema.optional(),
  applications: z.array(applicationSchema).optional(),
});

export type SettingsChange = z.infer<typeof settingsChangeSchema>;

interface Start {
  readonly protocol: ProtocolChange;
  readonly applications: readonly Application[];
}

/**
 * The switches of the token protocol and the registered applications; kept in the database, so they survive a
 * restart.
 */
export class Configuration {
  readonly #state: StateStore;
  readonly #start: Start;
  #protocol: Protocol;
  #applications: ReadonlyMap<string, Application>;

  private constructor(state: StateStore, start: Start) {
    this.#state = state;
    this.#start = start;
    this.#protocol = changeProtocol(profiles.spec, start.protocol);
    this.#applications = byId(start.applications);
  }

  /** Applications the process was started with replace stored ones of the same id. */
  static async open(state: StateStore, start: Start): Promise<Configuration> {
    const configuration = new Configuration(state, start);
    const stored = await state.read('settings');
    if (stored === undefined) return configuration;
    const { protocol, applications } = storedSchema.parse(JSON.parse(stored));
    configuration.#protocol = changeProtocol(protocol, start.protocol);
    configuration.#applications = byId([...applications, ...start.applications]);
    return configuration;
  }

  readonly protocol = (): Protocol => this.#protocol;

  readonly applications = (): ReadonlyMap<string, Application> => this.#applications;

  async change(change: SettingsChange): Promise<void> {
    this.#protocol = changeProtocol(this.#protocol, change.protocol ?? {});
    this.#applications = byId([...this.#applications.values(), ...(change.applications ?? [])]);
    const stored = { protocol: this.#protocol, applications: [...this.#applications.values()] };
    await this.#state.write('settings', JSON.stringify(stored));
  }

  /** Restores the settings that the process was started with. */
  async reset(): Promise<void> {
    this.#protocol = changeProtocol(profiles.spec, this.#start.protocol);
    this.#applications = byId(this.#start.applications);
    await this.#state.remove('settings');
  }
}

function byId(applications: readonly Application[]): ReadonlyMap<string, Application> {
  return new Map(applications.map((application) => [application.id, application]));
}

/** Stores the sandbox's own state as named values. */
export class StateStore {
  readonly #db: Kysely<IdentityTables>;

  constructor(db: Kysely<IdentityTables>) {
    this.#db = db;
  }

  async read(name: string): Promise<string | undefined> {
    const row = await this.#db
      .selectFrom('sandbox_state')
      .select('value')
      .where('name', '=', name)
      .executeTakeFirst();
    return row?.value;
  }

  async write(name: string, value: string): Promise<void> {
    await this.#db
      .insertInto('sandbox_state')
      .values({ name, value })
      .onConflict((conflict) => conflict.column('name').doUpdateSet({ value }))
      .execute();
  }

  async remove(name: string): Promise<void> {
    await this.#db.deleteFrom('sandbox_state').where('name', '=', name).execute();
  }
}
