import { textOf } from './compile/path.ts';

/**
 * How a value is written on each side. V3 already speaks the legacy form, so `fromV3` mostly leaves a text
 * unchanged; V2 has JSON values.
 */
export interface Format {
  /** Converts V3's text, if it differs from the legacy form. */
  readonly fromV3?: (text: string) => string;
  /**
   * Legacy text for V2's values, one for each path of the row; undefined if V2 has none. `lost` is called if
   * the text is less precise than the value.
   */
  readonly fromV2: (values: readonly unknown[], lost: () => void) => string | undefined;
  /**
   * The paths come in groups of this size; the first group with a value is read, and the others are skipped.
   */
  readonly group?: number;
  /**
   * JSON values for the legacy text of a request, one for each path of the row; undefined if the text has the
   * wrong form. Absent: the format is for replies only.
   */
  readonly toV2?: (text: string) => readonly unknown[] | undefined;
}

/** For formats with one path whose value can be written as text; any other value stays unset. */
export const texts =
  (read: (text: string, lost: () => void) => string | undefined): Format['fromV2'] =>
  (values, lost) => {
    const text = textOf(values[0]);
    return text === undefined ? undefined : read(text, lost);
  };

/** The text unchanged. */
export const plain: Format['fromV2'] = (values) => textOf(values[0]);

/** The values of a request whose row has a single path. */
export const one = (value: unknown): readonly unknown[] => [value];

/** Like `one`; undefined if the legacy text has the wrong form. */
export const wrap = (value: string | undefined): readonly unknown[] | undefined =>
  value === undefined ? undefined : [value];
