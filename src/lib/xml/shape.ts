/** The table a writer is compiled from: row order is element order. */
export interface Shape {
  readonly rows: readonly Row[];
}

/** An element of a record: text, a nested record, or a list in a container. */
export type Row =
  /**
   * `always`: `<Name></Name>` when empty or undefined. `whenSet`: left out when empty or undefined.
   * `asGiven`: `<Name></Name>` when empty, left out when undefined.
   */
  | { readonly element: string; readonly text: 'always' | 'whenSet' | 'asGiven' }
  /** A nested record, left out when undefined. */
  | { readonly element: string; readonly record: Shape }
  /** `present`: `<Contacts />` when empty. `whenSet`: left out when undefined, `<Contacts />` when an empty list is given. */
  | {
      readonly element: string;
      readonly list: { readonly element: string; readonly of: Shape };
      readonly empty: 'present' | 'whenSet';
    };

/** One value per row of the shape, in row order; undefined is absent. */
export type RecordValue = readonly FieldValue[];
/** The value of one row; its form is the row's. */
export type FieldValue = string | RecordValue | readonly RecordValue[] | undefined;
