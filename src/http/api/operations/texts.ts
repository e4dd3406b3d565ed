/**
 * Texts in the API, from the same service as the console's editor. A program that keeps texts elsewhere reads them here
 * with the number of each one's last change, and sends that number back, so that it overwrites no change it has not
 * seen.
 */
import { z } from 'zod';
import type { TextChange } from '../../../features/texts/changed/changes.ts';
import type { TextEntry } from '../../../features/admin/texts/texts.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { orNull } from '../shapes.ts';
import { iso, moment } from '../../../lib/time/iso.ts';

/** In bytes: all texts of a language at once. */
const LONGEST_BODY = 256 * 1024;

/** The same schema in both directions. */
const textSchema = z
  .union([z.string(), z.array(z.string())])
  .nullable()
  .describe('A line, or a list of lines where English has one; null: as the product has it');

/** A change, without its text. */
const changeSchema = z.strictObject({
  seq: z.int(),
  text: textSchema,
  at: moment,
  who: z.string(),
});

/** One text. */
const entrySchema = z.strictObject({
  language: z.string(),
  path: z.string(),
  section: z.string().describe('The page or e-mail it belongs to'),
  text: textSchema.describe('What stands now; null: a plural form for which `other` stands'),
  own: textSchema.describe('What stands without changes'),
  english: textSchema,
  changed: z.int().describe('Number of the last change; 0: nobody has changed it'),
  allowed: z.array(z.string()).describe('Placeholders that can stand in it'),
  needed: z.array(z.string()).describe('Placeholders that must stand in it'),
});

/** The reply for a language that was added or removed. */
const languageSchema = z.strictObject({ language: z.string() });

/** JSON has no undefined. */
const plain = (text: TextEntry['text']): z.infer<typeof textSchema> =>
  text === undefined ? null : typeof text === 'string' ? text : [...text];

/** One text, as the API shows it. */
const entryOf = ({ change, ...entry }: TextEntry): z.infer<typeof entrySchema> => ({
  language: entry.language,
  path: entry.path,
  section: entry.section,
  text: plain(entry.text),
  own: plain(entry.own),
  english: plain(entry.english),
  changed: change?.seq ?? 0,
  allowed: [...entry.allowed],
  needed: [...entry.needed],
});

/** One change of its history. */
const changeOf = ({ seq, text, at, who }: TextChange): z.infer<typeof changeSchema> => ({
  seq,
  text: plain(text),
  at: iso(at),
  who,
});

/** The languages that have texts. */
const languages = endpoint({
  id: 'listTextLanguages',
  verb: 'GET',
  path: '/texts',
  area: 'Campaign',
  summary: 'The languages of pages and e-mails, their sections, and changes that no longer fit this release',
  scope: 'read',
  reply: {
    name: 'TextLanguages',
    schema: z.strictObject({
      languages: z.array(
        z.strictObject({
          language: z.string(),
          copyOf: z.string().nullable().describe('It was added as a copy of this one'),
          changed: z.int(),
        }),
      ),
      sections: z.array(z.string()),
      unusable: z.array(z.strictObject({ language: z.string(), path: z.string(), text: textSchema })),
    }),
  },
  handle: async ({ admin }) => ({
    languages: (await admin.texts.languages()).map((one) => ({ ...one, copyOf: orNull(one.copyOf) })),
    sections: [...admin.texts.sections()],
    unusable: (await admin.texts.unusable()).map(({ language, path, text }) => ({
      language,
      path,
      text: plain(text),
    })),
  }),
});

/** Every text with what a program needs to change it: placeholders, and the number of its last change. */
const list = endpoint({
  id: 'listTextEntries',
  verb: 'GET',
  path: '/texts/{language}',
  area: 'Campaign',
  summary: 'The texts of a language',
  scope: 'read',
  query: z.strictObject({
    section: z.string().max(80).optional().describe('Only those of one page or e-mail: `letters.invitation`'),
  }),
  reply: { name: 'TextEntries', schema: z.strictObject({ texts: z.array(entrySchema) }) },
  handle: async ({ admin, path: { language = '' }, query }) => ({
    texts: (await admin.texts.list(language, query.section)).map(entryOf),
  }),
});

