import { textOf } from './compile/path.ts';

/**
 * How a value is written on each side. V3 speaks the legacy form already, so `fromV3` mostly leaves a text alone; V2 has
 * JSON values.
 */
export interface Format {
  /** Of V3's text, where it differs from the legacy form. */
  readonly fromV3?: (text: string) => string;
  /**
   * Legacy text of what V2 gives, one value for each path of the row; undefined where V2 has none. `lost` is called
   * when the text says less than the value.
   */
  readonly fromV2: (values: readonly unknown[], lost: () => void) => string | undefined;
  /** The ways come in groups of so many; the first group that holds a value is read, and no way behind it is walked. */
  readonly group?: number;
  /**
   * JSON values for the legacy text of a request, one for each path of the row; undefined when the text has not the
   * form. Left out: the format is for replies only.
   */
  readonly toV2?: (text: string) => readonly unknown[] | undefined;
}

/** For formats of one path: an absent or null value stays unset, and only what is there is converted. */
export const single =
  (read: (value: unknown, lost: () => void) => string | undefined): Format['fromV2'] =>
  ([value], lost) =>
    value === undefined || value === null ? undefined : read(value, lost);

/** As `single`, for values that can be written as text. */
export const texts =
  (read: (text: string, lost: () => void) => string | undefined): Format['fromV2'] =>
  ([value], lost) => {
    const text = textOf(value);
    return text === undefined ? undefined : read(text, lost);
  };

/** As it is. */
export const plain: Format['fromV2'] = ([value]) => textOf(value);

/** The values of a request whose row has a single path. */
export const one = (value: unknown): readonly unknown[] => [value];

/** As `one`; undefined where the legacy text does not have the form. */
export const wrap = (value: string | undefined): readonly unknown[] | undefined =>
  value === undefined ? undefined : [value];
