export interface CsvLine {
  /** As a person counts: the first line of the file is 1. */
  readonly line: number;
  readonly cells: readonly string[];
}

/**
 * Reads comma- or semicolon-separated text (whichever the first line has), quoted cells included. Empty lines are
 * left out. A quote that never closes makes the rest one cell, which no caller takes for a good one.
 */
export function readCsv(text: string): readonly CsvLine[] {
  const content = text.replace(/^\uFEFF/, '');
  const separator = /^[^\r\n]*;/.test(content) && !/^[^\r\n;]*,/.test(content) ? ';' : ',';
  const pattern = new RegExp(
    `(?:"((?:[^"]|"")*)"?|([^${separator}\\r\\n]*))(${separator}|\\r?\\n|\\r|$)`,
    'gy',
  );
  const lines: CsvLine[] = [];
  let cells: string[] = [];
  let line = 1;
  let next = 1;
  while (pattern.lastIndex < content.length) {
    const [whole, quoted, bare = '', end = ''] = pattern.exec(content) ?? [content];
    cells.push((quoted?.replaceAll('""', '"') ?? bare).trim());
    next += whole.match(/\r?\n|\r/g)?.length ?? 0;
    if (end === separator && pattern.lastIndex < content.length) continue;
    if (cells.some((cell) => cell !== '')) lines.push({ line, cells });
    cells = [];
    line = next;
  }
  return lines;
}
