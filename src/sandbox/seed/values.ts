import { z } from 'zod';

/** The atoms of a seed. */

/** V1 numbers fit 32 bits; room is left above them for records that come later. */
export const number = z.int().min(1).max(2_000_000_000).optional();
export const uuid = z.guid().optional();
export const ids = { number, uuid };
export const name = z.string().min(1);
export const date = z.iso.date().optional();
/** UTC. */
export const moment = z.iso.datetime().optional();
export const amount = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).optional();
export const flag = z.boolean().optional();
/** Another record: its V1 number, or its UUID or name. */
export const reference = z.union([z.int().positive(), z.string().min(1)]);

export const texts = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((each) => [each, z.string().optional()])) as Record<
    Name,
    z.ZodOptional<z.ZodString>
  >;
