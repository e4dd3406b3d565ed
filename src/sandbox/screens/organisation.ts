/**
 * The page of one organisation, where its switches are set.
 *
 * The table `settings` has a row for each switch; the form sends all switches, changed or not.
 */
import type { ListedOrganisation } from '../identity/organisations.ts';
import type { ConfiguredLists } from '../json/settings/configured.ts';
import { configuredSections } from './configured.ts';
import { html, type Html } from './html.ts';
import type { Page } from './page.ts';

/** A connection as the organisation's own screens show it. */
export interface ShownConnection {
  readonly id: string;
  readonly application: string;
  readonly user: string;
  readonly since: number;
}

export interface OrganisationView {
  readonly organisation: ListedOrganisation;
  readonly connections: readonly ShownConnection[];
  readonly configured: ConfiguredLists;
  readonly saved: boolean;
}

interface Setting {
  readonly name: string;
  readonly label: string;
  readonly choices: readonly (readonly [value: string, label: string])[];
}

const onOff = [
  ['false', 'off'],
  ['true', 'on'],
] as const;

/** One row per switch of the organisation; the form sends all of them. */
export const settings: readonly Setting[] = [
  {
    name: 'practice',
    label: 'Practice management module',
    choices: [
      ['false', 'off'],
      ['NZ', 'New Zealand'],
      ['AU', 'Australia'],
    ],
  },
  {
    name: 'practiceVersion',
    label: 'Practice variant of V3',
    choices: [
      ['3.0', '3.0'],
      ['3.1', '3.1'],
    ],
  },
  {
    name: 'v1',
    label: 'V1',
    choices: [
      ['open', 'open'],
      ['closed', 'closed'],
    ],
  },
  {
    name: 'v1AfterConsent',
    label: 'V1 after consent',
    choices: [
      ['answers', 'answers'],
      ['refuses', 'refuses'],
    ],
  },
  {
    name: 'v3Identifiers',
    label: 'V3 identifiers',
    choices: [
      ['uuid', 'UUIDs'],
      ['number', 'numbers'],
    ],
  },
  { name: 'transition', label: 'V1 transition mode', choices: onOff },
  {
    name: 'customFieldIds',
    label: 'Custom field identifiers',
    choices: [
      ['both', 'both'],
      ['id', 'ID'],
      ['uuid', 'UUID'],
    ],
  },
  { name: 'listDeleted', label: 'Lists show deleted clients', choices: onOff },
  {
    name: 'webUrl',
    label: 'WebUrl',
    choices: [
      ['off', 'off'],
      ['numeric', 'with numbers'],
      ['uuid', 'with UUIDs'],
    ],
  },
  { name: 'accountingIntegration', label: 'Accounting integration', choices: onOff },
  { name: 'timeAllocation', label: 'Staff time allocation', choices: onOff },
  { name: 'startFinishEntry', label: 'Start and finish of time entries', choices: onOff },
];

/** The page of one organisation: its switches and its connections. */
export function organisationPage({ organisation, connections, configured, saved }: OrganisationView): Page {
  const values = organisation.switches as unknown as Readonly<Record<string, unknown>>;
  return {
    title: organisation.name,
    layout: 'wide',
    main: html`<p><a href="/_sandbox/">All organisations</a></p>
      <h1>${organisation.name}</h1>
      <p class="soft">
        Identifier <code>${organisation.id}</code> · account key <code>${organisation.accountKey}</code>
      </p>
      ${saved && html`<p class="alert" role="status">Saved.</p>`}
      <section class="card">
        <h2>Settings</h2>
        <form method="post" action="/_sandbox/screens/organisations/${organisation.id}">
          <div class="grid">${settings.map((setting) => field(setting, String(values[setting.name])))}</div>
          <div class="actions"><button>Save</button></div>
        </form>
      </section>
      <section class="card">
        <h2>Connected applications</h2>
        ${connections.length === 0 ? html`<p>None.</p>` : connectionTable(organisation.id, connections)}
      </section>
      ${configuredSections(organisation.id, configured)}`,
  };
}

function field({ name, label, choices }: Setting, present: string): Html {
  const option = ([value, text]: readonly [string, string]): Html =>
    html`<option value="${value}" ${value === present && html` selected`}>${text}</option>`;
  return html`<div class="field">
    <label for="${name}">${label}</label
    ><select id="${name}" name="${name}">
      ${choices.map(option)}
    </select>
  </div> `;
}

function connectionTable(organisationId: string, connections: readonly ShownConnection[]): Html {
  const row = (one: ShownConnection): Html =>
    html`<tr>
      <td>${one.application}</td>
      <td>${one.user}</td>
      <td>${new Date(one.since).toISOString().slice(0, 16).replace('T', ' ')}</td>
      <td>
        <form method="post" action="/_sandbox/screens/organisations/${organisationId}/disconnect">
          <input type="hidden" name="connection" value="${one.id}" /><button class="quiet">
            Disconnect<span class="skip"> ${one.application}</span>
          </button>
        </form>
      </td>
    </tr> `;
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          <th scope="col">Application</th>
          <th scope="col">By</th>
          <th scope="col">Since (UTC)</th>
          <th scope="col"></th>
        </tr>
      </thead>
      <tbody>
        ${connections.map(row)}
      </tbody>
    </table>
  </div>`;
}
