import { readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { parse, parseDocument, type Document } from 'yaml';
import type { VerifiedOn } from '../../../mapping/evidence.ts';
import type { Edit } from '../model.ts';
import { unifiedDiff } from './diff.ts';
import { edited, withVerified } from './edits.ts';

/** The name of the profile in edits, wherever its file is. */
export const PROFILE = 'profile';

/** The texts of the mapping files and the profile, with changes. Never writes to the files it read. */
export class MappingFiles {
  readonly #before: ReadonlyMap<string, string>;
  readonly #after: Map<string, string>;
  readonly #families: ReadonlyMap<string, string>;
  /** The profile's name in the patch. */
  readonly #profile: string;

  private constructor(
    texts: ReadonlyMap<string, string>,
    families: ReadonlyMap<string, string>,
    profile: string,
  ) {
    this.#before = texts;
    this.#after = new Map(texts);
    this.#families = families;
    this.#profile = profile;
  }

  /** `profile`: path of the profile. Throws the errors of reading. */
  static read(folder: string, profile: string): MappingFiles {
    const names = readdirSync(folder).filter((name) => name.endsWith('.yaml'));
    const texts = new Map(names.map((name) => [name, readFileSync(join(folder, name), 'utf8')]));
    const families = new Map(
      Array.from(texts, ([name, text]) => {
        const { methods = {} } = parse(text) as { readonly methods?: object };
        return Object.keys(methods).map((id) => [id, name] as const);
      }).flat(),
    );
    texts.set(PROFILE, readFileSync(profile, 'utf8'));
    const within = relative(folder, profile);
    return new MappingFiles(texts, families, within.startsWith('..') ? APART : within);
  }

  /** Returns the file that has the row of a method. */
  readonly fileOf = (method: string): string => this.#families.get(method) ?? '';

  /** The present texts by file, the profile under `PROFILE`. */
  get texts(): ReadonlyMap<string, string> {
    return this.#after;
  }

  /** Returns whether anything changed. */
  apply(edits: readonly Edit[]): boolean {
    let hasChanged = false;
    // Of the edits of a finding, which name every file, most change nothing: what they parsed is used again.
    const documents = new Map<string, Document>();
    for (const edit of edits) {
      const text = this.#after.get(edit.file);
      if (text === undefined) continue;
      const document = documents.get(edit.file) ?? parseDocument(text);
      const changed = edited(text, edit, document);
      if (changed === text) documents.set(edit.file, document);
      else documents.delete(edit.file);
      hasChanged ||= changed !== text;
      this.#after.set(edit.file, changed);
    }
    return hasChanged;
  }

  /** Restores earlier texts. */
  restore(texts: ReadonlyMap<string, string>): void {
    for (const [file, text] of texts) this.#after.set(file, text);
  }

  verify(verified: Readonly<Record<string, VerifiedOn>>): void {
    const byFile = Map.groupBy(Object.entries(verified), ([method]) => this.fileOf(method));
    for (const [file, rows] of byFile) {
      const text = this.#after.get(file);
      if (text !== undefined) this.#after.set(file, withVerified(text, Object.fromEntries(rows)));
    }
  }

  /** All changes, for `patch -p1` in the folder of mappings. */
  get patch(): string {
    return Array.from(this.#after, ([file, text]) =>
      file === PROFILE && this.#isApart
        ? ''
        : unifiedDiff(file === PROFILE ? this.#profile : file, this.#before.get(file) ?? '', text),
    ).join('');
  }

  /** Changes of a profile outside that folder, for `patch` with its path. */
  get profilePatch(): string {
    if (!this.#isApart) return '';
    return unifiedDiff(this.#profile, this.#before.get(PROFILE) ?? '', this.#after.get(PROFILE) ?? '');
  }

  get #isApart(): boolean {
    return this.#profile === APART;
  }
}

/** The name of a profile outside of the folder. */
const APART = 'profile.yaml';
