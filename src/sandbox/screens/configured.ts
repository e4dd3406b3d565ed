/** Account codes, tax rates and recurring jobs on an organisation's page: no API can write them. */
import type { ConfiguredLists } from '../json/settings/configured.ts';
import { frequencies } from '../tables/catalogue/rates.ts';
import { html, type Html } from './html.ts';

interface Field {
  readonly name: string;
  readonly label: string;
  readonly type?: 'number' | 'date';
  readonly choices?: readonly string[];
  readonly isOptional?: boolean;
}

interface List {
  readonly path: string;
  readonly title: string;
  readonly button: string;
  /** Headings of the table's columns, by the name of the value in V2. */
  readonly columns: Readonly<Record<string, string>>;
  readonly fields: readonly Field[];
}

const lists: readonly List[] = [
  {
    path: 'accounts',
    title: 'Account codes',
    button: 'Add account code',
    columns: { code: 'Code', name: 'Name', type: 'Type' },
    fields: [
      { name: 'code', label: 'Code' },
      { name: 'name', label: 'Name' },
      { name: 'type', label: 'Type', choices: ['income', 'expense'] },
    ],
  },
  {
    path: 'taxes',
    title: 'Tax rates',
    button: 'Add tax rate',
    columns: { name: 'Name', rate: 'Percent' },
    fields: [
      { name: 'name', label: 'Name' },
      { name: 'rate', label: 'Percent', type: 'number' },
    ],
  },
  {
    path: 'recurring-jobs',
    title: 'Recurring jobs',
    button: 'Add recurring job',
    columns: {
      name: 'Name',
      frequency: 'Frequency',
      interval: 'Every',
      nextRunDate: 'Next',
      endDate: 'Last day',
    },
    fields: [
      { name: 'name', label: 'Name of the jobs' },
      { name: 'clientUUID', label: 'Client (UUID)' },
      { name: 'frequency', label: 'Frequency', choices: frequencies.filter((one) => one !== 'dates') },
      { name: 'interval', label: 'Every so many', type: 'number', isOptional: true },
      { name: 'startDate', label: 'First day', type: 'date' },
      { name: 'endDate', label: 'Last day', type: 'date', isOptional: true },
    ],
  },
];

/** The three lists, each with a form to add an entry. */
export const configuredSections = (organisationId: string, all: ConfiguredLists): readonly Html[] =>
  lists.map((list) => section(organisationId, list, all[list.path] ?? []));

/** Converts the form of a list to a body for the control plane. */
export function configuredBody(path: string, form: URLSearchParams): object {
  const fields = lists.find((list) => list.path === path)?.fields ?? [];
  return Object.fromEntries(
    fields.flatMap(({ name, type }) => {
      const value = (form.get(name) ?? '').trim();
      if (value === '') return [];
      return [[name, type === 'number' ? Number(value) : value]];
    }),
  );
}

function section(organisationId: string, list: List, rows: readonly object[]): Html {
  const { path, title, button, fields } = list;
  return html`<section class="card">
    <h2>${title}</h2>
    ${rows.length === 0 ? html`<p>None.</p>` : table(list, rows)}
    <form method="post" action="/_sandbox/screens/organisations/${organisationId}/${path}">
      <div class="grid">${fields.map((field) => input(path, field))}</div>
      <div class="actions"><button class="quiet">${button}</button></div>
    </form>
  </section>`;
}

function table({ columns }: List, rows: readonly object[]): Html {
  const cell = (row: object, key: string): Html =>
    html`<td>${(row as Readonly<Record<string, string | number | null>>)[key] ?? ''}</td>`;
  const keys = Object.keys(columns);
  return html`<div class="scroll">
    <table>
      <thead>
        <tr>
          ${Object.values(columns).map((label) => html`<th scope="col">${label}</th>`)}
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          (row) =>
            html`<tr>
              ${keys.map((key) => cell(row, key))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

function input(path: string, { name, label, type, choices, isOptional = false }: Field): Html {
  const id = `${path}-${name}`;
  const control = choices
    ? html`<select id="${id}" name="${name}">
        ${choices.map((choice) => html`<option>${choice}</option>`)}
      </select>`
    : html`<input
        id="${id}"
        name="${name}"
        type="${type ?? 'text'}"
        ${type === 'number' && html` step="any"`}
        ${!isOptional && html` required`}
      />`;
  return html`<div class="field"><label for="${id}">${label}</label>${control}</div> `;
}
