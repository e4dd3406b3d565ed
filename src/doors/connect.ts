import { MINUTE, SECOND, type Clock } from '../domain/clock.ts';
import type { Seal } from '../domain/seal.ts';
import { SealBroken } from '../domain/seal.ts';
import { Secret } from '../domain/secret.ts';
import { isOurs, type Chance } from '../migration/chance.ts';
import type { Arrival, Connected, Consent, Offer, Outcome } from '../migration/consent.ts';
import type { Request, Response } from 'express';
import type { Cookies } from './cookie.ts';
import { messages, outcomes, type Message } from './messages.ts';
import { privateHeaders, type Pages } from './pages.ts';

export interface ConnectParts {
  readonly consent: Pick<Consent, 'look' | 'begin' | 'complete'>;
  readonly pages: Pages;
  readonly cookies: Cookies;
  readonly seal: Seal;
  readonly chance: Chance;
  readonly clock: Clock;
  /** Who asks, in words: the name or host of this installation. */
  readonly asker: string;
  /** Origin of the authorisation server: the form's redirect leads there. */
  readonly authorizeOrigin: string;
  /** Life of an attempt, in seconds. */
  readonly attemptSeconds: number;
}

const BROWSER = 'causeway';
const RESULT = 'causeway-result';
const RESULT_LIFE = 10 * MINUTE;
const CONNECTED_PATH = '/_causeway/connected';
/** Authorisation codes may be long; Node bounds the whole head. */
const LONGEST_QUERY = 8_192;

/** The pages of a customer: the invitation, the way back from the authorisation server, and the result. */
export class ConnectDoor {
  readonly #parts: ConnectParts;

  constructor(parts: ConnectParts) {
    this.#parts = parts;
  }

  /** Changes nothing: mail scanners open links. */
  async show(link: string, response: Response): Promise<void> {
    const { consent, pages } = this.#parts;
    const offer = await consent.look(link);
    if (offer === undefined) this.#say(response, messages.unknown);
    else pages.send(response, 200, 'connect', this.#words(offer), this.#formTargets());
  }

  /** The button: an attempt of this browser, and off to the authorisation server. */
  async leave(link: string, request: Request, response: Response): Promise<void> {
    const { consent, chance, cookies, attemptSeconds } = this.#parts;
    const browser = this.#browser(request) ?? chance.secret();
    const departure = await consent.begin(link, browser);
    switch (departure.outcome) {
      case 'unknown':
        this.#say(response, messages.unknown);
        return;
      case 'later':
        this.#say(response, messages.later);
        return;
      case 'leave':
        redirect(response, departure.url, cookies.write(BROWSER, browser.reveal(), attemptSeconds * SECOND));
    }
  }

  /** A HEAD request must not use the code up. */
  async arrive(request: Request, response: Response): Promise<void> {
    const { consent, pages } = this.#parts;
    if (request.method === 'HEAD') {
      pages.send(response, 200, 'message', messages.unknown);
      return;
    }
    const outcome = await consent.complete(arrivalIn(request.originalUrl), this.#browser(request));
    this.#tell(response, outcome);
  }

  /** The clean address behind a success: what it says is in a sealed cookie. */
  connected(request: Request, response: Response): void {
    const result = this.#result(request);
    if (result === undefined) this.#say(response, messages.nothing);
    else this.#parts.pages.send(response, 200, 'message', successOf(result));
  }

  #tell(response: Response, outcome: Outcome): void {
    if (outcome.outcome !== 'connected') {
      this.#say(response, outcomes[outcome.outcome]);
      return;
    }
    const { seal, clock, cookies } = this.#parts;
    const content = JSON.stringify({ ...outcome, until: clock.now() + RESULT_LIFE });
    const sealed = seal.seal(new Secret(content), RESULT, 'result');
    redirect(response, CONNECTED_PATH, cookies.write(RESULT, sealed, RESULT_LIFE));
  }

  #result(request: Request): Connected | undefined {
    const { cookies, seal, clock } = this.#parts;
    const sealed = cookies.read(request, RESULT);
    if (sealed === undefined) return undefined;
    try {
      // Sealed by `#tell` and by nobody else.
      const result = JSON.parse(seal.open(sealed, RESULT, 'result').reveal()) as Connected & {
        until: number;
      };
      return result.until > clock.now() ? result : undefined;
    } catch (error) {
      if (error instanceof SealBroken) return undefined;
      throw error;
    }
  }

  #browser(request: Request): Secret | undefined {
    const value = this.#parts.cookies.read(request, BROWSER);
    return value !== undefined && isOurs(value) ? new Secret(value) : undefined;
  }

  #say(response: Response, { status, title, lines }: Message): void {
    this.#parts.pages.send(response, status, 'message', { title, lines });
  }

  #words({ account, organisation, expiresAt }: Offer): Readonly<Record<string, unknown>> {
    return {
      asker: this.#parts.asker,
      account: account.name,
      product: account.product,
      again: organisation !== undefined,
      organisation: organisation?.name ?? '',
      until: `${new Date(expiresAt).toISOString().slice(0, 10)} (UTC)`,
    };
  }

  /**
   * Browsers hold the whole chain of redirects behind a form against this list, and the sign-in page often lives on
   * yet another host. The form carries nothing, so any https host may follow.
   */
  #formTargets(): readonly string[] {
    const { authorizeOrigin } = this.#parts;
    return authorizeOrigin.startsWith('https:') ? [authorizeOrigin, 'https:'] : [authorizeOrigin];
  }
}

function redirect(response: Response, location: string, cookie: string): void {
  response.writeHead(303, {
    Location: location,
    'Set-Cookie': cookie,
    'Content-Length': 0,
    ...privateHeaders,
  });
  response.end();
}

/** What is given twice could be read differently by two readers: it counts as not given. */
function arrivalIn(address: string): Arrival {
  const query = address.includes('?') ? address.slice(address.indexOf('?') + 1) : '';
  const parameters = new URLSearchParams(query.length > LONGEST_QUERY ? '' : query);
  const once = (name: string): string | undefined => {
    const [value, ...more] = parameters.getAll(name);
    return more.length === 0 && value !== '' ? value : undefined;
  };
  const code = once('code');
  return {
    state: once('state'),
    code: code === undefined ? undefined : new Secret(code),
    error: once('error'),
  };
}

function successOf({ account, organisation, migrated }: Connected): Omit<Message, 'status'> {
  return {
    title: `Connected to ${organisation}`,
    lines: [
      `${account} is now connected to the organisation ${organisation}.`,
      migrated
        ? 'There is nothing else to do: your programs go on working as before. You can close this page.'
        : 'There is nothing else to do: your programs go on working as before, and the move is completed as soon as its checks are through. You can close this page.',
    ],
  };
}
