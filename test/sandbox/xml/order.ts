import type { XmlElement } from '../../../src/lib/xml/element.ts';

/**
 * The element order of every record, typed from the reference of the wire with the names of V1. `[X]` may be absent;
 * `X(…)` is a record, `X/Y(…)` a list of records, `X/@Y` a list of records of this table.
 */
const address =
  'Address, City, Region, PostCode, Country, PostalAddress, PostalCity, PostalRegion, PostalPostCode, PostalCountry, ' +
  'Phone, Fax, Website';

const table: Readonly<Record<string, string>> = {
  Client:
    `ID, Name, [Email], [DateOfBirth], ${address}, ReferralSource, ExportCode, IsProspect, IsArchived, IsDeleted, ` +
    '[AccountManager(ID, Name)], [Type(Name, CostMarkup, PaymentTerm, PaymentDay)], Contacts/@Contact, ' +
    '[Notes/Note(Title, Text, Folder, Date, CreatedBy)], [BillingClient(ID, Name)], [Groups/Group(ID, Name)], [WebUrl]',
  Contact: 'ID, Name, Mobile, Email, Phone, Position, Salutation, Addressee, IsPrimary',
  CustomFieldDefinition:
    '[#ID], #UUID, Name, Type, LinkUrl, Options, UseClient, UseContact, UseSupplier, UseJob, UseLead, UseJobTask, ' +
    'UseJobCost, UseJobTime, ValueElement',
  CustomField: '[#ID], #UUID, Name, [Date], [Number], [Decimal], [Boolean], [Text]',
  Map: 'Type, Date, File, Expiry',
  Category: 'ID, Name',
  Template: 'ID, Name',
  Group: 'ID, Name, Taxable, [Clients/Client(ID, Name)]',
  Staff: 'ID, Name, Email, Phone, Mobile, Address, PayrollCode, [WebUrl]',
  CatalogueTask: 'ID, Name, Description',
  CatalogueCost:
    'ID, Description, Code, Note, UnitCost, UnitPrice, [IncomeAccount], [CostOfSaleAccount], [Supplier(ID, Name)]',
  Time: 'ID, Job(#ID, Name), Task(ID, Name), Staff(ID, Name), Date, Minutes, Note, Billable, [Start], [End], [InvoiceTaskUUID]',
  Job:
    '##ID, Name, Description, Client(ID, Name), ClientOrderNumber, [Budget], State, [Type], StartDate, DueDate, [CompletedDate], ' +
    '[Contact(ID, Name)], [Manager(ID, Name)], [Partner(ID, Name)], [InternalID], Assigned/Staff(ID, Name), ' +
    '[Tasks/@JobTask], [Milestones/@Milestone], [Notes/@JobNote], [WebUrl]',
  JobTask:
    'ID, Name, TaskID, EstimatedMinutes, ActualMinutes, Description, Completed, Billable, Folder, [StartDate], [DueDate], ' +
    '[Assigned/Staff(ID, Name, AllocatedMinutes)]',
  Milestone: 'Date, Description, Completed, Folder',
  JobNote: 'ID, Title, Text, Folder, Date, CreatedBy, Comments/Comment(ID, Text, Date, CreatedBy)',
  JobCost: 'ID, Description, Quantity, UnitCost, UnitPrice, Date, Code, Note, Billable, [Supplier(ID, Name)]',
  Document: 'Title, Text, Folder, Date, CreatedBy, URL',
  Lead:
    'ID, Name, Description, State, EstimatedValue, [Dropbox], Date, DateWonLost, Category, Client(ID, Name), ' +
    '[Contact(ID, Name)], Owner(ID, Name), [Activities/Activity(Date, Subject, Completed, Responsible(ID, Name))], ' +
    '[History/Item(Date, Type, Staff, Detail)]',
  Invoice:
    '##ID, Type, JobText, Description, Date, DueDate, Amount, AmountTax, AmountIncludingTax, AmountPaid, AmountOutstanding, ' +
    'Status, Client(ID, Name), [Contact(ID, Name)], ' +
    '[Jobs/Job(#ID, Name, Description, ClientOrderNumber, Tasks/@InvoiceTask, Costs/@LineCost)], ' +
    '[Tasks/@InvoiceTask], [Costs/@LineCost]',
  InvoiceTask:
    'ID, Name, Description, Minutes, BillableRate, Billable, Amount, AmountTax, AmountIncludingTax',
  LineCost:
    'Description, Note, Code, Billable, Quantity, UnitCost, UnitPrice, Amount, AmountTax, AmountIncludingTax',
  Payment: 'Date, Amount, Reference',
  Quote:
    '##ID, Type, State, Name, Description, Budget, OptionExplanation, Date, ValidDate, EstimatedCost, EstimatedCostTax, ' +
    'EstimatedCostIncludingTax, Amount, AmountTax, AmountIncludingTax, Client(ID, Name), [Contact(ID, Name)], ' +
    '[Tasks/@QuoteTask], [Costs/@LineCost], ' +
    '[Options/Option(Description, Note, Code, Quantity, UnitCost, UnitPrice, Amount, AmountTax, AmountIncludingTax)], ' +
    '[LeadUUID]',
  QuoteTask:
    'Name, Description, EstimatedMinutes, BillableRate, Billable, Amount, AmountTax, AmountIncludingTax',
  PurchaseOrder:
    '#ID, Description, Date, DeliveryAddress, State, Amount, AmountTax, AmountIncludingTax, Job(#ID, Name), Supplier(ID, Name), ' +
    '[Costs/Cost(Description, Code, Note, Quantity, UnitCost, Amount, AmountTax, AmountIncludingTax)]',
  Supplier:
    `ID, Name, ${address}, ` +
    'Contacts/@SupplierContact, [Notes/Note(Title, Text, Folder, Date, CreatedBy)]',
  SupplierContact: 'ID, Name, Mobile, Email, Phone, Position',
};

