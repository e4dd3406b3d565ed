/**
 * Invoices, quotes, purchase orders and their lines. References are UUIDs, '' when unset; amounts, quantities and
 * rates have two places; dates are yyyy-MM-dd. Totals are not stored: they follow from the lines.
 */

/** Owner: the client. Other: the job, or none. Code: its number. Name: ''. */
export interface InvoiceFields {
  readonly type: string;
  readonly description: string;
  readonly date: string;
  readonly dueDate: string;
  /** An approved invoice whose payments cover it is shown as paid. */
  readonly status: 'Draft' | 'Approved' | 'Cancelled';
  readonly contact: string;
}

/** Owner: the invoice. Other: the job, or none. */
export interface InvoiceTaskFields {
  /** The job task. */
  readonly task: string;
  readonly description: string;
  readonly minutes: number;
  readonly billableRate: string;
  readonly billable: boolean;
  /** Percent. */
  readonly taxRate: string;
}

/** Owner: the invoice. Other: the job, or none. Name: the description. */
export interface InvoiceCostFields {
  readonly note: string;
  readonly code: string;
  readonly billable: boolean;
  readonly quantity: string;
  readonly unitCost: string;
  readonly unitPrice: string;
  readonly taxRate: string;
}

/** Owner: the invoice. Name: the reference. */
export interface PaymentFields {
  readonly date: string;
  readonly amount: string;
}

export const quoteStates = ['Draft', 'Issued', 'Accepted', 'Declined', 'Revised'] as const;
export type QuoteState = (typeof quoteStates)[number];

/** Owner: the client. Other: the job, or none. Code: its number. */
export interface QuoteFields {
  readonly type: 'Quote' | 'Estimate';
  readonly state: QuoteState;
  readonly description: string;
  readonly budget: string;
  readonly optionExplanation: string;
  readonly date: string;
  readonly validDate: string;
  readonly contact: string;
  readonly lead: string;
}

/** Owner: the quote. Other: the job task, or none. */
export interface QuoteTaskFields {
  /** The task of the catalogue. */
  readonly task: string;
  readonly description: string;
  readonly estimatedMinutes: number;
  /** What an hour costs. */
  readonly baseRate: string;
  readonly billableRate: string;
  readonly billable: boolean;
  readonly taxRate: string;
}

/** Owner: the quote. Other: the job cost, or none. Name: the description. */
export interface QuoteCostFields {
  readonly note: string;
  readonly code: string;
  readonly billable: boolean;
  readonly quantity: string;
  readonly unitCost: string;
  readonly unitPrice: string;
  readonly taxRate: string;
  /** An option: offered beside the quote, not part of its amount. */
  readonly optional: boolean;
}

export const purchaseOrderStates = ['Draft', 'Issued', 'Cancelled'] as const;
export type PurchaseOrderState = (typeof purchaseOrderStates)[number];

/** Owner: the supplier. Other: the job. Code: its number. Name: ''. */
export interface PurchaseOrderFields {
  readonly description: string;
  readonly date: string;
  readonly deliveryAddress: string;
  readonly state: PurchaseOrderState;
}

/** Owner: the purchase order. Other: the job cost, or none. Name: the description. */
export interface PurchaseOrderCostFields {
  readonly code: string;
  readonly note: string;
  readonly quantity: string;
  readonly unitCost: string;
  readonly taxRate: string;
  /** The job it is for, where the lines of the order are for several. */
  readonly job?: string;
  readonly type?: 'Service' | 'Stock';
  /** The item of the catalogue. */
  readonly cost?: string;
}

export interface OrderLine {
  readonly uuid: string;
  /** The line of the order, '' for an additional one. */
  readonly orderCost: string;
  readonly name: string;
  readonly quantity: string;
  readonly unitCost: string;
  readonly taxRate: string;
}

/** What a supplier bills for an order. Owner: the purchase order. Name: the supplier's number of the bill. */
export interface BillFields {
  readonly date: string;
  readonly dueDate: string;
  readonly receiptDate: string;
  readonly lines: readonly OrderLine[];
}

/** What a supplier delivered. Owner: the purchase order. Code: its number. Name: ''. */
export interface StockReceiptFields {
  readonly note: string;
  readonly date: string;
  readonly lines: readonly OrderLine[];
}
