/**
 * The texts of pages and e-mails, for console, API and command line alike: the present texts, their authors, and
 * changes.
 *
 * A change is checked like a file of the operator's folder before anything is stored: it must not use placeholders that
 * the text cannot contain, nor lack those it needs. It takes effect in this process at once and in every other within
 * seconds (`TextsInForce`). Nothing is overwritten: each change is kept, and can be restored.
 */
import type { Clock } from '../../../lib/time/clock.ts';
import { faultsOf, isLanguage, allowedIn, neededIn, type Text, type Texts } from '../../texts/catalogue.ts';
import { WHOLE, type NewChange, type TextChange, type TextRepository } from '../../texts/changed/changes.ts';
import { modelOf, pathsOf, sectionOf, sectionsOf } from '../../texts/sections.ts';
import { isPluralForm } from '../../texts/text.ts';
import type { TextsInForce } from '../../texts/texts-in-force.ts';
import type { AuditRepository } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

/** The parts of the service. */
export interface AdminTextsParts {
  /** The texts in force in this process. */
  readonly texts: TextsInForce;
  /** The changes shared by all processes. */
  readonly changes: TextRepository;
  readonly audit: Pick<AuditRepository, 'write'>;
  readonly clock: Clock;
}

/** A language and its origin. */
export interface TextLanguage {
  readonly language: string;
  /** The language that an operator copied to add it; undefined: it comes with the product or the folder. */
  readonly copyOf: string | undefined;
  /** How many of its texts operators have changed. */
  readonly changed: number;
}

/** One text of a language. */
export interface TextEntry {
  readonly language: string;
  readonly path: string;
  /** The page or e-mail that it belongs to. */
  readonly section: string;
  /** The text in force; undefined: a plural form that is not written, for which `other` is used. */
  readonly text: Text | undefined;
  /** The text without changes. */
  readonly own: Text | undefined;
  /** The English text, for translators. */
  readonly english: Text;
  /** The last change; undefined if there is none. */
  readonly change: TextChange | undefined;
  /** Values that it may contain, and those without which it misses its purpose. */
  readonly allowed: readonly string[];
  readonly needed: readonly string[];
}

/** A text to store; undefined: the product's own. */
export interface WantedText {
  readonly path: string;
  readonly text: Text | undefined;
  /** Number of the change that the operator saw, 0 if there was none; undefined: not checked. */
  readonly seen?: number | undefined;
}

/** The admin service for texts. */
export class AdminTexts {
  readonly #parts: AdminTextsParts;

  constructor(parts: AdminTextsParts) {
    this.#parts = parts;
  }

