import { reducedHeader } from '../../../lib/text/csv-cell.ts';

/** Columns of an account list, in the order of an export. */
export const accountColumns = {
  name: 'name',
  accountKey: 'account key',
  apiKey: 'API key',
  product: 'product',
  application: 'application',
  organisationName: 'organisation',
  organisationId: 'organisation id',
  contactName: 'contact name',
  email: 'e-mail',
  language: 'language',
  zone: 'time zone',
  phone: 'phone',
  tags: 'tags',
  notes: 'notes',
  id: 'id',
  /** Only `closed` is read. */
  stage: 'stage',
  /** Only `issued`, of a new account, is read. */
  origin: 'origin',
} as const;

export type AccountColumn = keyof typeof accountColumns;
export const accountColumnNames = Object.keys(accountColumns) as readonly AccountColumn[];

/** Other spellings in use, reduced to lower-case letters; those of the table above are accepted anyway. */
const others: Readonly<Record<string, AccountColumn>> = {
  account: 'name',
  accountname: 'name',
  customer: 'name',
  customername: 'name',
  key: 'accountKey',
  v1accountkey: 'accountKey',
  v1apikey: 'apiKey',
  organization: 'organisationName',
  organisationname: 'organisationName',
  organizationname: 'organisationName',
  expectedorganisation: 'organisationName',
  organizationid: 'organisationId',
  contact: 'contactName',
  contactperson: 'contactName',
  mail: 'email',
  emailaddress: 'email',
  mailaddress: 'email',
  oauthapplication: 'application',
  app: 'application',
  lang: 'language',
  locale: 'language',
  zone: 'zone',
  tz: 'zone',
  telephone: 'phone',
  phonenumber: 'phone',
  tag: 'tags',
  labels: 'tags',
  note: 'notes',
  comment: 'notes',
  comments: 'notes',
  accountid: 'id',
};
/** Header of the column with the faults of a line. */
export const FAULT_COLUMN = 'fault';
const spellings: ReadonlyMap<string, AccountColumn> = new Map([
  ...accountColumnNames.map((column) => [reducedHeader(accountColumns[column]), column] as const),
  ...Object.entries(others),
]);

export interface Columns {
  /** By position; undefined: the column is not read. */
  readonly columns: readonly (AccountColumn | undefined)[];
  /** Unknown headers: reported and ignored. */
  readonly unknown: readonly string[];
  /** Undefined if the list can be read. */
  readonly fault: string | undefined;
}

/** Reads the first line of a list. */
export function columnsOf(header: readonly string[]): Columns {
  const columns = header.map((cell) => spellings.get(reducedHeader(cell)));
  const unknown = header.filter(
    (cell, index) => columns[index] === undefined && cell !== '' && reducedHeader(cell) !== FAULT_COLUMN,
  );
  return { columns, unknown, fault: faultOf(columns) };
}

function faultOf(columns: Columns['columns']): string | undefined {
  const twice = columns.find((column, index) => column !== undefined && columns.indexOf(column) !== index);
  if (twice !== undefined) return `the column ${accountColumns[twice]} appears twice`;
  if (columns.includes('accountKey') || columns.includes('id')) return undefined;
  return `the first line must name the columns, at least account key; known columns: ${Object.values(accountColumns).join(', ')}`;
}
