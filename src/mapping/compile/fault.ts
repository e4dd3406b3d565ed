/** A fault in a mapping file prevents the start; it names the file, the line and the broken rule. */
export interface MappingFault {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

/**
 * Every fault of the mapping at once, so that all can be corrected together; a faulty mapping is not served.
 */
export class MappingFaults extends Error {
  readonly faults: readonly MappingFault[];

  constructor(faults: readonly MappingFault[]) {
    super(faults.map(({ file, line, rule }) => `${file}:${line}: ${rule}`).join('\n'));
    this.name = 'MappingFaults';
    this.faults = faults;
  }
}
