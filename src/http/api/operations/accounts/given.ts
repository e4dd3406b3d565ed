import { z } from 'zod';
import { Secret } from '../../../../lib/secret/secret.ts';

/** The values that an operator may set for an account. */

/** An API key or account key as entered by an operator. */
export const key = z.string().describe('1 to 128 printable characters');

/** Confirms a name that another account has. */
export const sameName = z
  .boolean()
  .optional()
  .describe('Allows the name of another account; without it a duplicate name is a conflict');

/** An OAuth application, as an operator names it. */
export const application = z.string().describe('Name of an OAuth application');

/** As text or as the list that replies contain; a tag is one word. */
const tags = z.union([z.string(), z.array(z.string().regex(/^[^\s,;]+$/))]);

/** Contact and expected names of an account. */
export const details = {
  contactName: z.string().optional(),
  email: z.string().optional(),
  language: z.string().optional().describe('en, pt-br, …'),
  zone: z.string().optional().describe('Pacific/Auckland, …; for sending hours and times in e-mails'),
  phone: z.string().optional(),
  organisationName: z.string().optional().describe('Expected of the consent'),
  organisationId: z.string().optional().describe('Expected of the consent'),
  tags: tags
    .optional()
    .describe('A list, or a text separated by spaces or commas; replaces the existing tags'),
  addTags: tags.optional().describe('Added to the existing tags'),
  removeTags: tags.optional(),
  notes: z.string().optional(),
} as const;

type Tags = z.infer<typeof tags> | undefined;
type TagField = 'tags' | 'addTags' | 'removeTags';

const tagsOf = (given: Tags): string | undefined => (typeof given === 'object' ? given.join(' ') : given);

/** The given values with tags as text. */
export const withTags = <Given extends Partial<Record<TagField, Tags>>>(
  given: Given,
): Omit<Given, TagField> & Record<TagField, string | undefined> => ({
  ...given,
  tags: tagsOf(given.tags),
  addTags: tagsOf(given.addTags),
  removeTags: tagsOf(given.removeTags),
});

/** Wrapped at once, so that it cannot appear in a log or an error. */
export const secretOf = (text: string | undefined): Secret | undefined =>
  text === undefined ? undefined : new Secret(text);

/** Warnings in replies, about the values entered. */
export const warnings = z
  .array(z.string())
  .describe('What should be checked, although the action succeeded: a key not in the usual form');
