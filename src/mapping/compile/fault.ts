/** A fault in a mapping file stops the start; it names the file, the line and the rule that was broken. */
export interface MappingFault {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

export class MappingFaults extends Error {
  readonly faults: readonly MappingFault[];

  constructor(faults: readonly MappingFault[]) {
    super(faults.map(({ file, line, rule }) => `${file}:${line}: ${rule}`).join('\n'));
    this.name = 'MappingFaults';
    this.faults = faults;
  }
}