  /** Every page and e-mail, by the name of its texts. */
  sections(): readonly string[] {
    return sectionsOf(this.#parts.texts.built.english);
  }

  /** In the order in which they were added, the product's first. */
  async languages(): Promise<readonly TextLanguage[]> {
    const { texts, changes } = this.#parts;
    await texts.refresh();
    const current = await changes.current();
    return [...texts.catalogue.languages.keys()].map((language) => {
      const own = current.filter((change) => change.language === language && change.text !== undefined);
      const whole = own.find(({ path }) => path === WHOLE)?.text;
      return {
        language,
        copyOf: texts.built.languages.has(language) || typeof whole !== 'string' ? undefined : whole,
        changed: own.filter(({ path }) => path !== WHOLE).length,
      };
    });
  }

  /** Changes that no longer fit this release; they are kept, and not in force. */
  async unusable(): Promise<readonly TextChange[]> {
    await this.#parts.texts.refresh();
    return this.#parts.texts.unusable;
  }

  /** The texts of a language; `section`: only those of one page or e-mail. Throws `AdminRefusal` unknown. */
  async list(language: string, section?: string): Promise<readonly TextEntry[]> {
    const sections = this.sections().filter((one) => section === undefined || one === section);
    if (sections.length === 0)
      throw new AdminRefusal(
        'unknown',
        `there are no texts ${section ?? ''}; the sections are ${this.sections().join(', ')}`,
      );
    const texts = await this.#textsOf(language);
    const { built } = this.#parts.texts;
    const current = await this.#parts.changes.current();
    const last = new Map(
      current.filter((change) => change.language === language).map((change) => [change.path, change]),
    );
    const whole = last.get(WHOLE)?.text;
    const own =
      built.languages.get(language) ?? built.languages.get(typeof whole === 'string' ? whole : 'en');
    return sections
      .flatMap((one) => pathsOf(built.english, language, one))
      .map((path) => ({
        language,
        path,
        section: sectionOf(path),
        text: texts.get(path),
        own: own?.get(path),
        english: modelOf(built.english, path) ?? '',
        change: last.get(path),
        allowed: allowedIn(built.english, path),
        needed: neededIn(path),
      }));
  }

  /** One text with all its earlier versions, newest first. Throws `AdminRefusal` unknown. */
  async show(
    language: string,
    path: string,
  ): Promise<TextEntry & { readonly history: readonly TextChange[] }> {
    const found = (await this.list(language)).find((one) => one.path === path);
    if (found === undefined) throw noText(language, path);
    return { ...found, history: await this.#parts.changes.history(language, path) };
  }

  /** The faults of each, by path; empty if there are none. */
  faults(wanted: readonly WantedText[]): ReadonlyMap<string, readonly string[]> {
    const { english } = this.#parts.texts.built;
    return new Map(
      wanted
        .filter(({ text }) => text !== undefined)
        .map(({ path, text }) => [path, faultsOf(english, path, text)] as const)
        .filter(([, faults]) => faults.length > 0),
    );
  }

  /** The texts in force with these instead, which are not stored. Throws `AdminRefusal` unusable. */
  drafted(language: string, wanted: readonly WantedText[]): TextsInForce {
    this.#check(wanted);
    const changes = new Map(wanted.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text]])));
    return this.#parts.texts.with(language, changes);
  }

  /**
   * Stores those that differ from the texts in force; all or nothing. Returns the paths that changed. Throws
   * `AdminRefusal` unusable with all faults, or conflict if somebody else has changed one of them since it was seen.
   */
  async save(language: string, wanted: readonly WantedText[], who: string): Promise<readonly string[]> {
    const entries = new Map((await this.list(language)).map((entry) => [entry.path, entry]));
    for (const { path } of wanted) if (!entries.has(path)) throw noText(language, path);
    this.#check(wanted);
    const differing = wanted.flatMap(({ path, text, seen }) => {
      const entry = entries.get(path);
      const next = same(text, entry?.own) ? undefined : text;
      const isSame = same(next ?? entry?.own, entry?.text);
      return isSame ? [] : [{ language, path, text: next, expected: seen }];
    });
    await this.#write(
      differing,
      who,
      'texts.save',
      `${language}: ${differing.map(({ path }) => path).join(', ')}`,
    );
    return differing.map(({ path }) => path);
  }

  /** Restores the text as of the change with that number. Throws `AdminRefusal` unknown or unusable. */
  async restore(language: string, path: string, seq: number, who: string): Promise<void> {
    const { history } = await this.show(language, path);
    const then = history.find((change) => change.seq === seq);
    if (then === undefined) throw new AdminRefusal('unknown', `${path} has no change ${seq}`);
    this.#check([then]);
    const change = { language, path, text: then.text };
    await this.#write([change], who, 'texts.restore', `${language}: ${path}, change ${seq}`);
  }

  /** Adds a language as a copy of another, to be translated text by text. Throws `AdminRefusal`. */
  async addLanguage(given: string, copyOf: string, who: string): Promise<string> {
    const language = given.trim().toLowerCase();
    if (!isLanguage(language))
      throw new AdminRefusal('unusable', `${given} is not a language: give its tag, such as it or pt-br`);
    const { texts } = this.#parts;
    await texts.refresh();
    if (texts.catalogue.languages.has(language))
      throw new AdminRefusal('conflict', `there are already texts in ${language}`);
    if (!texts.built.languages.has(copyOf))
      throw new AdminRefusal('unknown', `there are no texts in ${copyOf} to copy`);
    const change = { language, path: WHOLE, text: copyOf };
    await this.#write([change], who, 'texts.add-language', `${language}, as a copy of ${copyOf}`);
    return language;
  }

  /**
   * Accounts with that language get the installation's. Its texts are kept in case it is added again. Throws
   * `AdminRefusal`.
   */
  async removeLanguage(language: string, who: string): Promise<void> {
    await this.#textsOf(language);
    if (this.#parts.texts.built.languages.has(language))
      throw new AdminRefusal(
        'conflict',
        `${language} comes with the product or the folder: it cannot be removed`,
      );
    await this.#write([{ language, path: WHOLE, text: undefined }], who, 'texts.remove-language', language);
  }

  /** The texts in force, including changes by other processes. Throws `AdminRefusal` unknown. */
  async #textsOf(language: string): Promise<Texts> {
    const { texts } = this.#parts;
    await texts.refresh();
    const found = texts.catalogue.languages.get(language);
    if (found !== undefined) return found;
    const there = [...texts.catalogue.languages.keys()].join(', ');
    throw new AdminRefusal('unknown', `there are no texts in ${language}, only in ${there}`);
  }

  /** Throws `AdminRefusal` unusable with all faults. */
  #check(wanted: readonly WantedText[]): void {
    const faults = [...this.faults(wanted).values()].flat();
    if (faults.length > 0) throw new AdminRefusal('unusable', faults.join('; '));
  }

  /** Stored first, then recorded, then used here: a process that dies in between loses no text. */
  async #write(changes: readonly NewChange[], who: string, action: string, detail: string): Promise<void> {
    if (changes.length === 0) return;
    const { changes: repository, audit, clock, texts } = this.#parts;
    const at = clock.now();
    const overtaken = await repository.write(changes, { at, who });
    if (overtaken !== undefined)
      throw new AdminRefusal(
        'conflict',
        `${overtaken.who} has changed ${overtaken.path} in the meantime: nothing was stored; check it and save again`,
      );
    await audit.write({ at, who, action, accountIds: [], detail });
    await texts.refresh();
  }
}

const noText = (language: string, path: string): AdminRefusal =>
  new AdminRefusal('unknown', `there is no text ${path}: causeway texts list ${language} shows them all`);

/** Texts are lines or lists of lines. */
const same = (one: Text | undefined, other: Text | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * A text as it was typed into a field: for a list, each line is a paragraph. Undefined: the field is empty, so the
 * product's text applies.
 */
export function typedText(entry: Pick<TextEntry, 'english' | 'path'>, typed: string): Text | undefined {
  const lines = typed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  return typeof entry.english === 'string' || isPluralForm(entry.path) ? lines.join(' ') : lines;
}
