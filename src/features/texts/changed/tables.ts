declare module '../../../db/tables.ts' {
  interface Tables {
    text_changes: TextChangeRow;
  }
}

/** A change of a text; the highest `seq` of a text counts. */
export interface TextChangeRow {
  seq: number;
  language: string;
  path: string;
  /** JSON: a line or a list of lines; null: as the product has it. */
  text: string | null;
  at: number;
  who: string;
}
