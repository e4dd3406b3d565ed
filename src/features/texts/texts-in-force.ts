import type { Catalogue } from './catalogue.ts';
import { Words, type Reader } from './words.ts';

/** The texts that pages and e-mails are written with now. */
export class TextsInForce {
  readonly #built: Catalogue;

  /** `built`: the product's own texts, with those of the operator's folder. */
  constructor(built: Catalogue) {
    this.#built = built;
  }

  get catalogue(): Catalogue {
    return this.#built;
  }

  /** In the first of these languages that has texts, otherwise English. */
  words(reader: Reader, ...wanted: readonly (string | undefined)[]): Words {
    const { language, texts } = this.catalogue.of(...wanted);
    return new Words(language, texts, reader);
  }
}
