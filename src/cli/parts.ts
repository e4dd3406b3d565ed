import type { Archive } from '../features/backup/archive.ts';
import type { WantedView } from '../features/status/status.ts';
import type { StatusReport } from '../features/status/model.ts';
import type { MappingSample, MappingTrial } from '../mapping/mapping-trial.ts';
import type { MethodCard } from '../mapping/method-card.ts';
import type { Secret } from '../lib/secret/secret.ts';
import type { Terminal } from '../lib/log/terminal.ts';
import type { Finding } from '../app/doctor/model.ts';
import type { MissingSteps } from '../app/migration.ts';
import type { ReplayOutcome } from '../proof/rehearsal/order.ts';
import type { Progress } from '../lib/progress.ts';
import type { Tools } from '../app/tools/model.ts';
import type { Probe } from '../app/tools/probe.ts';

/** A setting with its effective value, unless it is a secret. */
export interface SettingLine {
  readonly setting: string;
  readonly value: string;
  readonly from: string;
}

/** A folder of mapping files after reading: its families, or what is wrong with it. */
export interface MappingSummary {
  readonly family: string;
  readonly methods: number;
}

/** The dependencies of the command line, injected by its caller. */
export interface CliParts {
  readonly version: string;
  readonly terminal: Terminal;
  /** Reads the settings and opens the store. Throws `ConfigurationFault` and the store's errors. */
  openTools(): Promise<Tools>;
  /**
   * The database as a whole; opening it neither creates nor migrates it. Throws `ConfigurationFault`,
   * `ArchiveRefusal`.
   */
  openArchive(): Promise<Archive>;
  /**
   * Returns what a start would change in the schema, and changes nothing. Throws `ConfigurationFault`,
   * `StoreFault`.
   */
  planMigration(): Promise<MissingSteps>;
  /**
   * Tests every upstream; creates and migrates no database. Like a start, it notes a new first key, and may renew the
   * tokens of the account it tries V2 with. Throws `ConfigurationFault`, `WrongKeys` and the store's errors.
   */
  probe(): Promise<readonly Probe[]>;
  /**
   * Checks everything that production depends on, and changes nothing. `dkimSelector`: selector of the mail
   * server's signatures. Throws `ConfigurationFault`.
   */
  examineProduction(dkimSelector: string | undefined): Promise<readonly Finding[]>;
  /** Replaces this process by the bridge. Throws `Refusal` if the system has no such call. */
  start(): never;
  /** Milliseconds since the epoch. */
  now(): number;
  /** Throws `ConfigurationFault`. */
  checkConfig(): Promise<{
    readonly settings: readonly SettingLine[];
    readonly notices: readonly string[];
  }>;
  /**
   * Faults with file, line and rule; none if the mappings are valid. `folder` undefined: the configured one.
   */
  checkMappings(folder: string | undefined): Promise<{
    readonly families: readonly MappingSummary[];
    readonly faults: readonly string[];
    readonly digest: string;
  }>;
  /** Describes a method by its row. Throws `Refusal`. `folder`: as for `checkMappings`. */
  showMapping(method: string, folder: string | undefined): Promise<MethodCard>;
  /** Translates a sample by a method's row, without any service. Throws `Refusal`. */
  tryMapping(method: string, sample: MappingSample, folder: string | undefined): Promise<MappingTrial>;
  /**
   * Plays a folder's golden files against the mapping in another folder, by default the configured one.
   * Throws `Refusal`.
   */
  replay(folder: string, mappings: string | undefined, progress: Progress): Promise<ReplayOutcome>;
  /**
   * Fetches the status report of a running bridge from its address, with a token of scope `read`. Throws an
   * error with a readable message.
   */
  fetchStatusReport(url: string, token: Secret, wanted: WantedView): Promise<StatusReport>;
  /** `id:base64`. */
  newKey(id: string | undefined): string;
}
