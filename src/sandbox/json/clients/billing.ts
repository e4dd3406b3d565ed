import { z } from 'zod';
import type { Kind, StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../operation/call.ts';
import type { Column } from '../record/columns.ts';
import { namedRef, namedRefOf } from '../record/refs.ts';
import {
  amount,
  amountOrNull,
  id,
  idOrNull,
  numberOf,
  numberOrNull,
  orNull,
  text,
  textOrNull,
} from '../record/values.ts';

/** How a client is billed: by its own terms, or by those of its type. */

type Client = StoredRecord<'client'>;

/** The records from which a client's terms are derived. */
interface Terms {
  readonly type: StoredRecord<'clientType'> | undefined;
  readonly structure: StoredRecord<'businessStructure'> | undefined;
  readonly payer: StoredRecord<'client'> | undefined;
  readonly tax: StoredRecord<'tax'> | undefined;
  readonly rates: readonly StoredRecord<'customRate'>[];
}

async function termsOf(call: JsonCall, clients: readonly Client[]): Promise<(client: Client) => Terms> {
  const found = async <K extends Kind>(kind: K, uuid: (fields: Client['fields']) => string) =>
    call.records.referred(kind, clients, ({ fields }) => uuid(fields));
  const types = await found('clientType', ({ type }) => type);
  const structures = new Map((await call.records.all('businessStructure')).map((one) => [one.name, one]));
  const payers = await found('client', ({ billingClient }) => billingClient);
  const taxes = await found('tax', ({ zeroRatedTax }) => zeroRatedTax);
  const rates = await call.records.joinedTo('customRate', clients);
  return ({ uuid, fields }) => ({
    type: types.get(fields.type),
    structure: structures.get(fields.businessStructure),
    payer: payers.get(fields.billingClient),
    tax: taxes.get(fields.zeroRatedTax),
    rates: rates.get(uuid) ?? [],
  });
}

type Value = readonly [z.ZodType, (terms: Terms, client: Client, call: JsonCall) => unknown];
type Values = Readonly<Record<string, Value>>;

const common: Values = {
  customRates: [
    z.array(z.strictObject({ taskUUID: id, billableRate: amount })),
    ({ rates }) =>
      rates.map(({ owner = '', fields }) => ({
        taskUUID: owner,
        billableRate: numberOf(fields.billableRate),
      })),
  ],
  invoiceDueDate: [
    textOrNull,
    ({ type }, { fields }) =>
      dueDateOf(fields.paymentTerm ?? type?.fields.paymentTerm, fields.paymentDay ?? type?.fields.paymentDay),
  ],
  markup: [amountOrNull, ({ type }, { fields }) => numberOrNull(fields.markup ?? type?.fields.costMarkup)],
  balanceDate: [textOrNull, (_terms, { fields }) => orNull(fields.balanceMonth)],
  taxNumbers: [z.array(z.strictObject({ name: text, number: text })), taxNumbersOf],
  zeroRatedTaxRate: [
    z.strictObject({ taxName: text, rate: amount }).nullable(),
    ({ tax }) => (tax ? { taxName: tax.name, rate: numberOf(tax.fields.rate) } : null),
  ],
};

const dueDateOf = (term: string | undefined, day: number | undefined): string | null =>
  term === undefined || day === undefined ? null : `${term} ${day}`;

/** The names of the tax numbers depend on the country. */
function taxNumbersOf(_terms: Terms, { fields }: Client, { organisation }: JsonCall) {
  const country = organisation.switches.practice;
  const names =
    country === 'NZ'
      ? ['IRD Number', 'Company Number', 'NZBN']
      : country === 'AU'
        ? ['TFN', 'ACN', 'ABN']
        : ['Tax Number', 'Company Number', 'Business Number'];
  const { taxNumber, companyNumber, businessNumber, branch = '' } = fields;
  return [taxNumber, companyNumber, businessNumber, branch].flatMap((number, at) =>
    number === '' ? [] : [{ name: names[at] ?? 'Branch', number }],
  );
}

const billingColumn = (values: Values): Column<Client> => ({
  schema: z.strictObject(
    Object.fromEntries(Object.entries(values).map(([name, [schema]]) => [name, schema])),
  ),
  load: async (call, clients) => {
    const terms = await termsOf(call, clients);
    return (client) =>
      Object.fromEntries(
        Object.entries(values).map(([name, [, value]]) => [name, value(terms(client), client, call)]),
      );
  },
});

/** Omitted if the client pays its own invoices. */
const payer = {
  billingClient: [namedRef.optional(), ({ payer: of }) => namedRefOf(of) ?? undefined],
} satisfies Values;
const type = {
  clientType: [
    z.strictObject({ uuid: id, clientType: text }).nullable(),
    ({ type: of }) => (of ? { uuid: of.uuid, clientType: of.name } : null),
  ],
} satisfies Values;

export const billing = billingColumn({
  ...type,
  businessStructure: [namedRef.nullable(), ({ structure }) => namedRefOf(structure)],
  ...payer,
  ...common,
});

export const billingSaved = billingColumn({
  ...type,
  businessStructure: [
    z.strictObject({ uuid: id, businessStructure: text }).nullable(),
    ({ structure }) => (structure ? { uuid: structure.uuid, businessStructure: structure.name } : null),
  ],
  ...payer,
  ...common,
});

export const billingOfList = billingColumn({
  clientTypeUUID: [idOrNull, ({ type: of }) => of?.uuid ?? null],
  businessStructureUUID: [idOrNull, ({ structure }) => structure?.uuid ?? null],
  billingClientUUID: [id.optional(), ({ payer: of }) => of?.uuid],
  ...common,
});
