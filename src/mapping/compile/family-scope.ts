import type { Kind } from '../crosswalk/identifier.ts';
import type { KindTable, PartTable } from './model.ts';
import type { V2Tables } from './v2/v2-model.ts';

/** V3's name of an identifier element; `given`: set by its row. */
export type Naming = (element: string, given: string | undefined) => string;

/** What the families of a mapping share. */
export interface FamilyScope {
  readonly kinds: ReadonlyMap<Kind, KindTable>;
  readonly parts: ReadonlyMap<Kind, PartTable>;
  readonly naming: Naming;
  readonly v2: V2Tables;
}
