/**
 * The page of a connection for its customer, behind a link of its own; the return from the sign-in it asks for; and the
 * same, read-only, inside the integrator's own product.
 *
 * A GET changes nothing. Its forms lead to a new approval, to a sign-in at the service, or, after that, end the
 * connection; each is refused from another site. The person who has signed in is kept in a sealed cookie for ten
 * minutes, for one connection and one approval. Nothing of the sign-in is stored.
 */
import type { Request, Response } from 'express';
import { CONNECTION_PATH } from '../../features/campaign/mail/outgoing-message.ts';
import type { CustomerConnection } from '../../features/connection/connection.ts';
import type { Disconnection } from '../../features/consent/disconnecting.ts';
import type { Embedding } from '../../features/connection/embedding.ts';
import type { Approval, ConnectionView } from '../../features/connection/model.ts';
import type { SignIn } from '../../features/connection/sign-in.ts';
import { Secret } from '../../lib/secret/secret.ts';
import { MINUTE } from '../../lib/time/clock.ts';
import { sameText } from '../../lib/secret/same-text.ts';
import { isForeign } from '../server/foreign.ts';
import { readForm } from '../server/body/form.ts';
import { redirect } from '../server/redirect.ts';
import { arrivalIn } from './arrival.ts';
import { connectionValues, isConnected, mayApproveAgain } from './connection-values.ts';
import { messages, type Message } from './messages.ts';
import { isSearching, type SearchingParts } from './searching.ts';
import type { Pages } from './pages.ts';
import { Kept, type KeptParts } from './result.ts';

/** What the page needs. */
export interface ConnectionPagesParts extends KeptParts, SearchingParts {
  readonly connection: CustomerConnection;
  readonly signIn: SignIn;
  readonly embedding: Embedding;
  /** Origins that may show the page in a frame; empty: none. */
  readonly embedOrigins: readonly string[];
  readonly pages: Pages;
  readonly formTargets: readonly string[];
}

interface Leaving {
  readonly link: string;
  readonly state: string;
  readonly verifier: string | undefined;
}

interface SignedIn {
  readonly accountId: string;
  readonly approval: Approval;
}

/** Messages that the page shows once, below `status`. */
type Said = 'refusedOther' | 'refusedSignIn' | 'ended' | 'endedHere' | 'endedLater' | 'endedOnly';

const saidOf: Readonly<Record<Disconnection, Said | undefined>> = {
  revoked: 'ended',
  here: 'endedHere',
  later: 'endedLater',
  unreadable: 'endedOnly',
  nothing: undefined,
};

/** The page of a connection, and the same for the integrator's own product. */
export class ConnectionPages {
  readonly #parts: ConnectionPagesParts;
  readonly #leaving: Kept<Leaving>;
  readonly #signedIn: Kept<SignedIn>;
  readonly #said: Kept<{ readonly accountId: string; readonly said: Said }>;

  constructor(parts: ConnectionPagesParts) {
    this.#parts = parts;
    this.#leaving = new Kept(parts, 'causeway-leaving');
    this.#signedIn = new Kept(parts, 'causeway-signed-in');
    this.#said = new Kept(parts, 'causeway-said', MINUTE);
  }

  /** Changes nothing. */
  async show(link: string, response: Response): Promise<void> {
    const view = await this.#parts.connection.look(link);
    if (view === undefined) this.#gone(response);
    else this.#send(view, response);
  }

