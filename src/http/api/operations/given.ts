import { z } from 'zod';
import { Secret } from '../../../lib/secret.ts';

/** What an operator may say of an account. */

export const key = z.string().describe('1 to 128 printable characters');

export const details = {
  contactName: z.string().optional(),
  email: z.string().optional(),
  language: z.string().optional().describe('en, pt-br, …'),
  organisationName: z.string().optional().describe('Expected of the consent'),
  organisationId: z.string().optional().describe('Expected of the consent'),
  notes: z.string().optional(),
} as const;

export const secretOf = (text: string | undefined): Secret | undefined =>
  text === undefined ? undefined : new Secret(text);