export type Ids = 'id' | 'uuid' | 'both';

interface Item {
  readonly name: string;
  readonly isOptional: boolean;
  /** Of the record, or of those of the list. */
  readonly inner: string | undefined;
  readonly listOf: string | undefined;
}

/** At the commas outside of brackets. */
function split(text: string): readonly string[] {
  const parts: string[] = [];
  let depth = 0;
  let part = '';
  for (const character of text) {
    if ('(['.includes(character)) depth++;
    if (')]'.includes(character)) depth--;
    if (character === ',' && depth === 0) {
      parts.push(part.trim());
      part = '';
    } else part += character;
  }
  return [...parts, part.trim()];
}

function itemOf(written: string): Item {
  const isOptional = written.startsWith('[');
  const bare = isOptional ? written.slice(1, -1) : written;
  const match = /^([#\w]+)(?:\/(@?)(\w+))?(?:\((.*)\))?$/.exec(bare);
  if (!match) throw new Error(`what is ${written}?`);
  const [, name = '', reference = '', item, inner] = match;
  if (item === undefined) return { name, isOptional, inner, listOf: undefined };
  return reference
    ? { name, isOptional, inner: table[item], listOf: elementOf(item) }
    : { name, isOptional, inner, listOf: item };
}

/** What a record of the table is called inside a list. */
const elementOf = (record: string): string =>
  ({
    JobTask: 'Task',
    JobNote: 'Note',
    InvoiceTask: 'Task',
    QuoteTask: 'Task',
    LineCost: 'Cost',
    SupplierContact: 'Contact',
  })[record] ?? record;

/** Identifiers as the form spells them: `#ID` is a number as text, `##ID` one beside a UUID. */
function spelled(items: readonly Item[], ids: Ids): readonly Item[] {
  const uuid = { name: 'UUID', isOptional: false, inner: undefined, listOf: undefined };
  const first = items[0]?.name;
  const all = items.flatMap((item): readonly Item[] => {
    switch (item.name) {
      case '#ID':
        return [{ ...item, name: 'ID' }];
      case '#UUID':
        return [{ ...item, name: 'UUID' }];
      case '##ID':
        return [{ ...item, name: 'ID' }, ...(ids === 'uuid' ? [uuid] : [])];
      case 'ID':
        return [ids === 'uuid' ? uuid : item];
      case 'TaskID':
        return [ids === 'uuid' ? { ...item, name: 'TaskUUID' } : item];
      default:
        return [item];
    }
  });
  // In transition mode UUID is the last child.
  return ids === 'both' && (first === 'ID' || first === '##ID') ? [...all, uuid] : all;
}

/** What is wrong with the order of a record; empty when nothing is. */
export function disorder(record: string, element: XmlElement, ids: Ids): readonly string[] {
  return disorderOf(table[record] ?? '', element, ids, element.name);
}

function disorderOf(shape: string, element: XmlElement, ids: Ids, path: string): readonly string[] {
  const faults: string[] = [];
  const children = [...element.children];
  for (const item of spelled(split(shape).map(itemOf), ids)) {
    const child = children[0];
    if (child?.name !== item.name) {
      if (!item.isOptional)
        faults.push(`${path}: ${item.name} is missing before ${child?.name ?? 'the end'}`);
      continue;
    }
    children.shift();
    faults.push(...insideOf(item, child, ids, `${path}/${item.name}`));
  }
  return children.length === 0
    ? faults
    : [...faults, `${path}: ${children.map(({ name }) => name).join()} stands where nothing may`];
}

function insideOf(item: Item, child: XmlElement, ids: Ids, path: string): readonly string[] {
  const { inner, listOf } = item;
  if (inner === undefined) return child.children.length === 0 ? [] : [`${path} is no text`];
  if (listOf === undefined) return disorderOf(inner, child, ids, path);
  return child.children.flatMap((one) =>
    one.name === listOf ? disorderOf(inner, one, ids, path) : [`${path} holds ${one.name}`],
  );
}
