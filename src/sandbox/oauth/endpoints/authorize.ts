/**
 * The user's side of the authorisation code grant, without scripts, sessions or passwords. Two forms:
 *
 * - `GET /identity/connect/authorize?…` shows ten users, with `find=text` those whose name, address or
 *   organisation contains the text. Its form goes to `POST /identity/connect/signin` with the request's
 *   parameters as they came (hidden fields) and `user=<user id>` (the button pressed).
 * - The answer shows the organisations. Its form goes to `POST /identity/connect/consent` with the same hidden fields,
 *   `user`, one `organisation=<organisation id>` per ticked box, and `decision=approve|deny`. The answer is a 303 to
 *   the redirect address with `code` and `state`, or `error`.
 *
 * A plain HTTP client may send the second form at once.
 */
import type { Kysely } from 'kysely';
import type { Request, Response } from 'express';
import type { Application } from '../../identity/application.ts';
import type { PeopleStore, Person } from '../../identity/people.ts';
import type { OrganisationStore } from '../../identity/organisations.ts';
import type { IdentityTables } from '../../identity/tables.ts';
import type { Protocol } from '../../protocol.ts';
import type { RequestLog } from '../../http/request-log.ts';
import { sendPage } from '../../screens/page.ts';
import { callback, denied, readAuthorisation, type Authorisation } from './authorisation.ts';
import type { Codes } from '../tokens/codes.ts';
import { choicesOf, earlierChoice, offered, reasonFor } from './choices.ts';
import { consentPage, errorPage, refusalPage, signInPage } from './consent-pages.ts';
import { bodyText } from './token-endpoint.ts';

/** Dependencies of the endpoints. */
export interface AuthorizeParts {
  readonly db: Kysely<IdentityTables>;
  readonly log: RequestLog;
  readonly people: PeopleStore;
  readonly organisations: OrganisationStore;
  readonly codes: Codes;
  readonly applications: () => ReadonlyMap<string, Application>;
  readonly protocol: () => Protocol;
}

/** Users listed on the sign-in page; a search finds the others. */
const MOST_PEOPLE = 10;

const COOKIE = 'sandbox_user';

/** `GET /identity/connect/authorize` */
export function authorize(parts: AuthorizeParts) {
  return async (request: Request, response: Response): Promise<void> => {
    const asked = open(parts, queryOf(request), request, response);
    if (asked === undefined) return;
    if (!asked.prompts.some((prompt) => ['consent', 'login', 'select_account'].includes(prompt))) {
      const person = await returningUser(parts, request);
      const silent = person === undefined ? undefined : await earlierChoice(parts, asked, person);
      if (person !== undefined && silent !== undefined) {
        await approve(parts, asked, person, silent, response);
        return;
      }
      if (asked.prompts.includes('none')) {
        const error = person === undefined ? 'login_required' : 'consent_required';
        const { state } = asked;
        const error_description = 'the user would have to be asked';
        redirect(response, callback(asked.redirectUri, { error, error_description, state }));
        return;
      }
    }
    const wanted = (new URLSearchParams(queryOf(request)).get('find') ?? '').trim();
    const { people, total } = await parts.people.find(wanted, MOST_PEOPLE);
    const listed = await Promise.all(
      people.map(async (person) => ({ person, memberships: await parts.people.memberships(person.id) })),
    );
    sendPage(response, 200, signInPage(asked, { listed, total, wanted }));
  };
}

/** `POST /identity/connect/signin` */
export function signIn(parts: AuthorizeParts) {
  return async (request: Request, response: Response): Promise<void> => {
    const form = bodyText(request);
    const asked = open(parts, form, request, response);
    if (asked === undefined) return;
    const person = await chosenPerson(parts, form);
    if (person === undefined) {
      sendPage(response, 400, errorPage('There is no such user.'));
      return;
    }
    await showConsent(parts, asked, person, response);
  };
}

