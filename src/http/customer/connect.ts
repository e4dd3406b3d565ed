/**
 * The customer's pages: the invitation, the return from the authorisation server, questions, and the result (V2
 * specification, "Flow").
 *
 * A consent takes these steps. `show` the invitation, a GET that changes nothing, because mail scanners open links.
 * `leave` for the authorisation server with an attempt bound to this browser's cookie. `arrive` at the callback with
 * `state` and code. If needed, `ask` and `answer` which organisation is meant. Show the `result` at a clean address,
 * with its content in a sealed cookie, so that neither code nor outcome stays in the address bar or the history.
 *
 * The pages decide nothing: `Consent` does, and this file turns its outcomes into pages, cookies and redirects. A form
 * sent from another site is refused. All links that do not work get the same answer, and visitors who try many are
 * slowed down. If the process dies between the callback and the stored grant, the customer presses the button again:
 * the link has not been used up.
 */
import type { Request, Response } from 'express';
import { denialCauses } from '../../features/consent/model.ts';
import { MINUTE, SECOND, type Clock } from '../../lib/time/clock.ts';
import { nameOf, type Log } from '../../lib/log/log.ts';
import type { FreshLinks } from '../../features/campaign/outbox.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { isOurs, type RandomSource } from '../../lib/secret/random.ts';
import type { Customer, Offer, Outcome } from '../../features/consent/parts.ts';
import type { Consent } from '../../features/consent/consent.ts';
import { QUESTION_LIFE } from '../../features/consent/arriving.ts';
import { CONNECT_PATH } from '../../features/accounts/accounts.ts';
import { isForeign } from '../server/foreign.ts';
import type { Cookies } from '../server/cookie.ts';
import { readForm } from '../server/body/form.ts';
import { arrivalIn } from './arrival.ts';
import { messages, refusalPages, type Message } from './messages.ts';
import { isSearching, type SearchingParts } from './searching.ts';
import type { Words } from '../../features/texts/words.ts';
import { awaitingValues, choiceValues, forwarding, landingValues, successValues } from './page-values.ts';
import type { Pages } from './pages.ts';
import { redirect } from '../server/redirect.ts';
import { cookieSized, Kept, type Result } from './result.ts';

/** What the pages need. */
export interface ConnectParts extends SearchingParts {
  readonly consent: Pick<Consent, 'look' | 'begin' | 'complete' | 'question' | 'choose' | 'explain'>;
  /** Undefined: no e-mail can be sent, so no fresh link is offered. */
  readonly fresh: FreshLinks | undefined;
  readonly pages: Pages;
  readonly cookies: Cookies;
  readonly seal: Seal;
  readonly random: RandomSource;
  readonly clock: Clock;
  readonly log: Log;
  /** The bridge's address for customers, without a trailing slash. */
  readonly publicUrl: string;
  /** See `formTargetsOf`. */
  readonly formTargets: readonly string[];
  /** Lifetime of an attempt, in seconds. */
  readonly attemptSeconds: number;
}

interface Left extends Customer {
  readonly link: string;
}

const BROWSER = 'causeway';
/** Of the cookie that a question is answered with: it must outlive the question. */
const COOKIE_LIFE = QUESTION_LIFE + 5 * MINUTE;
const RESULT_PATH = '/_causeway/result';
const UNMATCHED_PATH = '/_causeway/unmatched';
const CHOOSE_PATH = '/_causeway/choose/';

/** The customer's pages: the invitation, the return from the authorisation server, questions and the result. */
export class ConnectPages {
  readonly #parts: ConnectParts;
  readonly #result: Kept<Result>;
  /** The link from which this browser left, so that a page after the callback can lead back to it. */
  readonly #left: Kept<Left>;

  constructor(parts: ConnectParts) {
    this.#parts = parts;
    this.#result = new Kept(parts, 'causeway-result');
    this.#left = new Kept(parts, 'causeway-link', parts.attemptSeconds * SECOND + COOKIE_LIFE);
  }

