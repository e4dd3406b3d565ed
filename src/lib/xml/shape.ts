/** The table from which a writer is compiled: the order of rows is the order of elements. */
export interface Shape {
  readonly rows: readonly Row[];
}

/** An element of a record: text, a nested record, or a list in a container. */
export type Row =
  /**
   * `always`: `<Name></Name>` if empty or undefined. `whenSet`: left out if empty or undefined. `asGiven`:
   * `<Name></Name>` if empty, left out if undefined.
   */
  | { readonly element: string; readonly text: 'always' | 'whenSet' | 'asGiven' }
  /** A nested record, left out if undefined. */
  | { readonly element: string; readonly record: Shape }
  /**
   * `present`: `<Contacts />` if empty. `whenSet`: left out if undefined, `<Contacts />` for an empty list.
   */
  | {
      readonly element: string;
      readonly list: { readonly element: string; readonly of: Shape };
      readonly empty: 'present' | 'whenSet';
    };

/** One value per row of the shape, in row order; undefined is absent. */
export type RecordValue = readonly FieldValue[];
/** The value of one row; the row determines its form. */
export type FieldValue = string | Markup | RecordValue | readonly RecordValue[] | undefined;
/** A value that contains elements, as XML. */
export interface Markup {
  readonly xml: string;
}
