/**
 * The types of the settings table: each parses the text of one environment variable, or describes its fault.
 *
 * A message never repeats the text, which may be a secret; the reader adds it if the setting is not one. Texts that may
 * contain a password or a token become a `Secret`, which no log prints. Addresses that customers or events use must be
 * https, except on loopback.
 */
import { availableParallelism } from 'node:os';
import { isIPv6 } from 'node:net';
import { z } from 'zod';
import { Secret } from '../../lib/secret/secret.ts';
import { colourForm } from '../../features/campaign/brand.ts';
import { parseAddress } from '../../features/accounts/details.ts';
import { parseNetwork, withoutBrackets, type Network } from '../../lib/net/network.ts';
import { KeyRingFault, parseKeys } from '../../tokens/sealing/keyring.ts';
import type { Sender } from '../../features/campaign/mail/message.ts';
import { parseMailServer } from '../../features/campaign/mail/mail-server.ts';

/** Any text. */
export const text = z.string();

/** A whole number from `least` to `most`; at most nine digits, so that no value loses precision. */
export const wholeNumber = (least: number, most: number): z.ZodType<number, string> =>
  z
    .string()
    .refine((value) => /^\d{1,9}$/.test(value) && Number(value) >= least && Number(value) <= most, {
      error: `must be a whole number from ${least} to ${most}`,
    })
    .transform(Number);

/** The number of processes, or `auto` for one per core. */
export const workers: z.ZodType<number, string> = z
  .string()
  .regex(/^(auto|[1-9]|[1-5]\d|6[0-4])$/, { error: 'must be auto or a whole number from 1 to 64' })
  .transform((value) => (value === 'auto' ? availableParallelism() : Number(value)));

/** `2026-12-31`. */
export const date: z.ZodType<string, string> = z.iso.date({ error: 'must be a date like 2026-12-31' });

/** Days after another day, ascending; `none` is an empty list. */
export const days: z.ZodType<readonly number[], string> = z
  .string()
  .regex(/^(none|[1-9]\d{0,2}( *, *[1-9]\d{0,2}){0,19})$/, {
    error: 'must be whole numbers of days from 1 to 999, separated by commas, or none',
  })
  .transform((value) => (value === 'none' ? [] : value.split(',').map(Number)))
  .refine((list) => list.every((day, index) => index === 0 || day > (list[index - 1] ?? 0)), {
    error: 'must be days in ascending order',
  });

/** One of the words, spelled exactly. */
export const choice = <const Words extends readonly string[]>(
  words: Words,
): z.ZodType<Words[number], string> =>
  z.string().refine((value): value is Words[number] => words.includes(value), {
    error: `must be ${words.join(' or ')}`,
  });

const switchWords: ReadonlyMap<string, boolean> = new Map([
  ['on', true],
  ['true', true],
  ['off', false],
  ['false', false],
]);

/** `on` or `true`, `off` or `false`, in any case. */
export const onOff: z.ZodType<boolean, string> = z.string().transform((value, context) => {
  const position = switchWords.get(value.toLowerCase());
  if (position === undefined) context.addIssue({ code: 'custom', message: 'must be on or off' });
  return position ?? false;
});

const loopback = /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/;

/** Addresses that never leave this machine; of names only localhost counts, whatever others resolve to. */
export const isLoopback = (host: string): boolean =>
  loopback.test(host.includes(':') && !host.startsWith('[') ? `[${host}]` : host);

/** The fault of the root of an HTTP address, as text; undefined: none. */
function rootFault(value: string, secure: boolean): string | undefined {
  const url = URL.parse(value);
  if (url === null || !['http:', 'https:'].includes(url.protocol))
    return 'must be a whole address, beginning with https:// or http://';
  if (url.username !== '' || url.password !== '') return 'must not hold a user name or password';
  if (url.search !== '' || url.hash !== '') return 'must end with the path: no ? and no #';
  if (secure && url.protocol !== 'https:' && !isLoopback(url.hostname))
    return 'must begin with https:// (only a loopback address may do without)';
  return undefined;
}

const address = (secure: boolean): z.ZodType<string, string> =>
  z.string().transform((value, context) => {
    const message = rootFault(value, secure);
    if (message !== undefined) context.addIssue({ code: 'custom', message });
    return value.replace(/\/+$/, '');
  });

/** Root of an upstream, without its last slash. */
export const root = address(false);
/** Root of V2 with its version segment, which may be left out (the V2 specification prints `/v2/`). */
export const v2Root: z.ZodType<string, string> = root.transform((value) =>
  /\/v2$/i.test(value) ? value : `${value}/v2`,
);
/** Root that browsers and legacy programs use: https, except on loopback. */
export const publicRoot = address(true);

