/** A fault in a mapping file stops the start; it names the file, the line and the rule that was broken. */
export interface MappingFault {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
}

/** Every fault of the mapping at once, so that a file is mended in one go; nothing is served from a faulty mapping. */
export class MappingFaults extends Error {
  readonly faults: readonly MappingFault[];

  constructor(faults: readonly MappingFault[]) {
    super(faults.map(({ file, line, rule }) => `${file}:${line}: ${rule}`).join('\n'));
    this.name = 'MappingFaults';
    this.faults = faults;
  }
}
