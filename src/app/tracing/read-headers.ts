import { z } from 'zod';
import { Secret } from '../../lib/secret/secret.ts';
import { decoded } from '../../lib/text/address-text.ts';

/** A name of RFC 9110, section 5.6.2. */
const NAME = /^[!#$%&'*+.^_`|~\w-]+$/;
const VALUE = /^[\t\x20-\x7e]*$/;

/** Reads `name=value,name=value` with percent-encoded values; undefined: the text has another form. */
export function readHeaders(text: string): Readonly<Record<string, string>> | undefined {
  const found: Record<string, string> = {};
  for (const part of text.split(',')) {
    const sign = part.indexOf('=');
    const name = part.slice(0, Math.max(0, sign)).trim().toLowerCase();
    const value = decoded(part.slice(sign + 1).trim());
    if (!NAME.test(name) || value === undefined || !VALUE.test(value)) return undefined;
    found[name] = value;
  }
  return found;
}

/**
 * `name=value[,name=value]`, in the form of `OTEL_EXPORTER_OTLP_HEADERS`: values are percent-encoded where necessary.
 */
export const headers: z.ZodType<Secret, string> = z
  .string()
  .refine((value) => readHeaders(value) !== undefined, {
    error: 'must be name=value, separated by commas, with percent-encoding for what a header cannot hold',
  })
  .transform((value) => new Secret(value));
