/**
 * Whether this process can serve calls, and what does not work.
 *
 * `run`, a periodic job, tries to write to the database, checks the disks and compares the clocks. `view` and `details`
 * combine its last result with the reports of other parts. They do no I/O, so `/health/ready` and the metrics may ask
 * at any rate. Each cause has a stable code (`knownReasons`), which metrics and alerts use; the text is for operators
 * and may name hosts and paths. A change in the set of codes is logged once.
 */
import { wordsOf, type Log } from '../../lib/log/log.ts';
import { StoreFault, type StoreOutage } from '../../lib/store-fault.ts';
import type { ClockCheck } from './clock-check.ts';
import type { Degradation } from '../../features/admin/admin.ts';
import { diskTrouble, hasOwnDisk, spillTrouble, spoolTrouble, type DiskTrouble } from './disk-check.ts';
import { remedyOf } from './remedies.ts';

/** A code for programs, and a text for people. */
export type Reasons = Readonly<Record<string, string>>;

/** The bridge's health, as codes for programs and texts for people. */
export interface Health {
  /** Whether any call can be served. */
  readonly serves: boolean;
  /** What does not work. */
  readonly degraded: Reasons;
}

/** What the check needs. */
export interface HealthCheckParts {
  readonly log: Log;
  /** Tries a write; rejects if nothing can be stored. */
  readonly writable: () => Promise<void>;
  /** The table that somebody has locked, in words; see `Engine.lock`. */
  readonly lock: () => Promise<string | undefined>;
  /** The current outage of the database. */
  readonly outage: () => StoreOutage | undefined;
  /** Whether calls can still be served from memory while the database is away. */
  readonly outlasts: (outage: StoreOutage) => boolean;
  /** Folders that are written to. */
  readonly folders: readonly string[];
  /** Folder of documents that wait: long documents need it, and nothing else does. */
  readonly spool?: string;
  /** Folder of tokens that the database could not store. */
  readonly spill?: string | undefined;
  readonly clock: ClockCheck;
  readonly now: () => number;
  /** The clock of a database on another machine, in milliseconds since the epoch. */
  readonly databaseClock: () => Promise<number | undefined>;
  readonly hasV1: boolean;
  readonly hasV3: boolean;
  /** Number of accounts whose calls only V3 can serve. */
  readonly moved: () => Promise<number>;
  /** The reports of other parts, read at each `view`. */
  readonly others: () => Reasons;
}

/** Codes that a metric shows from the start. */
export const knownReasons = [
  'no-upstream',
  'no-v3',
  'database',
  'store-locked',
  'store-read-only',
  'store-memory',
  'store-unwritable',
  'disk-full',
  'disk-low',
  'spool-full',
  'clock',
  'authority',
  'budget',
  'workers',
] as const;

const HINDRANCES = {
  full: ['disk-full', 'the disk of the database is full: no write is sent to V3 or V2, nothing is renewed'],
  'read-only': [
    'store-read-only',
    'the database can only be read: no write is sent to V3 or V2, nothing is renewed',
  ],
  'out-of-memory': [
    'store-memory',
    'the server of the database has no memory left: no write is sent to V3 or V2, nothing is renewed',
  ],
  locked: ['store-locked', 'another program holds the lock of the database: no write is sent to V3 or V2'],
} as const;

/** The health of this process, from the last `run` and the reports of other parts. */
export class HealthCheck {
  readonly #parts: HealthCheckParts;
  #tried: Reasons = {};
  #moved = 0;
  #told = '';
  #since: ReadonlyMap<string, number> = new Map();

  constructor(parts: HealthCheckParts) {
    this.#parts = parts;
  }

