import type { z } from 'zod';

/** One setting. */
export interface Row<Value, Always extends boolean> {
  readonly meaning: string;
  readonly type: z.ZodType<Value, string>;
  /** The default, as text; undefined: not set. */
  readonly fallback: Always extends true ? string : undefined;
  /** The effect of leaving it out, if `fallback` does not say so. */
  readonly without: string;
  /** Can be given as `…_FILE`, and is never shown. */
  readonly secret: boolean;
  readonly example: string;
}

interface About {
  readonly meaning: string;
  readonly without?: string;
  readonly secret?: boolean;
  readonly example: string;
}

const row = <Value, Always extends boolean>(
  type: z.ZodType<Value, string>,
  fallback: Row<Value, Always>['fallback'],
  about: About,
): Row<Value, Always> => ({ without: '', secret: false, ...about, type, fallback });

/** A setting that has a default. */
export const given = <Value>(
  type: z.ZodType<Value, string>,
  fallback: string,
  about: Omit<About, 'example'>,
): Row<Value, true> => row<Value, true>(type, fallback, { ...about, example: fallback });

/** A setting that may be missing. */
export const optional = <Value>(
  type: z.ZodType<Value, string>,
  about: About & { without: string },
): Row<Value, false> => row<Value, false>(type, undefined, about);