/** `POST /identity/connect/consent` */
export function consent(parts: AuthorizeParts) {
  return async (request: Request, response: Response): Promise<void> => {
    const form = bodyText(request);
    const asked = open(parts, form, request, response);
    if (asked === undefined) return;
    const fields = new URLSearchParams(form);
    const person = await chosenPerson(parts, form);
    if (person === undefined) {
      sendPage(response, 400, errorPage('There is no such user.'));
      return;
    }
    switch (fields.get('decision') ?? '') {
      case 'deny':
        redirect(response, denied(asked));
        return;
      case 'approve':
        await decide(parts, asked, person, [...new Set(fields.getAll('organisation'))], response);
        return;
      default:
        await showConsent(parts, asked, person, response, 'Approve or deny.');
    }
  };
}

async function decide(
  parts: AuthorizeParts,
  asked: Authorisation,
  person: Person,
  ticked: readonly string[],
  response: Response,
): Promise<void> {
  const choices = await choicesOf(parts, asked, person);
  const allowed = choices.filter((choice) => choice.because === undefined);
  const chosen = allowed
    .map((choice) => choice.membership.organisationId)
    .filter((id) => ticked.includes(id));
  if (allowed.length === 0 || chosen.length < ticked.length) {
    // A disabled checkbox, or an organisation of another user.
    sendPage(response, 403, refusalPage(asked, person, reasonFor(choices, ticked)));
    return;
  }
  if (chosen.length === 0) {
    await showConsent(parts, asked, person, response, 'Choose at least one organisation.');
    return;
  }
  await approve(parts, asked, person, chosen, response);
}

async function approve(
  parts: AuthorizeParts,
  asked: Authorisation,
  person: Person,
  organisations: readonly string[],
  response: Response,
): Promise<void> {
  const code = await parts.codes.issue({
    clientId: asked.application.id,
    userId: person.id,
    redirectUri: asked.redirectUri,
    scope: asked.scopes.join(' '),
    nonce: asked.nonce,
    challenge: asked.challenge,
    organisations,
  });
  response.set('Set-Cookie', `${COOKIE}=${person.id}; Path=/; HttpOnly; SameSite=Lax`);
  redirect(response, callback(asked.redirectUri, { code, state: asked.state }));
}

async function showConsent(
  parts: AuthorizeParts,
  asked: Authorisation,
  person: Person,
  response: Response,
  problem?: string,
): Promise<void> {
  const choices = await choicesOf(parts, asked, person);
  const allowed = choices.filter((choice) => choice.because === undefined);
  if (allowed.length === 0) {
    sendPage(response, 403, refusalPage(asked, person, reasonFor(choices, [])));
    return;
  }
  const { scopes, durations } = parts.protocol();
  const page = consentPage({
    request: asked,
    person,
    choices,
    accessMinutes: Math.round(durations.access / 60),
    scopeNames: scopes,
    chosen: await offered(parts, asked, person, allowed),
    ...(problem !== undefined && { problem }),
  });
  sendPage(response, problem === undefined ? 200 : 400, page);
}

function open(
  parts: AuthorizeParts,
  text: string,
  request: Request,
  response: Response,
): Authorisation | undefined {
  const reading = readAuthorisation(text, parts.applications(), parts.protocol());
  const line = parts.log.line(request);
  switch (reading.result) {
    case 'page':
      sendPage(response, 400, errorPage(reading.text));
      return undefined;
    case 'redirect':
      redirect(response, reading.address);
      return undefined;
    case 'request':
      if (line !== undefined) line.clientId = reading.request.application.id;
      return reading.request;
  }
}

async function chosenPerson(parts: AuthorizeParts, form: string): Promise<Person | undefined> {
  const id = new URLSearchParams(form).get('user');
  return id === null ? undefined : parts.people.byId(id);
}

async function returningUser(parts: AuthorizeParts, request: Request): Promise<Person | undefined> {
  const id = new RegExp(`(?:^|; *)${COOKIE}=([\\w-]+)`).exec(request.headers.cookie ?? '')?.[1];
  return id === undefined ? undefined : parts.people.byId(id);
}

function queryOf(request: Request): string {
  const mark = request.originalUrl.indexOf('?');
  return mark < 0 ? '' : request.originalUrl.slice(mark + 1);
}

function redirect(response: Response, address: string): void {
  response
    .set({ 'Cache-Control': 'no-store', 'Referrer-Policy': 'no-referrer', Location: address })
    .status(303)
    .end();
}