  async act(link: string, request: Request, response: Response): Promise<void> {
    const { connection } = this.#parts;
    const view = await connection.look(link);
    if (view === undefined) {
      this.#gone(response);
      return;
    }
    const wanted = isForeign(request) ? undefined : (await readForm(request))?.get('do');
    if (wanted === 'again' && mayApproveAgain(view)) {
      if (!isSearching(response, this.#parts)) redirect(response, await connection.again(view), []);
    } else if (wanted === 'sign-in' && isConnected(view)) this.#leave(link, view, response);
    else if (wanted === 'disconnect') await this.#disconnect(link, view, response);
    else if (wanted === 'keep') redirect(response, `${CONNECTION_PATH}${link}`, []);
    else this.#send(view, response, wanted === 'ask');
  }

  /** Returns true if the callback ends a sign-in that this browser began here; the response has then been sent. */
  async arrived(request: Request, response: Response): Promise<boolean> {
    const leaving = request.method === 'GET' ? this.#leaving.read(request) : undefined;
    const arrival = arrivalIn(request.originalUrl);
    if (leaving === undefined || arrival.state === undefined || !sameText(arrival.state, leaving.state))
      return false;
    const { connection, signIn } = this.#parts;
    const view = await connection.look(leaving.link);
    if (view === undefined) {
      this.#gone(response);
      return true;
    }
    const verifier = leaving.verifier === undefined ? undefined : new Secret(leaving.verifier);
    const { application } = view;
    const userId =
      arrival.code && arrival.application === application
        ? await signIn.complete(application, arrival.code, verifier)
        : undefined;
    const approval = userId === undefined ? undefined : await connection.approvalOf(view, userId);
    const { accountId } = view;
    const refused = userId === undefined ? 'refusedSignIn' : 'refusedOther';
    redirect(response, `${CONNECTION_PATH}${leaving.link}`, [
      this.#leaving.end(),
      approval === undefined
        ? this.#said.write({ accountId, said: refused })
        : this.#signedIn.write({ accountId, approval }),
    ]);
    return true;
  }

  /** The page inside one of the integrator's, for ten minutes. */
  async embedded(token: string, response: Response): Promise<void> {
    const { pages, embedOrigins } = this.#parts;
    const view = await this.#ofToken(token, response);
    if (view === undefined) return;
    const words = pages.words(response.req, view);
    const values = connectionValues(words, view);
    pages.send(response, 200, 'embedded', values, {
      words,
      frameAncestors: embedOrigins,
      application: view.application,
    });
  }

  async json(token: string, response: Response): Promise<void> {
    const view = await this.#ofToken(token, response);
    if (view !== undefined) sendJson(response, 'application/jose+json', this.#parts.embedding.sign(view));
  }

  keys(response: Response): void {
    sendJson(response, 'application/jwk-set+json', { keys: this.#parts.embedding.keys });
  }

  #leave(link: string, { application }: ConnectionView, response: Response): void {
    const { url, state, verifier } = this.#parts.signIn.begin(application);
    const leaving = { link, state: state.reveal(), verifier: verifier?.reveal() };
    redirect(response, url, [this.#leaving.write(leaving)]);
  }

  async #disconnect(link: string, view: ConnectionView, response: Response): Promise<void> {
    const signedIn = this.#signedIn.read(response.req);
    if (signedIn?.accountId !== view.accountId) {
      this.#send(view, response);
      return;
    }
    const said = saidOf[await this.#parts.connection.disconnect(view, signedIn.approval)];
    redirect(response, `${CONNECTION_PATH}${link}`, [
      this.#signedIn.end(),
      ...(said === undefined ? [] : [this.#said.write({ accountId: view.accountId, said })]),
    ]);
  }

  /** `asks`: asks the signed-in person for confirmation before the connection ends. */
  #send(view: ConnectionView, response: Response, asks = false): void {
    const { pages, formTargets } = this.#parts;
    const { req: request } = response;
    const words = pages.words(request, view);
    const signedIn = this.#signedIn.read(request);
    const said = this.#said.read(request);
    const values = {
      ...connectionValues(words, view),
      again: mayApproveAgain(view),
      asks,
      connected: isConnected(view),
      said: said?.accountId === view.accountId ? said.said : undefined,
      approval: signedIn?.accountId === view.accountId ? approvalValues(words, signedIn.approval) : undefined,
    };
    const { application } = view;
    pages.send(response, 200, 'connection', values, { words, formTargets, application });
  }

  async #ofToken(token: string, response: Response): Promise<ConnectionView | undefined> {
    const { embedding, connection } = this.#parts;
    const accountId = embedding.read(token);
    const view = accountId === undefined ? undefined : await connection.view(accountId);
    if (view === undefined) this.#gone(response);
    return view;
  }

  #gone(response: Response): void {
    if (!isSearching(response, this.#parts)) this.#say(response, messages.missing);
  }

  #say(response: Response, { status, message }: Message): void {
    this.#parts.pages.send(response, status, 'message', { message });
  }
}

const approvalValues = (words: ReturnType<Pages['words']>, { by, at }: Approval): object => ({
  by,
  when: words.moment(at),
});

function sendJson(response: Response, type: string, value: object): void {
  const body = Buffer.from(JSON.stringify(value));
  response.writeHead(200, { 'Content-Type': type, 'Content-Length': body.length });
  response.end(response.req.method === 'HEAD' ? undefined : body);
}
