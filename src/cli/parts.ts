import type { Board } from '../domain/board.ts';
import type { Secret } from '../domain/secret.ts';
import type { Terminal } from './terminal.ts';
import type { Tools } from './tools.ts';

/** One setting as it is in force; the value of a secret is never here. */
export interface SettingLine {
  readonly setting: string;
  readonly value: string;
  readonly from: string;
}

export interface MappingSummary {
  readonly family: string;
  readonly methods: number;
}

/** The row of a method, for people. */
export interface MethodCard {
  readonly method: string;
  readonly summary: string;
  readonly legacy: string;
  readonly v3: string;
  readonly v2: readonly string[];
  readonly why: string | undefined;
  readonly grade: string | undefined;
  readonly route: string;
  readonly losses: readonly string[];
}

/** V2's answer as JSON, or a legacy request as XML. */
export interface TrySample {
  readonly json?: string | undefined;
  readonly xml?: string | undefined;
  readonly query?: readonly (readonly [string, string])[];
}

export interface TryResult {
  readonly requests: readonly { readonly call: string; readonly body: string | undefined }[];
  /** Undefined where the call failed. */
  readonly reply: string | undefined;
  readonly failure: string | undefined;
  readonly dropped: readonly string[];
  readonly rounded: readonly string[];
}

/** What the command line is made from; handed in by whoever starts it. */
export interface CliParts {
  readonly version: string;
  readonly terminal: Terminal;
  /** Reads the settings and opens the store. Throws `ConfigurationFault`, and what the store throws. */
  openTools(): Promise<Tools>;
  /** Throws `ConfigurationFault`. */
  checkConfig(): Promise<{
    readonly settings: readonly SettingLine[];
    readonly notices: readonly string[];
  }>;
  /** Faults with file, line and rule; none when the mappings can be used. `folder`: undefined is the configured one. */
  checkMappings(folder: string | undefined): {
    readonly families: readonly MappingSummary[];
    readonly faults: readonly string[];
  };
  /** What the row of a method says. Throws `Refusal`. `folder`: as for `checkMappings`. */
  showMapping(method: string, folder: string | undefined): MethodCard;
  /** What a method makes of a sample, without any service. Throws `Refusal`. */
  tryMapping(method: string, sample: TrySample, folder: string | undefined): Promise<TryResult>;
  /** The board of a running bridge, by its address and a token of scope `read`. Throws an error in words. */
  fetchBoard(url: string, token: Secret): Promise<Board>;
  /** `id:base64`. */
  newKey(id: string | undefined): string;
}
