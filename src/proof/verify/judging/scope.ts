import type { Method } from '../../../mapping/compile/model.ts';
import type { Edit, Finding, Remark, Surface } from '../model.ts';
import type { Renaming } from './settled.ts';
import type { Reference } from './reference.ts';

/** One method on one surface whose answers are being compared. */
export interface Scope {
  readonly method: Method;
  readonly surface: Surface;
  /** The mapping file of the method. */
  readonly file: string;
  readonly reference: Reference;
  /** Elements that this way of serving cannot show. */
  readonly absent: ReadonlySet<string>;
  /** Corrections to the look-ups of unknown outcomes for an element with another name on V1. */
  readonly settled: (renaming: Renaming) => readonly Edit[];
  readonly seen: Set<string>;
  readonly unseen: Set<string>;
  readonly found: (finding: Omit<Finding, 'surface' | 'methods'>) => void;
  readonly remark: (remark: Omit<Remark, 'surface'>) => void;
}

/** The position of a row in its file. */
export const rowAt = (table: string, element: string): Edit['at'] => ['records', table, element];

/** Deepest nesting of records to compare, because a record may contain itself. */
export const DEEPEST = 6;
