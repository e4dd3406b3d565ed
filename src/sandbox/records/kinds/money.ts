import type { costLineRows, invoiceRows, invoiceTaskRows, paymentRows } from '../../tables/money/invoice.ts';
import type {
  billRows,
  purchaseOrderCostRows,
  purchaseOrderRows,
  stockReceiptRows,
} from '../../tables/money/purchase-order.ts';
import type { quoteCostRows, quoteRows, quoteTaskRows } from '../../tables/money/quote.ts';
import type { FieldsOf } from '../../tables/table.ts';

/** A line of a bill or stock receipt: amounts with two places. */
export interface OrderLine {
  readonly uuid: string;
  /** The line of the order; '' for an additional line. */
  readonly orderCost: string;
  readonly name: string;
  readonly quantity: string;
  readonly unitCost: string;
  readonly taxRate: string;
}

interface WithLines {
  readonly lines: readonly OrderLine[];
}

/** The fields of the kinds that concern money. */
export interface MoneyFields {
  invoice: FieldsOf<typeof invoiceRows>;
  invoiceTask: FieldsOf<typeof invoiceTaskRows>;
  invoiceCost: FieldsOf<typeof costLineRows>;
  payment: FieldsOf<typeof paymentRows>;
  quote: FieldsOf<typeof quoteRows>;
  quoteTask: FieldsOf<typeof quoteTaskRows>;
  quoteCost: FieldsOf<typeof quoteCostRows>;
  purchaseOrder: FieldsOf<typeof purchaseOrderRows>;
  purchaseOrderCost: FieldsOf<typeof purchaseOrderCostRows>;
  bill: FieldsOf<typeof billRows> & WithLines;
  stockReceipt: FieldsOf<typeof stockReceiptRows> & WithLines;
}
