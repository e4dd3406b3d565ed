/**
 * The texts of pages and e-mails, for console, API and command line alike: what stands, who changed it, and changes.
 *
 * A change is checked like a file of the operator's folder before anything is stored: placeholders that cannot stand
 * in the text, or that it needs. It is in force in this process at once and in every other within seconds
 * (`TextsInForce`). Nothing is overwritten: each change is kept, and can be put back.
 */
import type { Clock } from '../../../lib/time/clock.ts';
import { faultsOf, isLanguage, allowedIn, neededIn, type Text, type Texts } from '../../texts/catalogue.ts';
import { WHOLE, type NewChange, type TextChange, type TextRepository } from '../../texts/changed/changes.ts';
import { modelOf, pathsOf, sectionOf, sectionsOf } from '../../texts/sections.ts';
import { isPluralForm } from '../../texts/text.ts';
import type { TextsInForce } from '../../texts/texts-in-force.ts';
import type { AuditRepository } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

/** What the service works with. */
export interface AdminTextsParts {
  /** Those of this process. */
  readonly texts: TextsInForce;
  /** Shared by all processes. */
  readonly changes: TextRepository;
  readonly audit: Pick<AuditRepository, 'write'>;
  readonly clock: Clock;
}

/** A language and where it comes from. */
export interface TextLanguage {
  readonly language: string;
  /** It was added by an operator, as a copy of this one; undefined: it comes with the product or the folder. */
  readonly copyOf: string | undefined;
  /** How many of its texts operators have changed. */
  readonly changed: number;
}

/** One text of a language. */
export interface TextEntry {
  readonly language: string;
  readonly path: string;
  /** The page or e-mail it belongs to. */
  readonly section: string;
  /** What stands now; undefined: a plural form that nobody has written, for which `other` stands. */
  readonly text: Text | undefined;
  /** What stands without changes. */
  readonly own: Text | undefined;
  /** What it says in English, for whoever translates. */
  readonly english: Text;
  /** The last change; undefined: nobody has changed it. */
  readonly change: TextChange | undefined;
  /** Values that can stand in it, and those without which it misses its purpose. */
  readonly allowed: readonly string[];
  readonly needed: readonly string[];
}

/** A text as somebody wants it; undefined: as the product has it. */
export interface WantedText {
  readonly path: string;
  readonly text: Text | undefined;
  /** Number of the change that was seen, 0 if there was none; undefined: whatever it is. */
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
        `there are no texts ${section ?? ''}; there are ${this.sections().join(', ')}`,
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

  /** One text with everything it has been, newest first. Throws `AdminRefusal` unknown. */
  async show(
    language: string,
    path: string,
  ): Promise<TextEntry & { readonly history: readonly TextChange[] }> {
    const found = (await this.list(language)).find((one) => one.path === path);
    if (found === undefined) throw new AdminRefusal('unknown', `there is no text ${path}`);
    return { ...found, history: await this.#parts.changes.history(language, path) };
  }

  /** What is wrong with each of them, by path; empty: nothing. */
  faults(wanted: readonly WantedText[]): ReadonlyMap<string, readonly string[]> {
    const { english } = this.#parts.texts.built;
    return new Map(
      wanted
        .filter(({ text }) => text !== undefined)
        .map(({ path, text }) => [path, faultsOf(english, path, text)] as const)
        .filter(([, faults]) => faults.length > 0),
    );
  }

  /** The texts with these instead, which are not stored. Throws `AdminRefusal` unusable. */
  drafted(language: string, wanted: readonly WantedText[]): TextsInForce {
    this.#check(wanted);
    const changes = new Map(wanted.flatMap(({ path, text }) => (text === undefined ? [] : [[path, text]])));
    return this.#parts.texts.with(language, changes);
  }

  /**
   * Stores what differs from what stands; all or nothing. Returns the paths that changed. Throws `AdminRefusal` unusable
   * with everything that is wrong, or conflict if somebody else has changed one of them since it was seen.
   */
  async save(language: string, wanted: readonly WantedText[], who: string): Promise<readonly string[]> {
    const entries = new Map((await this.list(language)).map((entry) => [entry.path, entry]));
    for (const { path } of wanted)
      if (!entries.has(path)) throw new AdminRefusal('unknown', `there is no text ${path}`);
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

  /** Puts back what a text was after the change with that number. Throws `AdminRefusal` unknown or unusable. */
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
      throw new AdminRefusal('unusable', `${given} is no language: give its tag, such as it or pt-br`);
    const { texts } = this.#parts;
    await texts.refresh();
    if (texts.catalogue.languages.has(language))
      throw new AdminRefusal('conflict', `there are texts in ${language} already`);
    if (!texts.built.languages.has(copyOf))
      throw new AdminRefusal('unknown', `there are no texts in ${copyOf} to begin with`);
    const change = { language, path: WHOLE, text: copyOf };
    await this.#write([change], who, 'texts.add-language', `${language}, as a copy of ${copyOf}`);
    return language;
  }

  /** Accounts with that language get the installation's. Its texts are kept, should it be added again. Throws `AdminRefusal`. */
  async removeLanguage(language: string, who: string): Promise<void> {
    await this.#textsOf(language);
    if (this.#parts.texts.built.languages.has(language))
      throw new AdminRefusal(
        'conflict',
        `${language} comes with the product or the folder: it cannot be removed`,
      );
    await this.#write([{ language, path: WHOLE, text: undefined }], who, 'texts.remove-language', language);
  }

  /** As they stand, changes of other processes included. Throws `AdminRefusal` unknown. */
  async #textsOf(language: string): Promise<Texts> {
    const { texts } = this.#parts;
    await texts.refresh();
    const found = texts.catalogue.languages.get(language);
    if (found !== undefined) return found;
    const there = [...texts.catalogue.languages.keys()].join(', ');
    throw new AdminRefusal('unknown', `there are no texts in ${language}; there are in ${there}`);
  }

  /** Throws `AdminRefusal` unusable with everything that is wrong. */
  #check(wanted: readonly WantedText[]): void {
    const faults = [...this.faults(wanted).values()].flat();
    if (faults.length > 0) throw new AdminRefusal('unusable', faults.join('; '));
  }

  /** Stored first, then recorded, then used here: a process that dies in between has lost no text. */
  async #write(changes: readonly NewChange[], who: string, action: string, detail: string): Promise<void> {
    if (changes.length === 0) return;
    const { changes: repository, audit, clock, texts } = this.#parts;
    const at = clock.now();
    const overtaken = await repository.write(changes, { at, who });
    if (overtaken !== undefined)
      throw new AdminRefusal(
        'conflict',
        `${overtaken.path} has been changed by ${overtaken.who} meanwhile: nothing was stored; look at it and save again`,
      );
    await audit.write({ at, who, action, accountIds: [], detail });
    await texts.refresh();
  }
}

/** Texts are lines or lists of lines. */
const same = (one: Text | undefined, other: Text | undefined): boolean =>
  JSON.stringify(one) === JSON.stringify(other);

/**
 * A text as it was typed into a field: paragraphs of a list are lines. Undefined: nothing was typed, so it is as the
 * product has it.
 */
export function typedText(entry: Pick<TextEntry, 'english' | 'path'>, typed: string): Text | undefined {
  const lines = typed
    .split(/\r?\n/)
    .map((line) => line.trim())
    .filter((line) => line !== '');
  if (lines.length === 0) return undefined;
  return typeof entry.english === 'string' || isPluralForm(entry.path) ? lines.join(' ') : lines;
}
