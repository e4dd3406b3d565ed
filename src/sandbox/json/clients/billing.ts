import type { StoredRecord } from '../../records/kinds.ts';
import type { JsonCall } from '../call.ts';
import { byUuids } from '../refs.ts';
import { numberOf, numberOrNull, orNull } from '../values.ts';

type Client = StoredRecord<'client'>;

export interface Billing {
  readonly refs: {
    readonly clientType: StoredRecord<'clientType'> | undefined;
    readonly businessStructure: StoredRecord<'businessStructure'> | undefined;
    readonly billingClient: StoredRecord<'client'> | undefined;
  };
  readonly common: {
    readonly customRates: { readonly taskUUID: string; readonly billableRate: number }[];
    readonly invoiceDueDate: string | null;
    readonly markup: number | null;
    readonly balanceDate: string | null;
    readonly taxNumbers: { readonly name: string; readonly number: string }[];
    readonly zeroRatedTaxRate: { readonly taxName: string; readonly rate: number } | null;
  };
}

/** How a client is billed: its own terms, else those of its type. */
export async function billingOf(
  call: JsonCall,
  clients: readonly Client[],
): Promise<(client: Client) => Billing> {
  const types = await byUuids(
    call,
    'clientType',
    clients.map(({ fields }) => fields.type),
  );
  const structures = new Map((await call.records.all('businessStructure')).map((one) => [one.name, one]));
  const payers = await byUuids(
    call,
    'client',
    clients.map(({ fields }) => fields.billingClient),
  );
  const taxes = await byUuids(
    call,
    'tax',
    clients.map(({ fields }) => fields.zeroRatedTax),
  );
  const rates = await call.records.joinedTo(
    'customRate',
    clients.map(({ uuid }) => uuid),
  );
  const country = call.organisation.switches.practice;
  return ({ uuid, fields }) => {
    const clientType = types.get(fields.type);
    const tax = taxes.get(fields.zeroRatedTax ?? '');
    return {
      refs: {
        clientType,
        businessStructure: structures.get(fields.businessStructure),
        billingClient: payers.get(fields.billingClient),
      },
      common: {
        customRates: (rates.get(uuid) ?? []).map((rate) => ({
          taskUUID: rate.owner ?? '',
          billableRate: numberOf(rate.fields.billableRate),
        })),
        invoiceDueDate: dueDateOf(
          fields.paymentTerm ?? clientType?.fields.paymentTerm,
          fields.paymentDay ?? clientType?.fields.paymentDay,
        ),
        markup: numberOrNull(fields.markup ?? clientType?.fields.costMarkup),
        balanceDate: orNull(fields.balanceMonth),
        taxNumbers: taxNumbersOf(fields, country),
        zeroRatedTaxRate: tax ? { taxName: tax.name, rate: numberOf(tax.fields.rate) } : null,
      },
    };
  };
}

const dueDateOf = (term: string | undefined, day: number | undefined): string | null =>
  term === undefined || day === undefined ? null : `${term} ${day}`;

/** Their names are those of the country. */
function taxNumbersOf(
  { taxNumber, companyNumber, businessNumber, branch }: Client['fields'],
  country: false | 'NZ' | 'AU',
): { readonly name: string; readonly number: string }[] {
  const names =
    country === 'NZ'
      ? ['IRD Number', 'Company Number', 'NZBN']
      : country === 'AU'
        ? ['TFN', 'ACN', 'ABN']
        : ['Tax Number', 'Company Number', 'Business Number'];
  return [taxNumber, companyNumber, businessNumber, branch ?? ''].flatMap((number, at) =>
    number === '' ? [] : [{ name: names[at] ?? 'Branch', number }],
  );
}
