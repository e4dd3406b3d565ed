import { z } from 'zod';

const loopback = new Set(['localhost', '127.0.0.1', '[::1]']);

/** HTTPS and a complete callback address (V2 specification, "Prerequisites"); plain HTTP on loopback only. */
function fullAddress(text: string): boolean {
  if (!URL.canParse(text)) return false;
  const url = new URL(text);
  if (url.hash !== '' || url.username !== '') return false;
  return url.protocol === 'https:' || (url.protocol === 'http:' && loopback.has(url.hostname));
}

/** A registered OAuth application. Several secrets are valid side by side, for a change of secret. */
export const applicationSchema = z.strictObject({
  id: z.string().min(1),
  name: z.string().min(1).default('Registered application'),
  /** Address of the company's or the application's site. */
  address: z.string().min(1).optional(),
  secrets: z.array(z.string().min(1)).min(1),
  redirectUris: z
    .array(z.string().refine(fullAddress, 'must be a complete HTTPS address (HTTP on loopback only)'))
    .min(1),
  /** Support grants the practice scope only on request. */
  practice: z.boolean().default(true),
});

export type Application = z.infer<typeof applicationSchema>;
