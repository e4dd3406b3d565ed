import { z } from 'zod';
import { dropLosses, dropNamed, refuseLosses, type LossyWrites } from '../../../mapping/lossy-writes.ts';

/** `client.list=v2,job.list=v2`: methods, each with its API version. */
export const routes = z.string().transform((text, context): ReadonlyMap<string, 'v2' | 'v3'> => {
  const chosen = new Map<string, 'v2' | 'v3'>();
  for (const part of text.split(',').map((one) => one.trim())) {
    const match = /^([a-z]+(?:\.[a-z]+)+)=(v2|v3)$/.exec(part);
    if (match === null) {
      context.addIssue({ code: 'custom', message: 'takes method=v2 or method=v3, separated by commas' });
      return z.NEVER;
    }
    chosen.set(match[1] ?? '', match[2] === 'v2' ? 'v2' : 'v3');
  }
  return chosen;
});

/** `refuse`, `drop`, or `drop:Client/DateOfBirth,Job/add-partner`. */
export const lossyWrites = z.string().transform((text, context): LossyWrites => {
  if (text === 'refuse') return refuseLosses;
  if (text === 'drop') return dropLosses;
  const elements = /^drop:(.*)$/
    .exec(text)?.[1]
    ?.split(',')
    .map((element) => element.trim());
  if (elements?.every((element) => /^[\w-]+(\/[\w-]+)+$/.test(element)) === true) return dropNamed(elements);
  context.addIssue({
    code: 'custom',
    message:
      'takes refuse, drop, or drop:Client/DateOfBirth,… with elements as docs/reference/methods/ names them',
  });
  return z.NEVER;
});

/** Identifiers of organisations, as the service gives them; not names, because two organisations may share one. */
export const organisationIds: z.ZodType<readonly string[], string> = z
  .string()
  .transform((value) => value.split(',').map((part) => part.trim()))
  .refine((ids) => ids.every((id) => /^[\w-]{8,64}$/.test(id)), {
    error: 'must be ids of organisations, separated by commas; causeway verify names the id',
  });
