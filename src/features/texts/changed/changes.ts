/**
 * The operators' changes of the texts, as a list that only grows.
 *
 * The last change of a text overrides the one of the product or of the operator's folder. Adding a language is a
 * change too: it begins as a copy, so it is complete from the start, and later changes translate it. When a release
 * drops a text, or a value that could appear in one, the changes that need them are left out and reported to the
 * operator; nothing stops the bridge from starting, and nothing is deleted.
 */
import { faultsOf, Catalogue, type Text } from '../catalogue.ts';

/** The path of a language as a whole. */
export const WHOLE = '';

/** One change of a text by an operator; entries are only added. */
export interface TextChange {
  readonly seq: number;
  /** BCP 47, lower case. */
  readonly language: string;
  /** `WHOLE`: the language was added, with the language it was copied from in `text`, or removed. */
  readonly path: string;
  /** Undefined: restores the product's or the folder's text. */
  readonly text: Text | undefined;
  readonly at: number;
  readonly who: string;
}

/** A change to be stored; `expected`: the number of the last change of the same text, 0 if there is none. */
export interface NewChange extends Pick<TextChange, 'language' | 'path' | 'text'> {
  readonly expected?: number | undefined;
}

/** Stores the operators' changes, in order. */
export interface TextRepository {
  /** Number of the last change; 0 if there is none. */
  latest(): Promise<number>;
  /** The last change of each text. */
  current(): Promise<readonly TextChange[]>;
  /** Newest first. */
  history(language: string, path: string): Promise<readonly TextChange[]>;
  /** All or none; undefined if they are stored, or else the newer change by which somebody else was faster. */
  write(changes: readonly NewChange[], by: Pick<TextChange, 'at' | 'who'>): Promise<TextChange | undefined>;
}

/** The texts with the changes in force, and the changes that this release cannot use. */
export interface ChangedTexts {
  readonly catalogue: Catalogue;
  readonly unusable: readonly TextChange[];
}

/** `changes`: the last of each text. A change that no longer fits is left out, and kept. */
export function withChanges(built: Catalogue, changes: readonly TextChange[]): ChangedTexts {
  const languages = new Map([...built.languages].map(([language, texts]) => [language, new Map(texts)]));
  for (const { language, path, text } of changes)
    if (path === WHOLE && typeof text === 'string' && !languages.has(language))
      languages.set(language, new Map(built.languages.get(text) ?? built.english));
  const unusable: TextChange[] = [];
  for (const change of changes) {
    const { language, path, text } = change;
    if (path === WHOLE || text === undefined) continue;
    if (faultsOf(built.english, path, text).length > 0) unusable.push(change);
    else languages.get(language)?.set(path, text);
  }
  return { catalogue: new Catalogue(languages), unusable };
}