/** The receiver of events: https, except on loopback. Its path or query often contains a token of the receiver. */
export const eventsAddress: z.ZodType<Secret, string> = z.string().transform((value, context) => {
  const message = rootFault(value.replace(/\?[^#]*/, ''), true);
  if (message !== undefined) context.addIssue({ code: 'custom', message });
  return new Secret(value);
});

/** Shared with the receiver of events. HMAC-SHA256 gains nothing above 32 bytes, and loses much below. */
export const signingSecret: z.ZodType<Secret, string> = z
  .string()
  .min(24, { error: 'must have at least 24 characters' })
  .transform((value) => new Secret(value));

/** A text that appears in no log and no message. */
export const secret: z.ZodType<Secret, string> = z
  .string()
  .min(1, { error: 'must not be empty' })
  .transform((value) => new Secret(value));

/**
 * In characters. A token invented by a person must be too long to guess; a key of 128 bits has 32 characters in hex.
 */
const LEAST_TOKEN = 32;
const LEAST_VARIED = 8;
/** A token for console and API, chosen by an operator. */
export const accessToken: z.ZodType<Secret, string> = z
  .string()
  .refine(
    (value) => value.trim() === value && value.length >= LEAST_TOKEN && new Set(value).size >= LEAST_VARIED,
    {
      error: `must have at least ${LEAST_TOKEN} characters, ${LEAST_VARIED} of them different and none a space at its ends: whoever guesses it may do everything (openssl rand -hex 32 makes one)`,
    },
  )
  .transform((value) => new Secret(value));

/** Names or addresses of machines, separated by commas; no port, IPv6 without brackets. */
export const hosts: z.ZodType<readonly string[], string> = z.string().transform((value, context) => {
  const parts = value.split(',').map((part) => withoutBrackets(part.trim().toLowerCase()));
  if (!parts.every((part) => /^[a-z0-9_][a-z0-9._-]*$/.test(part) || isIPv6(part)))
    context.addIssue({
      code: 'custom',
      message: 'must be names or addresses of machines, separated by commas',
    });
  return parts;
});

/** Networks in CIDR form, separated by commas. */
export const networks: z.ZodType<readonly Network[], string> = z.string().transform((value, context) => {
  const parts = value.split(',').map((part) => part.trim());
  const read = parts.map(parseNetwork);
  if (read.includes(undefined))
    context.addIssue({
      code: 'custom',
      message: 'must be networks like 10.0.0.0/8 or single addresses, separated by commas',
    });
  const found = read.filter((one) => one !== undefined);
  if (found.some(({ prefix }) => prefix === 0))
    context.addIssue({
      code: 'custom',
      message: 'must not cover every address: anybody could then pretend to be anybody',
    });
  return found;
});

/** Comma-separated secrets, tried in order. */
export const secrets: z.ZodType<readonly Secret[], string> = z.string().transform((value, context) => {
  const parts = value.split(',').map((part) => part.trim());
  if (parts.includes(''))
    context.addIssue({ code: 'custom', message: 'must be secrets separated by single commas' });
  return parts.map((part) => new Secret(part));
});

/** An address that may contain a password, and so is a secret. */
export const secretAddress = (form: RegExp, message: string): z.ZodType<Secret, string> =>
  z
    .string()
    .regex(form, { error: message })
    .transform((value) => new Secret(value));

/** `id:base64-32-bytes[,id:…]`, checked by the vault's own reader, whose messages never quote a key. */
export const encryptionKeys: z.ZodType<Secret, string> = z.string().transform((value, context) => {
  try {
    parseKeys(value);
  } catch (error) {
    if (!(error instanceof KeyRingFault)) throw error;
    context.addIssue({
      code: 'custom',
      message: `must be id:key[,id:key], each key 32 bytes in base64: ${error.faults.join('; ')} (causeway keys generate makes one)`,
    });
  }
  return new Secret(value);
});

/** What `parse` reads; where it gives undefined, `fault` says what the value must be. */
export function readBy<Value>(
  parse: (text: string) => Value | undefined,
  fault: string,
): z.ZodType<Value, string> {
  return z.string().transform((text, context) => {
    const read = parse(text);
    if (read !== undefined) return read;
    context.addIssue({ code: 'custom', message: fault });
    return z.NEVER;
  });
}

/** `smtp://` or `smtps://`. */
export const mailServer = readBy(
  parseMailServer,
  'must be smtp://host:port or smtps://host:port, optionally with user:password@ (special characters percent-encoded), and nothing after it',
);

/** One plain e-mail address. */
export const emailAddress = readBy(parseAddress, 'must be one e-mail address');

/** `name@host`, or `Some Name <name@host>`. */
export const sender: z.ZodType<Sender, string> = z.string().transform((value, context) => {
  const [, name = '', inside] = /^\s*([^<>\p{Cc}]*)<([^<>]*)>\s*$/u.exec(value) ?? [];
  const address = parseAddress(inside ?? value);
  if (address === undefined)
    context.addIssue({ code: 'custom', message: 'must be an e-mail address, or Name <address>' });
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address: address ?? '' };
});

/** A colour of the customers' pages. */
export const colour: z.ZodType<string, string> = z
  .string()
  .regex(colourForm, { error: 'must be a colour of the form #rrggbb' })
  .transform((value) => value.toLowerCase());

/** In characters: a logo given as data is part of each e-mail and must not make it heavy. */
const LONGEST_LOGO = 200_000;

/** A picture for e-mails and pages: an https address, which cannot be read on the way, or the data itself. */
export const logo: z.ZodType<string, string> = z
  .string()
  .max(LONGEST_LOGO, { error: `must not be longer than ${LONGEST_LOGO} characters` })
  .refine((value) => isPicture(value) || isHttps(value), {
    error: 'must begin with https://, or be data:image/png;base64,… (or gif, jpeg, svg+xml, webp)',
  });

const isPicture = (value: string): boolean =>
  /^data:image\/(png|gif|jpeg|svg\+xml|webp);base64,[a-z0-9+/]+=*$/i.test(value);

const isHttps = (value: string): boolean =>
  !/[\s"'<>]/.test(value) && URL.parse(value)?.protocol === 'https:' && URL.parse(value)?.username === '';

/** BCP 47, such as `en` or `pt-br`. */
export const language: z.ZodType<string, string> = z
  .string()
  .regex(/^[a-z]{2,3}(-[a-z0-9]{2,8})*$/i, { error: 'must be a language, such as en or pt-br' })
  .transform((value) => value.toLowerCase());
