/**
 * The first page of the screens: organisations, users, the clock, applications and planned faults.
 *
 * It shows only what the router passes in; each section has its own function.
 */
import type { SandboxClock } from '../control/clock.ts';
import type { Configuration } from '../control/configuration.ts';
import type { PlannedFault } from '../faults/fault.ts';
import type { ListedOrganisation } from '../identity/organisations.ts';
import type { Membership, Person } from '../identity/people.ts';
import { registrationForm } from './application.ts';
import { html, type Html } from './html.ts';
import type { Page } from './page.ts';

export interface OverviewView {
  readonly organisations: readonly ListedOrganisation[];
  readonly people: readonly { readonly person: Person; readonly memberships: readonly Membership[] }[];
  readonly clock: SandboxClock;
  readonly configuration: Configuration;
  readonly faults: readonly PlannedFault[];
  readonly publicUrl: string;
}

/** The contents of the sandbox and the addresses it answers at. */
export function overviewPage(view: OverviewView): Page {
  return {
    title: 'Sandbox service',
    layout: 'wide',
    main: html`<h1>The service, played locally</h1>
      <p class="soft">
        V1 <code>${view.publicUrl}/v1/</code> · V3 <code>${view.publicUrl}/3.0/</code> ·
        <a href="/v2/docs">V2</a> <code>${view.publicUrl}/v2/</code> · OAuth 2.0
        <code>${view.publicUrl}/identity/connect/authorize</code> · control plane
        <code>${view.publicUrl}/_sandbox/</code>
      </p>
      ${organisations(view.organisations)} ${people(view.people)} ${clock(view.clock)}
      ${applications(view.configuration)} ${faults(view.faults)}`,
  };
}

function organisations(all: readonly ListedOrganisation[]): Html {
  const row = (one: ListedOrganisation): Html =>
    html`<tr>
      <td><a href="/_sandbox/screens/organisations/${one.id}">${one.name}</a></td>
      <td><code>${one.id}</code></td>
      <td><code>${one.accountKey}</code></td>
      <td>${one.apiKeys.length === 0 ? 'any' : html`<code>${one.apiKeys.join(', ')}</code>`}</td>
      <td>${v1State(one)}</td>
      <td>${one.switches.practice === false ? 'off' : one.switches.practice}</td>
    </tr> `;
  return html`<section class="card">
    <h2>Organisations</h2>
    ${
      all.length === 0
        ? html`<p>None yet. Seed some: <code>curl -d '{"size":10}' …/_sandbox/seed</code></p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Identifier</th>
                  <th scope="col">Account key</th>
                  <th scope="col">API keys</th>
                  <th scope="col">V1</th>
                  <th scope="col">Practice module</th>
                </tr>
              </thead>
              <tbody>
                ${all.map(row)}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}

function v1State({ switches, consentedAt }: ListedOrganisation): Html {
  const refuses = consentedAt !== undefined && switches.v1AfterConsent === 'refuses';
  const state = switches.v1 === 'closed' ? 'closed' : refuses ? 'refuses since consent' : 'open';
  return html`<span class="tag">${state}</span
    >${consentedAt !== undefined && html` <span class="tag">consented</span>`}`;
}

function people(all: OverviewView['people']): Html {
  const row = (person: Person, membership: Membership): Html =>
    html`<tr>
      <td>${person.name}<br /><span class="soft">${person.email}</span></td>
      <td>${membership.organisationName}</td>
      <td>${membership.administrator ? 'yes' : 'no'}</td>
      <td>${membership.privilege ? 'yes' : 'no'}</td>
    </tr> `;
  return html`<section class="card">
    <h2>Users</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">User</th>
            <th scope="col">Organisation</th>
            <th scope="col">Administrator</th>
            <th scope="col">Authorise 3rd Party Full Access</th>
          </tr>
        </thead>
        <tbody>
          ${all.flatMap(({ person, memberships }) => memberships.map((membership) => row(person, membership)))}
        </tbody>
      </table>
    </div>
  </section>`;
}

function clock(time: SandboxClock): Html {
  const step = (seconds: number, name: string): Html =>
    html`<button class="quiet" name="advanceSeconds" value="${seconds}">${name}</button> `;
  return html`<section class="card">
    <h2>Clock</h2>
    <p>
      It is
      <strong>${new Date(time.now()).toISOString()}</strong>
      here${time.offset !== 0 && html`, ${Math.round(time.offset / 1000)} seconds from the machine's time`}.
    </p>
    <form method="post" action="/_sandbox/screens/clock">
      <div class="actions">
        ${[step(60, '+1 minute'), step(1_740, '+29 minutes'), step(1_860, '+31 minutes'), step(86_400, '+1 day'), step(5_184_000, '+60 days')]}
      </div>
    </form>
  </section>`;
}

function applications(configuration: Configuration): Html {
  const protocol = configuration.protocol();
  const row = ([id, { name, redirectUris }]: readonly [
    string,
    { name: string; redirectUris: readonly string[] },
  ]): Html =>
    html`<tr>
      <td>${name}</td>
      <td><code>${id}</code></td>
      <td><code>${redirectUris.join(' ')}</code></td>
    </tr> `;
  return html`<section class="card">
    <h2>Registered applications</h2>
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">Name</th>
            <th scope="col">Client ID</th>
            <th scope="col">Redirect addresses</th>
          </tr>
        </thead>
        <tbody>
          ${[...configuration.applications()].map(row)}
        </tbody>
      </table>
    </div>
    ${registrationForm}
    <h2>Token protocol</h2>
    <p>
      Access ${protocol.durations.access} s, refresh ${protocol.durations.refresh} s, grace
      ${protocol.durations.grace} s; a retry within the grace gives
      <span class="tag">${protocol.successor}</span>; ${protocol.limits.perMinute ?? 'no'} requests in
      ${protocol.limits.windowSeconds} s for each application and organisation.
    </p>
  </section>`;
}

function faults(planned: readonly PlannedFault[]): Html {
  const row = (fault: PlannedFault): Html =>
    html`<tr>
      <td><code>${fault.id}</code></td>
      <td>${fault.do}</td>
      <td>${fault.on.surface}${fault.on.operation !== undefined && html` ${fault.on.operation}`}</td>
      <td>${fault.struck} of ${fault.times}</td>
    </tr> `;
  return html`<section class="card">
    <h2>Faults</h2>
    ${
      planned.length === 0
        ? html`<p>None planned.</p>`
        : html`<div class="scroll">
            <table>
              <thead>
                <tr>
                  <th scope="col">Name</th>
                  <th scope="col">Does</th>
                  <th scope="col">On</th>
                  <th scope="col">Struck</th>
                </tr>
              </thead>
              <tbody>
                ${planned.map(row)}
              </tbody>
            </table>
          </div>`
    }
  </section>`;
}
