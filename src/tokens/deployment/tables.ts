import type { WrittenDoubt } from './deployment.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    deployment: DeploymentRow;
    deployment_instances: DeploymentInstanceRow;
  }
}

/** A single row, created with the table. */
export interface DeploymentRow {
  name: 'this';
  id: string;
  epoch: number;
  /** Where the database was when last in use; empty before that, or if it cannot be determined. */
  place: string | null;
  /** When the mark outside was first written. */
  marked_at: number | null;
  doubt: WrittenDoubt | null;
  doubted_at: number | null;
  /** The highest epoch seen by the process that stored the doubt. */
  seen_epoch: number | null;
  acknowledged_at: number | null;
}

/** A running bridge, if the database is on a server. */
export interface DeploymentInstanceRow {
  id: string;
  /** Its last sign of life, by the database's clock. */
  at: number;
  /** Where it has compared the database with what it had seen before. */
  place: string | null;
}
