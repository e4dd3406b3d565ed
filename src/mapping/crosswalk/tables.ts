import type { PairOrigin } from './identifier.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    crosswalk: CrosswalkRow;
    crosswalk_kinds: CrosswalkKindRow;
    crosswalk_unlearned: CrosswalkUnlearnedRow;
  }
}

/**
 * A pair; unique by number and by UUID within account and kind. `learned` and `imported` existed before the move.
 * 1.0.0-rc.1 stored imported ones as `learned`.
 */
export interface CrosswalkRow {
  account_id: string;
  kind: string;
  number: number;
  /** Lower case. */
  uuid: string;
  origin: PairOrigin;
}

/** One row per account and kind; its lock orders everything that adds pairs. */
export interface CrosswalkKindRow {
  account_id: string;
  kind: string;
  complete: 0 | 1;
  /** The highest number ever assigned, so that none is assigned twice. */
  allotted_to: number;
}

/**
 * A record whose number is not known, though it may have one; `first_seen` in milliseconds since the epoch.
 */
export interface CrosswalkUnlearnedRow {
  account_id: string;
  kind: string;
  uuid: string;
  first_seen: number;
}
