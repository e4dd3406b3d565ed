/** Types of the settings for the people who run the bridge. */
import { z } from 'zod';
import type { TokenScope } from '../../../features/admin/tokens/token.ts';
import { outgoingEvents, type OutgoingEvent } from '../../../features/events/delivery.ts';
import { parseAddress } from '../../../features/accounts/details.ts';
import { parseWeeklyTime } from '../../../features/status/weekly/weekly-time.ts';
import { publicRoot, readBy } from '../types.ts';
import { decoded } from '../../../lib/text/address-text.ts';

/**
 * An OpenID provider: https except for loopback. Kept as it is, because an issuer with a trailing slash is a different
 * one.
 */
export const issuer: z.ZodType<string, string> = z.string().transform((value, context) => {
  const read = publicRoot.safeParse(value);
  for (const { message } of read.error?.issues ?? []) context.addIssue({ code: 'custom', message });
  return value;
});

const roles: ReadonlyMap<string, TokenScope> = new Map([
  ['read', 'read'],
  ['operate', 'operate'],
  ['admin', 'administer'],
]);

/** `admin=bridge-admins,read=support`: the values of a claim that give each role. */
export const roleValues = z.string().transform((text, context): ReadonlyMap<string, TokenScope> => {
  const found = text.split(',').map((part) => {
    const [, role = '', value = ''] = /^ *(\w+)=(\S.*?) *$/.exec(part) ?? [];
    return [decoded(value), roles.get(role)] as const;
  });
  const good = found.flatMap(([value, scope]) =>
    value === undefined || value === '' || scope === undefined ? [] : [[value, scope] as const],
  );
  if (good.length < found.length || new Set(good.map(([value]) => value)).size < good.length)
    context.addIssue({
      code: 'custom',
      message:
        'takes read=VALUE, operate=VALUE or admin=VALUE, separated by commas, each value once (a comma within one as %2C)',
    });
  return new Map(good);
});

/** Kinds of events, or `all`. */
export const alertKinds = z.string().transform((text, context): ReadonlySet<OutgoingEvent> => {
  if (text.trim() === 'all') return new Set(outgoingEvents);
  const wanted = text.split(',').map((part) => part.trim());
  const known = outgoingEvents.filter((kind) => wanted.includes(kind));
  if (known.length < new Set(wanted).size)
    context.addIssue({
      code: 'custom',
      message: `must be all, or some of ${outgoingEvents.join(', ')}, separated by commas`,
    });
  return new Set(known);
});

/** Plain e-mail addresses, each once. */
export const addresses = z.string().transform((text, context): readonly string[] => {
  const parts = text.split(',').map((part) => parseAddress(part.trim()));
  const found = parts.filter((one) => one !== undefined);
  if (found.length < parts.length)
    context.addIssue({ code: 'custom', message: 'must be e-mail addresses, separated by commas' });
  return [...new Map(found.map((one) => [one.toLowerCase(), one])).values()];
});

/** `mon 08:00`. */
export const weeklyTime = readBy(parseWeeklyTime, 'must be a day of the week and a time, like mon 08:00');
