/** The element that holds the value (XML specification, "Custom field definition"). */
export const valueElements = ['Date', 'Number', 'Decimal', 'Boolean', 'Text'] as const;
export type ValueElement = (typeof valueElements)[number];

/** The eight `Use…` flags. `UseContact` also covers the contacts of suppliers. */
export const uses = [
  'Client',
  'Contact',
  'Supplier',
  'Job',
  'Lead',
  'JobTask',
  'JobCost',
  'JobTime',
] as const;
export type Use = (typeof uses)[number];

/** The specification prints the types as examples; that of a checkbox is missing there. */
export const fieldTypes = {
  Text: 'Text',
  'Multi-line Text': 'Text',
  Number: 'Number',
  Decimal: 'Decimal',
  Date: 'Date',
  'Dropdown List': 'Text',
  'Value Link': 'Text',
  Checkbox: 'Boolean',
} as const satisfies Record<string, ValueElement>;

export interface CustomFieldFields {
  readonly type: string;
  readonly valueElement: ValueElement;
  /** For Value Link. */
  readonly linkUrl: string;
  /** For Dropdown List. */
  readonly options: readonly string[];
  readonly use: readonly Use[];
  readonly mandatory?: boolean;
}
