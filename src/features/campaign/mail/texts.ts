/**
 * The texts of the e-mails, by language (docs/campaign/mail.md).
 *
 * The bridge has its own texts in `texts/*.yaml`. A folder of the operator replaces single entries or adds a
 * language. Everything is checked when loaded: each text exists and contains only placeholders that are known
 * where it is used. All faults are reported at once, each with its file. `textsFor` chooses the language,
 * `filled` inserts the values.
 */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import { z } from 'zod';
import { messageKinds } from '../outbox.ts';

/** Names allowed in braces in a text; see `docs/campaign/mail.md`. `name` and `support` only where they are known. */
export type Placeholder = 'account' | 'brand' | 'name' | 'support';

/** Placeholders allowed only in the texts where their value is known. */
const special: Readonly<Record<string, readonly Placeholder[]>> = {
  greeting: ['name'],
  questionsSupport: ['support'],
};

/** `first`: for customers that never had V1 keys, who are not asked "once more". */
export const messageNames = [...messageKinds, 'first', 'first-reminder'] as const;
/** One of them. */
export type MessageName = (typeof messageNames)[number];

const line = z.string().min(1).max(2_000);

const messageSchema = z.strictObject({
  subject: line,
  preheader: line,
  heading: line,
  body: z.array(line).min(1).max(12),
  /** A notice has none: it asks for nothing. */
  button: line.optional(),
});

const sharedSchema = z.strictObject({
  greeting: line,
  greetingUnknown: line,
  asker: line,
  account: line,
  organisation: line,
  until: line,
  by: line,
  needTitle: line,
  need: line,
  forward: line,
  fallback: line,
  questionsSupport: line,
  questionsReply: line,
  why: line,
  unsubscribe: line,
});

const messagesSchema = z.record(z.enum(messageNames), messageSchema).superRefine((letters, context) => {
  for (const kind of messageNames)
    if (kind !== 'notice' && letters[kind].button === undefined)
      context.addIssue({ code: 'custom', path: [kind, 'button'], message: 'is missing' });
});

const textsSchema = z.strictObject({
  letters: messagesSchema,
  shared: sharedSchema,
});
const changesSchema = z.strictObject({
  letters: z.partialRecord(z.enum(messageNames), messageSchema.partial()).optional(),
  shared: sharedSchema.partial().optional(),
});

/** The texts of one language. */
export type Texts = z.infer<typeof textsSchema>;
/** The texts of one message. */
export type MessageTexts = z.infer<typeof messageSchema>;

/** By language, BCP 47 in lower case. */
export type TextsByLanguage = ReadonlyMap<string, Texts>;

/** Unusable texts: one line per fault, with the name of its file. */
export class TextsFault extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join('\n'));
    this.name = 'TextsFault';
    this.faults = faults;
  }
}

const own = join(import.meta.dirname, 'texts');

/**
 * The bridge's own texts, with single entries replaced by those of `folder`. A language that only `folder`
 * has must be complete. Throws `TextsFault`.
 */
export function loadTexts(folder?: string): TextsByLanguage {
  const texts = new Map(filesIn(own).map((file) => [file.language, checked(textsSchema, file)]));
  const changes = folder === undefined ? [] : filesIn(folder);
  const faults: string[] = [];
  for (const file of changes) {
    try {
      texts.set(file.language, merged(texts.get(file.language), file));
    } catch (error) {
      if (!(error instanceof TextsFault)) throw error;
      faults.push(...error.faults);
    }
  }
  if (faults.length > 0) throw new TextsFault(faults);
  return texts;
}

interface File {
  readonly name: string;
  readonly language: string;
  readonly content: unknown;
}

function filesIn(folder: string): readonly File[] {
  let names: readonly string[];
  try {
    names = readdirSync(folder);
  } catch {
    throw new TextsFault(['is no folder that can be read']);
  }
  return names.filter((name) => /\.ya?ml$/.test(name)).map((name) => readFile(folder, name));
}

function readFile(folder: string, name: string): File {
  const language = name.replace(/\.ya?ml$/, '').toLowerCase();
  if (!isLanguage(language))
    throw new TextsFault([`${name}: the name must be a language, such as en.yaml or pt-br.yaml`]);
  try {
    return { name, language, content: parse(readFileSync(join(folder, name), 'utf8')) as unknown };
  } catch {
    throw new TextsFault([`${name}: cannot be read as YAML`]);
  }
}

function isLanguage(text: string): boolean {
  try {
    return Intl.getCanonicalLocales(text).length === 1;
  } catch {
    return false;
  }
}

function merged(base: Texts | undefined, file: File): Texts {
  if (base === undefined) return checked(textsSchema, file);
  const { letters = {}, shared = {} } = checked(changesSchema, file);
  const whole = {
    letters: Object.fromEntries(
      messageNames.map((kind) => [kind, { ...base.letters[kind], ...letters[kind] }]),
    ),
    shared: { ...base.shared, ...shared },
  };
  return checked(textsSchema, { ...file, content: whole });
}

function checked<Value>(schema: z.ZodType<Value>, { name, content }: File): Value {
  const read = schema.safeParse(content ?? {});
  if (!read.success)
    throw new TextsFault(
      read.error.issues.map(({ path, message }) => `${name}: ${path.join('.') || 'the file'}: ${message}`),
    );
  const faults = unknownPlaceholders(read.data, '').map((fault) => `${name}: ${fault}`);
  if (faults.length > 0) throw new TextsFault(faults);
  return read.data;
}

function unknownPlaceholders(value: unknown, path: string): readonly string[] {
  if (typeof value === 'object' && value !== null)
    return Object.entries(value).flatMap(([key, inner]) =>
      unknownPlaceholders(inner, path === '' ? key : `${path}.${key}`),
    );
  if (typeof value !== 'string') return [];
  const allowed: readonly string[] = ['account', 'brand', ...(special[path.split('.').at(-1) ?? ''] ?? [])];
  return Array.from(value.matchAll(/\{([^}]*)\}/g), ([, placeholder = '']) => placeholder)
    .filter((placeholder) => !allowed.includes(placeholder))
    .map((placeholder) => `${path}: {${placeholder}} cannot stand here; {${allowed.join('}, {')}} can`);
}

/** The first available language: `wanted` (`pt-br`, then `pt`), then `usual`, then English. */
export function textsFor(
  texts: TextsByLanguage,
  wanted: string | undefined,
  usual: string,
): { readonly language: string; readonly texts: Texts } {
  const candidates = [wanted, usual].flatMap((language) =>
    language === undefined ? [] : [language.toLowerCase(), language.toLowerCase().split('-')[0] ?? ''],
  );
  for (const language of [...candidates, 'en']) {
    const found = texts.get(language);
    if (found !== undefined) return { language, texts: found };
  }
  throw new TextsFault(['there are no English texts']);
}

/** Puts values into a text; placeholders inside the values are not replaced. */
export const filled = (text: string, values: Readonly<Partial<Record<Placeholder, string>>>): string =>
  text.replaceAll(/\{(\w+)\}/g, (whole, name: string) => values[name as Placeholder] ?? whole);
