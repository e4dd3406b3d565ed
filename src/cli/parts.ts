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

/** One setting with its effective value; a secret's value is never here. */
export interface SettingLine {
  readonly setting: string;
  readonly value: string;
  readonly from: string;
}

/** A folder of mapping files that was read: its families, or what is wrong with it. */
export interface MappingSummary {
  readonly family: string;
  readonly methods: number;
}

/** What the command line is made from; passed in by whoever starts it. */
export interface CliParts {
  readonly version: string;
  readonly terminal: Terminal;
  /** Reads the settings and opens the store. Throws `ConfigurationFault`, and what the store throws. */
  openTools(): Promise<Tools>;
  /**
   * The database as a whole, which this neither creates nor migrates. Throws `ConfigurationFault`,
   * `ArchiveRefusal`.
   */
  openArchive(): Promise<Archive>;
  /**
   * What a start would change in the schema; nothing is changed. Throws `ConfigurationFault`, `StoreFault`.
   */
  planMigration(): Promise<MissingSteps>;
  /**
   * Looks at everything production depends on, and changes nothing. `dkimSelector`: with which the mail server
   * signs. Throws `ConfigurationFault`.
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
   * Faults with file, line and rule; none if the mappings can be used. `folder` undefined: the configured
   * one.
   */
  checkMappings(folder: string | undefined): {
    readonly families: readonly MappingSummary[];
    readonly faults: readonly string[];
  };
  /** What the row of a method says. Throws `Refusal`. `folder`: as for `checkMappings`. */
  showMapping(method: string, folder: string | undefined): MethodCard;
  /** What a method makes of a sample, without any service. Throws `Refusal`. */
  tryMapping(method: string, sample: MappingSample, folder: string | undefined): Promise<MappingTrial>;
  /**
   * Plays the golden files of a folder against the mapping of another one, by default the configured one. Throws
   * `Refusal`.
   */
  replay(folder: string, mappings: string | undefined, progress: Progress): Promise<ReplayOutcome>;
  /**
   * The status report of a running bridge, by its address and a token of scope `read`. Throws an error with a
   * readable message.
   */
  fetchStatusReport(url: string, token: Secret, wanted: WantedView): Promise<StatusReport>;
  /** `id:base64`. */
  newKey(id: string | undefined): string;
}
