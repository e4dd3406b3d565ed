/**
 * The pages of the authorisation: sign-in, consent, and the two refusals. Plain forms, no scripts.
 *
 * The parameters of the request travel through the forms as hidden fields. An organisation for which the person lacks
 * the privilege 'Authorise 3rd Party Full Access' is shown but cannot be chosen, with the reason beside it (V2
 * specification, "Prerequisites", rule 3).
 */
import { standing, type Membership, type Person, type Standing } from '../../identity/people.ts';
import { html, type Html } from '../../screens/html.ts';
import type { Page } from '../../screens/page.ts';
import { denied, type Authorisation } from './authorisation.ts';

/** An organisation on the consent page; `because` says why it cannot be chosen. */
export interface Choice {
  readonly membership: Membership;
  readonly because: Standing | 'no-practice' | undefined;
}

export interface ConsentView {
  readonly request: Authorisation;
  readonly person: Person;
  readonly choices: readonly Choice[];
  readonly accessMinutes: number;
  readonly scopeNames: { readonly service: string; readonly practice: string };
  readonly chosen: readonly string[];
  readonly problem?: string;
}

function hidden(request: Authorisation): readonly Html[] {
  return request.parameters.map(
    ([name, value]) => html`<input type="hidden" name="${name}" value="${value}" /> `,
  );
}

/** Error page for a request that names no registered address to return to. */
export function errorPage(text: string): Page {
  return {
    title: 'The request cannot be answered',
    layout: 'narrow',
    main: html`<section class="card">
      <h1>This link does not work</h1>
      <p class="alert" role="alert">${text}</p>
      <p>
        Nothing was granted and you were not sent back, because there is no registered address to send you to.
        Tell the makers of the application.
      </p>
    </section>`,
  };
}

export interface SignInPerson {
  readonly person: Person;
  readonly memberships: readonly Membership[];
}

/** The users on a sign-in page. */
export interface SignInPeople {
  readonly listed: readonly SignInPerson[];
  /** Number of users that the search found, listed or not. */
  readonly total: number;
  /** The text searched for; empty without a search. */
  readonly wanted: string;
}

/** Sign-in page: a button for each user listed, and a search for the others. */
export function signInPage(request: Authorisation, people: SignInPeople): Page {
  const { listed, total, wanted } = people;
  const button = ({ person, memberships }: SignInPerson): Html =>
    html`<li>
      <button class="person" name="user" value="${person.id}">
        <strong>${person.name}</strong><span class="soft">${person.email}</span
        ><span class="soft">${role(memberships)} · ${places(memberships)}</span>
      </button>
    </li> `;
  return {
    title: `Sign in to connect ${request.application.name}`,
    layout: 'narrow',
    main: html`<section class="card">
      <h1>Sign in to connect ${request.application.name}</h1>
      <p>Choose who you are. No password is asked in the sandbox.</p>
      ${(wanted !== '' || total > listed.length) && searchForm(request, people)}
      <form method="post" action="/identity/connect/signin">
        ${hidden(request)}
        <ul class="plain">
          ${listed.map(button)}
        </ul>
        ${total === 0 && html`<p class="alert" role="alert">${nobody(wanted)}</p>`}
      </form>
    </section>`,
  };
}

const nobody = (wanted: string): string =>
  wanted === ''
    ? 'There are no users yet: seed the sandbox first.'
    : `Nobody has “${wanted}” in the name, the e-mail address or the organisation.`;

function searchForm(request: Authorisation, { listed, total, wanted }: SignInPeople): Html {
  return html`<form method="get" action="/identity/connect/authorize" role="search" class="search">
    ${hidden(request)}
    <label for="find">Name, e-mail address or organisation</label>
    <div class="row">
      <input type="search" id="find" name="find" value="${wanted}" /><button class="quiet">Search</button>
    </div>
    <p class="soft">${listed.length} of ${total} users${wanted !== '' && ' found'}.</p>
  </form>`;
}

/** The user's role as text; if it differs between organisations, the highest one. */
function role(memberships: readonly Membership[]): string {
  const standings = memberships.map(standing);
  if (standings.includes('may-connect')) return "Administrator with 'Authorise 3rd Party Full Access'";
  if (standings.includes('no-privilege')) return 'Administrator without the privilege';
  return 'Staff member';
}

function places(memberships: readonly Membership[]): string {
  const names = memberships.map((membership) => membership.organisationName);
  if (names.length === 0) return 'no organisation';
  return names.length <= 2 ? names.join(', ') : `${String(names.length)} organisations`;
}