  /** Changes nothing: mail scanners open links. */
  async show(link: string, response: Response): Promise<void> {
    const { consent, pages } = this.#parts;
    const offer = await consent.look(link);
    if (offer === undefined) {
      this.#gone(response);
      return;
    }
    const { language, zone, account } = offer;
    const { product, application } = account;
    const words = pages.words(response.req, { language, zone, product });
    const [brand, service] = [pages.brand(application), pages.service(product)];
    const values = landingValues(words, offer, { brand, service, address: this.#address(link) });
    const { formTargets } = this.#parts;
    pages.send(response, 200, 'connect', values, { words, formTargets, application });
  }

  /**
   * Handles the button: starts an attempt for this browser and redirects to the authorisation server, or requests a
   * fresh link.
   */
  async leave(link: string, request: Request, response: Response): Promise<void> {
    const { consent, random } = this.#parts;
    if (request.originalUrl.endsWith('?fresh')) {
      this.#askForFresh(link, response);
      return;
    }
    // Another site sent its visitor here, perhaps to make them approve another person's account unawares.
    if (isForeign(request)) {
      await this.show(link, response);
      return;
    }
    const browser = this.#browser(request) ?? random.secret();
    const departure = await consent.begin(link, browser);
    switch (departure.outcome) {
      case 'unknown':
        this.#gone(response);
        return;
      case 'later':
        this.#say(response, messages.later, departure);
        return;
      case 'leave':
        redirect(response, departure.url, [
          this.#browserCookie(browser, this.#parts.attemptSeconds * SECOND),
          this.#left.write({ link, ...customerOf(departure) }),
        ]);
    }
  }

  /**
   * Handles the callback. A HEAD request must not use up the code. Nothing from the callback's address appears in the
   * address of a page.
   */
  async arrive(request: Request, response: Response): Promise<void> {
    if (request.method === 'HEAD') {
      this.#say(response, messages.nothing);
      return;
    }
    const browser = this.#browser(request);
    const outcome = await this.#parts.consent.complete(arrivalIn(request.originalUrl), browser);
    this.#goOn(outcome, request, response);
  }

  /** Changes nothing. */
  async ask(key: string, request: Request, response: Response, problem?: string): Promise<void> {
    const { consent, pages } = this.#parts;
    const question = await consent.question(key, this.#browser(request));
    // The browser's back button leads here from the result.
    if (question === undefined && this.#result.read(request) !== undefined)
      redirect(response, RESULT_PATH, []);
    else if (question === undefined) this.#say(response, messages.questionOver);
    else {
      const words = this.#wordsFor(request);
      const status = problem === undefined ? 200 : 400;
      pages.send(response, status, 'choose', choiceValues(words, question, problem), {
        words,
        application: this.#applicationFor(request),
      });
    }
  }

  async answer(key: string, request: Request, response: Response): Promise<void> {
    const form = await readForm(request);
    if (form === undefined) {
      await this.ask(key, request, response, 'problemForm');
      return;
    }
    const organisation = form.get('organisation') ?? '';
    if (organisation === '') {
      await this.ask(key, request, response, 'problemNone');
      return;
    }
    const outcome = await this.#parts.consent.choose(key, this.#browser(request), {
      organisationId: organisation === NONE ? undefined : organisation,
      companions: [...new Set(form.getAll('companion'))],
    });
    if (outcome.outcome === 'again') await this.ask(key, request, response, 'problemAgain');
    // Answered already, by the first of two clicks or in another tab: the page of the question says so.
    else if (outcome.outcome === 'refused' && outcome.account === undefined && this.#browser(request))
      await this.ask(key, request, response);
    else this.#goOn(outcome, request, response);
  }

  /** The clean address after a consent; its content is in a sealed cookie. */
  async result(request: Request, response: Response): Promise<void> {
    const { pages } = this.#parts;
    const result = this.#result.read(request);
    const words = this.#wordsFor(request);
    const application = this.#applicationFor(request);
    const options = { words, application };
    if (result === undefined) this.#say(response, messages.nothing);
    else if (result.outcome === 'connected')
      pages.send(response, 200, 'connected', successValues(words, result), options);
    else if (result.outcome === 'awaiting')
      pages.send(response, 200, 'awaiting', awaitingValues(words, result, pages.brand(application)), options);
    else {
      const { status, canForward } = refusalPages[result.reason];
      const back = await this.#returnAddress(result, request, words);
      const values = { ...result, ...back, canForward, expected: result.expected ?? result.account?.name };
      pages.send(response, status, 'refused', values, options);
    }
  }

  /** Records the customer's explanation of a denial for which the service gave no reason. */
  async explain(request: Request, response: Response): Promise<void> {
    const form = isForeign(request) ? undefined : await readForm(request);
    const cause = denialCauses.find((one) => one === form?.get('cause'));
    const [result, left] = [this.#result.read(request), this.#left.read(request)];
    const asked = result?.outcome === 'refused' && result.reason === 'denied' ? result : undefined;
    if (cause === undefined || asked === undefined || left === undefined) {
      await this.result(request, response);
      return;
    }
    const { consent } = this.#parts;
    const mine = (await consent.look(left.link))?.account.id === asked.account?.id;
    // The same answer can be sent as long as the cookie lives, and each is an entry in the timeline.
    if (mine && isSearching(response, this.#parts)) return;
    const explained = mine ? await consent.explain(left.link, cause) : undefined;
    const cookies = explained === undefined ? [] : [this.#result.write(cookieSized(explained))];
    redirect(response, RESULT_PATH, cookies);
  }

  /** The page for a callback that matches no attempt of this browser. */
  unmatched(response: Response): void {
    const { status } = refusalPages.stateUnknown;
    const values = { reason: 'stateUnknown', nothingBegun: true, found: [], back: undefined };
    this.#parts.pages.send(response, status, 'refused', values);
  }

  #goOn(outcome: Outcome, request: Request, response: Response): void {
    if (outcome.outcome === 'asked') {
      const browser = this.#browser(request);
      const cookies = browser === undefined ? [] : [this.#browserCookie(browser, COOKIE_LIFE)];
      redirect(response, `${CHOOSE_PATH}${outcome.key.reveal()}`, cookies);
      return;
    }
    // Anyone can send a browser here with a forged `state`; that must not overwrite a result this browser already has.
    if (outcome.outcome === 'refused' && outcome.account === undefined) {
      const known = this.#result.read(request)?.outcome;
      const done = known === 'connected' || known === 'awaiting';
      redirect(response, done ? RESULT_PATH : UNMATCHED_PATH, []);
      return;
    }
    redirect(response, RESULT_PATH, [this.#result.write(cookieSized(outcome))]);
  }

  /** Answers immediately and always the same, whether or not the link is known. */
  #askForFresh(link: string, response: Response): void {
    const { fresh, log } = this.#parts;
    if (isSearching(response, this.#parts)) return;
    fresh?.freshLink(link).catch((error: unknown) => {
      log.error('fresh-link.failed', { error: nameOf(error) });
    });
    this.#say(response, messages.fresh);
  }

  /** The link from which this browser left, if it is the account's and still works. */
  async #returnAddress(
    { account }: Extract<Result, { outcome: 'refused' }>,
    request: Request,
    words: Words,
  ): Promise<Readonly<Record<string, unknown>>> {
    const link = this.#left.read(request)?.link;
    const offer: Offer | undefined = link === undefined ? undefined : await this.#parts.consent.look(link);
    if (link === undefined || offer === undefined || offer.account.id !== account?.id)
      return { back: undefined };
    const address = this.#address(link);
    return {
      back: `${CONNECT_PATH}${link}`,
      ...forwarding(words, offer.account.name, this.#parts.pages.brand(offer.account.application), address),
    };
  }

  /** Unknown, expired, used and withdrawn links get the same answer, so that it reveals nothing. */
  #gone(response: Response): void {
    const { pages, fresh } = this.#parts;
    if (isSearching(response, this.#parts)) return;
    pages.send(response, 404, 'gone', { canSend: fresh !== undefined });
  }

  #say(response: Response, { status, message }: Message, of?: Customer): void {
    const { pages } = this.#parts;
    const words = pages.words(response.req, of);
    pages.send(response, status, 'message', { message }, { words, application: of?.application });
  }

  /** Texts in the language of the account whose link this browser came from. */
  #wordsFor(request: Request): Words {
    return this.#parts.pages.words(request, this.#left.read(request));
  }

  /** The application for which this browser is asked to consent. */
  #applicationFor(request: Request): string | undefined {
    return this.#left.read(request)?.application;
  }

  #browser(request: Request): Secret | undefined {
    const value = this.#parts.cookies.read(request, BROWSER);
    return value !== undefined && isOurs(value) ? new Secret(value) : undefined;
  }

  #browserCookie(browser: Secret, life: number): string {
    return this.#parts.cookies.write(BROWSER, browser.reveal(), life);
  }

  #address(link: string): string {
    return `${this.#parts.publicUrl}${CONNECT_PATH}${link}`;
  }
}

/** The part of a customer that the next pages need. */
const customerOf = ({ language, zone, product, application }: Customer): Customer => ({
  language,
  zone,
  product,
  application,
});

/** The form's value for "none of these organisations". The service has no id this short. */
const NONE = '-';