/** One request for all texts of a page, so that no customer sees half a change. */
const save = endpoint({
  id: 'saveTexts',
  verb: 'PATCH',
  path: '/texts/{language}',
  area: 'Campaign',
  summary: 'Changes texts of a language; all or nothing, in force within seconds',
  scope: 'operate',
  longest: LONGEST_BODY,
  body: {
    name: 'TextChanges',
    schema: z.strictObject({
      texts: z
        .array(
          z.strictObject({
            path: z.string().max(120),
            text: textSchema,
            seen: z
              .int()
              .nonnegative()
              .optional()
              .describe(
                'The value of `changed` when the text was read: if the text has been changed since, nothing is stored',
              ),
          }),
        )
        .min(1)
        .max(500),
    }),
  },
  reply: {
    name: 'SavedTexts',
    schema: z.strictObject({ saved: z.array(z.string()).describe('Paths of the texts that differ now') }),
  },
  handle: async ({ admin, path: { language = '' }, body, who }) => ({
    saved: [
      ...(await admin.texts.save(
        language,
        body.texts.map(({ text, ...rest }) => ({ ...rest, text: text ?? undefined })),
        who,
      )),
    ],
  }),
});

/** PUT, because repeating it must not add a second language. */
const add = endpoint({
  id: 'addTextLanguage',
  verb: 'PUT',
  path: '/texts/{language}',
  area: 'Campaign',
  summary: 'Adds a language as a copy of another, to be translated text by text',
  scope: 'operate',
  body: {
    name: 'NewTextLanguage',
    schema: z.strictObject({ copyOf: z.string().max(40).default('en') }),
  },
  reply: { name: 'AddedTextLanguage', schema: languageSchema },
  handle: async ({ admin, path: { language = '' }, body, who }) => ({
    language: await admin.texts.addLanguage(language, body.copyOf, who),
  }),
});

/** Only for languages that were added. */
const remove = endpoint({
  id: 'removeTextLanguage',
  verb: 'DELETE',
  path: '/texts/{language}',
  area: 'Campaign',
  summary: 'Removes a language that was added; its texts are kept in case it is added again',
  scope: 'operate',
  reply: { name: 'RemovedTextLanguage', schema: languageSchema },
  async handle({ admin, path: { language = '' }, who }) {
    await admin.texts.removeLanguage(language, who);
    return { language };
  },
});

/** The history of one text. */
const show = endpoint({
  id: 'showText',
  verb: 'GET',
  path: '/texts/{language}/{path}',
  area: 'Campaign',
  summary: 'Shows a text with all its versions, newest first',
  scope: 'read',
  reply: {
    name: 'TextHistory',
    schema: z.strictObject({ text: entrySchema, history: z.array(changeSchema) }),
  },
  async handle({ admin, path: { language = '', path = '' } }) {
    const { history, ...entry } = await admin.texts.show(language, path);
    return { text: entryOf(entry), history: history.map(changeOf) };
  },
});

/** As shown in the console's editor. */
const preview = endpoint({
  id: 'previewTexts',
  verb: 'GET',
  path: '/texts/{language}/preview/{section}',
  area: 'Campaign',
  summary: 'A page or an e-mail with the texts of a section and sample values; its links do not work',
  scope: 'read',
  query: z.strictObject({
    variant: z.coerce.number().int().min(0).max(99).default(0).describe('Which of `variants`, from 0'),
  }),
  reply: {
    name: 'TextPreview',
    schema: z.strictObject({
      kind: z.enum(['page', 'e-mail']),
      variants: z.array(z.string()).describe('All that show these texts'),
      subject: z.string().nullable().describe('null: it is a page'),
      text: z.string().nullable().describe('null: it is a page'),
      html: z.string(),
    }),
  },
  async handle({ admin, path: { language = '', section = '' }, query: { variant } }) {
    const { labels, subject, text, ...sample } = await admin.samples.show(language, section, variant);
    return { ...sample, variants: [...labels], subject: orNull(subject), text: orNull(text) };
  },
});

/** A restored text is a further change, so it can be taken back, too. */
const restore = endpoint({
  id: 'restoreText',
  verb: 'POST',
  path: '/texts/{language}/{path}/restore',
  area: 'Campaign',
  summary: 'Restores a text to its state after one of its changes',
  scope: 'operate',
  body: { name: 'TextRestore', schema: z.strictObject({ change: z.int().positive() }) },
  reply: { name: 'RestoredText', schema: entrySchema },
  async handle({ admin, path: { language = '', path = '' }, body, who }) {
    await admin.texts.restore(language, path, body.change, who);
    return entryOf(await admin.texts.show(language, path));
  },
});

export const textOperations: readonly Endpoint[] = [
  languages,
  list,
  save,
  add,
  remove,
  show,
  preview,
  restore,
];
