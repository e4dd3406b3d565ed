/**
 * The texts of one process. Every worker and every instance has its own copy in memory, because every request for a
 * page uses it; a job asks every two seconds for the number of the last change, and reads the changes if it has
 * grown. A process that stores a change itself reads them at once. While the database is away the copy stays as it
 * is.
 */
import type { Catalogue, Texts } from './catalogue.ts';
import { withChanges, type TextChange, type TextRepository } from './changed/changes.ts';
import { Words, type Reader } from './words.ts';

/** The texts that pages and e-mails currently use: the product's, the folder's, and the operators' changes. */
export class TextsInForce {
  readonly #built: Catalogue;
  readonly #changes: Pick<TextRepository, 'latest' | 'current'> | undefined;
  #catalogue: Catalogue;
  #unusable: readonly TextChange[] = [];
  #seq = 0;

  /**
   * `built`: the product's own texts, with those of the operator's folder. `changes`: undefined if texts cannot be
   * changed.
   */
  constructor(built: Catalogue, changes?: Pick<TextRepository, 'latest' | 'current'>) {
    this.#built = built;
    this.#changes = changes;
    this.#catalogue = built;
  }

  get catalogue(): Catalogue {
    return this.#catalogue;
  }

  /** The texts without the operators' changes. */
  get built(): Catalogue {
    return this.#built;
  }

  /** Changes that do not fit this release: the text is gone, or it can no longer contain the value. */
  get unusable(): readonly TextChange[] {
    return this.#unusable;
  }

  /** Reads the changes if there are new ones, from whatever process. Rejects with the database's errors. */
  async refresh(): Promise<void> {
    if (this.#changes === undefined) return;
    const latest = await this.#changes.latest();
    if (latest === this.#seq) return;
    const { catalogue, unusable } = withChanges(this.#built, await this.#changes.current());
    this.#catalogue = catalogue;
    this.#unusable = unusable;
    this.#seq = latest;
  }

  /** The same with other texts in one language. Throws `TextsFault`. */
  with(language: string, changes: Texts): TextsInForce {
    return new TextsInForce(this.#catalogue.with(language, changes));
  }

  /** In the first of these languages that has texts, or else in English. */
  words(reader: Reader, ...wanted: readonly (string | undefined)[]): Words {
    const { language, texts } = this.catalogue.of(...wanted);
    return new Words(language, texts, reader);
  }
}
