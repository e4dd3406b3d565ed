declare module '../../../db/tables.ts' {
  interface Tables {
    account_groups: AccountGroupRow;
  }
}

export interface AccountGroupRow {
  name: string;
  /** As `filterText` writes it. */
  query: string;
  saved_at: number;
  saved_by: string;
}
