import { z } from 'zod';

/** Basic types of a seed. */

/** V1 numbers fit 32 bits; the limit leaves room for records created later. */
export const number = z.int().min(1).max(2_000_000_000).optional();
export const uuid = z.guid().optional();
export const ids = { number, uuid };
/** Identifiers of a record whose number is text. */
export const codedIds = (form: RegExp) => ({
  number: z.string().regex(form).optional(),
  internalId: number,
  uuid,
});
export const name = z.string().min(1);
export const date = z.iso.date().optional();
/** UTC. */
export const moment = z.iso.datetime().optional();
/** When a record was created and last changed. */
export const times = { createdAt: moment, modifiedAt: moment };
export const amount = z.union([z.number(), z.string().regex(/^-?\d+(\.\d+)?$/)]).optional();
export const flag = z.boolean().optional();
/** A reference to another record by V1 number, UUID or name. */
export const reference = z.union([z.int().positive(), z.string().min(1)]);

/** Values of custom fields, by the names of the fields. */
export const customFields = z
  .array(z.strictObject({ name, value: z.union([z.string(), z.number(), z.boolean()]) }))
  .optional();

/** Optional texts with these names. */
export const texts = <const Name extends string>(...names: readonly Name[]) =>
  Object.fromEntries(names.map((each) => [each, z.string().optional()])) as Record<
    Name,
    z.ZodOptional<z.ZodString>
  >;