const reasons: Readonly<Record<Exclude<Choice['because'], undefined>, string>> = {
  'may-connect': '',
  'no-privilege': "You lack the privilege 'Authorise 3rd Party Full Access' here.",
  'no-administrator': 'You are not an administrator here.',
  'no-practice': 'The practice management module is not on here.',
};

/** Consent page: what the application requests, and a checkbox for each organisation. */
export function consentPage(view: ConsentView): Page {
  const { request, person } = view;
  const origin = new URL(request.redirectUri).origin;
  return {
    title: `Connect ${request.application.name}`,
    layout: 'narrow',
    formTargets: [origin],
    main: html`<section class="card"><h1>${request.application.name} asks for access</h1>
<p>Signed in as <strong>${person.name}</strong> <span class="soft">(${person.email})</span></p>
${view.problem !== undefined && html`<p class="alert" role="alert" id="problem">${view.problem}</p>`}
<h2>It will be able to</h2>
<ul class="scopes">
${permissions(view)}</ul>
${duration(view)}
<form method="post" action="/identity/connect/consent">
${hidden(request)}<input type="hidden" name="user" value="${person.id}">
<fieldset${view.problem !== undefined && html` aria-describedby="problem"`}><legend>For which organisations?</legend>
<ul class="plain">
${view.choices.map((choice) => checkbox(choice, view.chosen))}</ul></fieldset>
<div class="actions"><button name="decision" value="approve">Approve</button><button class="quiet" name="decision" value="deny">Deny</button></div>
</form>
<p class="soft">You will be sent back to ${origin}.</p></section>`,
  };
}

function checkbox({ membership, because }: Choice, chosen: readonly string[]): Html {
  const { organisationId, organisationName } = membership;
  const state = because !== undefined ? html` disabled` : chosen.includes(organisationId) && html` checked`;
  return html`<li>
    <label class="choice"
      ><input type="checkbox" name="organisation" value="${organisationId}" ${state} /><span
        >${organisationName}${because !== undefined && html`<span class="soft">${reasons[because]}</span>`}</span
      ></label
    >
  </li> `;
}

function permissions({ request, scopeNames }: ConsentView): readonly Html[] {
  const { scopes } = request;
  const practice = scopes.some(
    (scope) => scope === scopeNames.practice || scope.startsWith(`${scopeNames.practice}.`),
  );
  const lines = [
    scopes.includes(scopeNames.service) &&
      'Read and change clients, jobs, costs, staff and the other records',
    practice && 'Read and change the practice management records',
    scopes.includes('openid') && 'Know who you are',
    scopes.includes('profile') && 'See your first name, last name and user identifier',
    scopes.includes('email') && 'See your e-mail address',
  ];
  return lines.flatMap((line) => (line === false ? [] : [html`<li>${line}</li> `]));
}

/** Without `offline_access` the prompt offers access for only 30 minutes (Scopes). */
function duration({ request, accessMinutes }: ConsentView): Html {
  return request.scopes.includes('offline_access')
    ? html`<p>Access lasts until you disconnect it, also while you are away.</p>`
    : html`<p class="alert">
        <strong>Access for ${accessMinutes} minutes only.</strong> The application did not ask for offline
        access, so it has to ask you again afterwards.
      </p>`;
}

const refusals: Readonly<
  Record<'no-privilege' | 'no-administrator' | 'no-practice' | 'no-organisation', string>
> = {
  'no-privilege':
    "You do not hold the privilege 'Authorise 3rd Party Full Access'. An administrator can grant it to you in the staff settings, among the API access privileges.",
  'no-administrator':
    "You are not an administrator. Only an administrator who holds the privilege 'Authorise 3rd Party Full Access' can connect an application; ask one to follow the same link.",
  'no-practice':
    'The application asks for the practice management variant, and none of your organisations has the practice management module.',
  'no-organisation': 'You do not belong to any organisation.',
};

export type RefusalReason = keyof typeof refusals;

/** Explains why the user has no organisation to connect. */
export function refusalPage(request: Authorisation, person: Person, reason: RefusalReason): Page {
  const again = new URLSearchParams({ ...Object.fromEntries(request.parameters), prompt: 'login' });
  return {
    title: "You don't have access to connect",
    layout: 'narrow',
    main: html`<section class="card">
      <h1>You don't have access to connect ${request.application.name}</h1>
      <p>Signed in as <strong>${person.name}</strong> <span class="soft">(${person.email})</span></p>
      <p class="alert" role="alert">${refusals[reason]}</p>
      <p>Nothing was granted.</p>
      <div class="actions">
        <a class="button" href="/identity/connect/authorize?${again.toString()}">Sign in as somebody else</a
        ><a class="button quiet" href="${denied(request)}">Back to the application</a>
      </div>
    </section>`,
  };
}