  /** Does no I/O. */
  get view(): Health {
    const { outage, outlasts, clock, hasV1, hasV3, others } = this.#parts;
    const away = outage();
    const isAway = away !== undefined && !away.reads;
    const trouble = clock.trouble;
    const degraded: Reasons = {
      ...this.#unconfigured(),
      ...(isAway && {
        database: `the database has been away since ${new Date(away.since).toISOString()}: ${away.reason}`,
      }),
      ...(away?.reads === true && { 'store-locked': away.reason }),
      ...this.#tried,
      ...(trouble !== undefined && { clock: trouble }),
      ...others(),
    };
    const serves = (hasV1 || hasV3) && !(isAway && !outlasts(away));
    return { serves, degraded };
  }

  /** Faults for operators, with details, beginning and remedy. Does no I/O. */
  get details(): readonly Degradation[] {
    const { degraded } = this.view;
    const now = this.#parts.now();
    this.#since = new Map(Object.keys(degraded).map((code) => [code, this.#since.get(code) ?? now]));
    return Object.entries(degraded).map(([code, words]) => ({
      code,
      words,
      since: this.#since.get(code) ?? now,
      remedy: remedyOf(code),
    }));
  }

  /** Never rejects. */
  async run(): Promise<void> {
    const { clock, databaseClock, hasV3, moved, log } = this.#parts;
    try {
      const locked = await this.#locked();
      // What follows may itself wait for the table.
      if (locked !== undefined) {
        this.#tried = { ...this.#tried, ...locked };
        this.#tell();
      }
      const [disk, store] = await Promise.all([this.#disk(), this.#store(), clock.ask(databaseClock)]);
      this.#tried = { ...disk, ...store, ...locked };
      if (!hasV3) this.#moved = await moved().catch(() => this.#moved);
    } catch (error) {
      log.error('health.failed', { error: wordsOf(error) });
    }
    this.#tell();
  }

  async #locked(): Promise<Reasons | undefined> {
    const words = await this.#parts.lock();
    return words === undefined
      ? undefined
      : { 'store-locked': `${words}: calls that need it wait for half a minute, or are refused` };
  }

  #unconfigured(): Reasons {
    const { hasV1, hasV3 } = this.#parts;
    if (hasV3) return {};
    const refused = `${this.#moved} accounts have moved, and no V3 is configured: their calls are refused`;
    return {
      ...(!hasV1 && { 'no-upstream': 'neither V1 nor V3 is configured: no call can be served' }),
      ...(this.#moved > 0 && { 'no-v3': refused }),
    };
  }

  async #disk(): Promise<Reasons> {
    const { folders, spool, spill } = this.#parts;
    // Of two troubles with the same code the later one is told, so those of the database come last.
    const troubles = await Promise.all([
      this.#apart(spool, spoolTrouble),
      this.#apart(spill, spillTrouble),
      ...folders.map(diskTrouble),
    ]);
    return Object.fromEntries(
      troubles.flatMap((trouble) => (trouble === undefined ? [] : [[trouble.code, trouble.words] as const])),
    );
  }

  /** Asks about a folder only if its disk is not the database's. */
  async #apart(
    folder: string | undefined,
    ask: (folder: string) => Promise<DiskTrouble | undefined>,
  ): Promise<DiskTrouble | undefined> {
    if (folder === undefined || !(await hasOwnDisk(folder, this.#parts.folders))) return undefined;
    return ask(folder);
  }

  /** Outages are left out: the database reports them itself. */
  async #store(): Promise<Reasons> {
    try {
      await this.#parts.writable();
      return {};
    } catch (error) {
      if (this.#parts.outage() !== undefined) return {};
      const hindrance = error instanceof StoreFault ? error.hindrance : undefined;
      if (hindrance === undefined) return { 'store-unwritable': wordsOf(error) };
      const [code, words] = HINDRANCES[hindrance];
      return { [code]: words };
    }
  }

  /** Logs each change once. */
  #tell(): void {
    const { details } = this;
    const codes = details
      .map(({ code }) => code)
      .sort()
      .join(' ');
    if (codes === this.#told) return;
    this.#told = codes;
    if (codes === '') this.#parts.log.info('health.good');
    else
      this.#parts.log.warn(
        'health.degraded',
        Object.fromEntries(details.map(({ code, words }) => [code, words])),
      );
  }
}
