import type { Mapping } from '../../../mapping/compile/model.ts';
import type { Finding, Reading, Remark } from '../model.ts';

/** The input of the judgement. */
export interface Judged {
  readonly mapping: Mapping;
  readonly readings: readonly Reading[];
  /** The mapping file of a method. */
  readonly fileOf: (method: string) => string;
  /** Why a method was not called on a surface, by `client.get v2`. */
  readonly untried: ReadonlyMap<string, string>;
  /** Keys of V2 found under another name in some records. */
  readonly renamed: ReadonlyMap<string, string>;
}

/** Collects findings, each once. */
export class Findings {
  readonly #findings = new Map<string, Finding>();
  readonly #remarks = new Map<string, Remark>();

  get list(): readonly Finding[] {
    return [...this.#findings.values()];
  }

  get remarks(): readonly Remark[] {
    return [...this.#remarks.values()];
  }

  add(method: string, finding: Omit<Finding, 'methods'>): void {
    const key = `${finding.surface} ${finding.kind} ${finding.row} ${finding.expected} ${finding.found ?? ''}`;
    const known = this.#findings.get(key);
    const methods = [...new Set([...(known?.methods ?? []), method])];
    this.#findings.set(key, { ...(known ?? finding), methods });
  }

  remark(remark: Remark): void {
    this.#remarks.set(`${remark.surface} ${remark.row} ${remark.words}`, remark);
  }
}
