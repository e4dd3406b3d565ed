import type { DenialCause } from './model.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import { Arriving } from './arriving.ts';
import { Choosing } from './choosing.ts';
import { Connecting } from './connecting.ts';
import { Denial } from './denial.ts';
import { Leaving } from './leaving.ts';
import type { Answer, Arrival, ConsentParts, Departure, Offer, Outcome, Question, Refused } from './parts.ts';
import { TokenRevocations } from './token-revocations.ts';

/**
 * The steps of a consent: from the invitation to the authorisation server and back, with a question in
 * between if something is unsure.
 */
export class Consent {
  readonly #leaving: Leaving;
  readonly #arriving: Arriving;
  readonly #choosing: Choosing;
  readonly #denial: Denial;
  readonly #revocations: TokenRevocations;

  constructor(parts: ConsentParts) {
    const connecting = new Connecting(parts);
    this.#leaving = new Leaving(parts);
    this.#arriving = new Arriving(parts, connecting);
    this.#choosing = new Choosing(parts, connecting);
    this.#denial = new Denial(parts, this.#leaving);
    this.#revocations = new TokenRevocations(parts);
  }

  /** See `Leaving.look`. */
  look(link: string): Promise<Offer | undefined> {
    return this.#leaving.look(link);
  }

  /** See `Leaving.begin`. */
  begin(link: string, browser: Secret): Promise<Departure> {
    return this.#leaving.begin(link, browser);
  }

  /** See `Arriving.complete`. */
  complete(arrival: Arrival, browser: Secret | undefined): Promise<Outcome> {
    return this.#arriving.complete(arrival, browser);
  }

  /** See `Denial.explain`. */
  explain(link: string, cause: DenialCause): Promise<Refused | undefined> {
    return this.#denial.explain(link, cause);
  }

  /** See `Choosing.question`. */
  question(key: string, browser: Secret | undefined): Promise<Question | undefined> {
    return this.#choosing.question(key, browser);
  }

  /** See `Choosing.choose`. */
  choose(
    key: string,
    browser: Secret | undefined,
    answer: Answer,
  ): Promise<Outcome | { readonly outcome: 'again' }> {
    return this.#choosing.choose(key, browser, answer);
  }

  /** See `Choosing.sweep`, `TokenRevocations.run`. */
  async sweep(): Promise<void> {
    await this.#choosing.sweep();
    await this.#revocations.run();
  }
}
