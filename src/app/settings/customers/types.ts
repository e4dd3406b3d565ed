/** Types of the settings that customers see on pages and in mails. */
import { z } from 'zod';
import { isLoopback, readBy } from '../types.ts';
import { parseHours } from '../../../features/campaign/schedule/hours.ts';
import { parseAfterwards, parseMailbox } from '../../../features/campaign/bounces/mailbox/mailbox.ts';
import { Secret } from '../../../lib/secret/secret.ts';
import { isZone, spelledZone } from '../../../lib/time/zone.ts';

/** A name for use within sentences: one line of a reasonable length. */
export const name: z.ZodType<string, string> = z
  .string()
  .transform((value) => value.trim())
  .refine((value) => /^[^\p{Cc}\u2028\u2029{}*]{1,80}$/u.test(value), {
    error: 'must be a name of 1 to 80 characters in one line, without braces and asterisks',
  });

/** A zone of the IANA database. */
export const zone: z.ZodType<string, string> = z
  .string()
  .refine(isZone, { error: 'must be a zone of the IANA database, such as Europe/Berlin or UTC' })
  .transform(spelledZone);

/** Days and hours of a week. */
export const mailHours = readBy(
  parseHours,
  'must be any, 08:00-18:00, or days and hours like mon-fri 09:00-17:00',
);

/** A secret that is part of an address. */
export const secretInAddress: z.ZodType<Secret, string> = z
  .string()
  .regex(/^[\w-]{24,200}$/, { error: 'must have 24 to 200 letters, digits, hyphens and underscores' })
  .transform((value) => new Secret(value));

/** The ARN of a topic. */
export const snsTopic: z.ZodType<string, string> = z
  .string()
  .regex(/^arn:aws[a-z-]*:sns:[a-z0-9-]+:\d{12}:[\w-]{1,256}$/, {
    error: 'must be the ARN of a topic, such as arn:aws:sns:eu-west-1:123456789012:bounces',
  });

/** A mailbox. */
export const mailbox = readBy(
  parseMailbox,
  'must be imaps://user:password@host or imap://user:password@host, optionally with a port (special characters percent-encoded), and nothing after it',
);

/** What is done with a bounce after it was read. */
export const afterwards = readBy(parseAfterwards, 'must be seen, leave or move:FOLDER');

/** A page that customers are sent to: https, without characters that could end its attribute in HTML. */
export const announcement: z.ZodType<string, string> = z
  .string()
  .refine((value) => /^https:\/\/[^\s"'<>\\]+$/.test(value) && URL.canParse(value) && !hasPassword(value), {
    error: 'must be a whole address, beginning with https://',
  });

const hasPassword = (value: string): boolean => {
  const url = URL.parse(value);
  return url?.username !== '' || url.password !== '';
};

/** Origins of pages that may show the bridge's in a frame: https except for loopback, and nothing after the host. */
export const origins: z.ZodType<readonly string[], string> = z.string().transform((value, context) => {
  const all = value.split(',').map((one) => one.trim());
  const wrong = all.some((one) => URL.parse(one)?.origin !== one || !isSafe(one));
  if (wrong)
    context.addIssue({
      code: 'custom',
      message: 'must be origins such as https://app.example.com, separated by commas',
    });
  return all;
});

const isSafe = (origin: string): boolean =>
  origin.startsWith('https://') || isLoopback(URL.parse(origin)?.hostname ?? '');
