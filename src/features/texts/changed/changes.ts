/**
 * What operators change of the texts, as a list of changes that only grows.
 *
 * The last change of a text stands in place of what the product, or the operator's folder, has for it. A language that
 * was added is a change too: it begins as a copy, so it is complete from the start, and its changes translate it. When a
 * release drops a text, or a value that could stand in one, the changes that need them are left out and named to the
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
  /** `WHOLE`: the language was added, with `text` naming the one that it began as a copy of, or removed. */
  readonly path: string;
  /** Undefined: the text is the product's, or the folder's, again. */
  readonly text: Text | undefined;
  readonly at: number;
  readonly who: string;
}

/** A change to be stored; `expected`: the number of the last change of the same text, 0 if there is none. */
export interface NewChange extends Pick<TextChange, 'language' | 'path' | 'text'> {
  readonly expected?: number | undefined;
}

/** What operators have changed, in order. */
export interface TextRepository {
  /** Number of the last change; 0 if there is none. */
  latest(): Promise<number>;
  /** The last change of each text. */
  current(): Promise<readonly TextChange[]>;
  /** Newest first. */
  history(language: string, path: string): Promise<readonly TextChange[]>;
  /** All or none; the one that somebody else has changed meanwhile, or undefined if they are stored. */
  write(changes: readonly NewChange[], by: Pick<TextChange, 'at' | 'who'>): Promise<TextChange | undefined>;
}

/** The texts with the changes in force, and the changes that a later release has no use for. */
export interface ChangedTexts {
  readonly catalogue: Catalogue;
  readonly unusable: readonly TextChange[];
}

/** `changes`: the last of each text. A change that does not fit any more is left out, and kept. */
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
