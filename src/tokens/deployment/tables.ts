import type { WrittenDoubt } from './deployment.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    deployment: DeploymentRow;
    deployment_instances: DeploymentInstanceRow;
  }
}

/** One row, made with the table. */
export interface DeploymentRow {
  name: 'this';
  id: string;
  epoch: number;
  /** Where the database lay when it was last in use; empty before that, or where it cannot be told. */
  place: string | null;
  /** When the mark outside was first written. */
  marked_at: number | null;
  doubt: WrittenDoubt | null;
  doubted_at: number | null;
  /** The highest epoch that who wrote the doubt has seen. */
  seen_epoch: number | null;
  acknowledged_at: number | null;
}

/** A bridge that runs, while the database is on a server. */
export interface DeploymentInstanceRow {
  id: string;
  /** Its last sign of life, by the database's clock. */
  at: number;
  /** Where it has held the database against what it had seen before. */
  place: string | null;
}
