/**
 * The writes of a round, in their order: those to be tried, those that create the records they need, and those that delete
 * these records again.
 */
import { TEXT_NUMBER, type Mapping, type Method, type RecordTable } from '../../../mapping/compile/model.ts';
import { isRead } from '../../../mapping/compile/reads.ts';
import { placeholderOf } from '../known-records.ts';
import type { Surface } from '../model.ts';
import { isOn } from '../reading.ts';
import { writeBody } from './write-body.ts';

/** Methods that are never tried, with the reason. */
export const neverTried: Readonly<Record<string, string>> = {
  'cost.deleteall': 'it deletes every cost of the organisation',
  'staff.forgottenpassword': 'it sends a person an e-mail',
  'staff.add': 'it invites a person',
};

/** What decides about the writes of a round. */
export interface PlanParts {
  readonly mapping: Mapping;
  readonly surface: Surface;
  /** Whether a method is to be tried. */
  readonly isWanted: (method: Method) => boolean;
  /** Whether an existing record of a kind may be referred to. */
  readonly isShared: (kind: string) => boolean;
}

/** The wanted methods, and those that they depend on. */
export function plannedWrites({ mapping, surface, isWanted, isShared }: PlanParts): readonly Method[] {
  const writes = mapping.methods.filter((method) => !isRead(method) && isOn(surface, method));
  const planned = new Set(writes.filter(isWanted));
  // The loop also visits what it adds.
  for (const method of planned) {
    const kinds = neverTried[method.id] === undefined ? neededKinds(method, mapping, isShared) : undefined;
    for (const kind of kinds ?? [])
      addFirst(planned, writes, (one) => makes(one) && madeKindOf(one) === kind);
    if (makes(method) && isWhole(method))
      addFirst(
        planned,
        writes,
        (one) => isDeletion(one) && targetKindOf(one, mapping) === madeKindOf(method),
      );
  }
  return writes.filter((method) => planned.has(method)).toSorted((a, b) => orderOf(a) - orderOf(b));
}

function addFirst(
  planned: Set<Method>,
  writes: readonly Method[],
  isNeeded: (method: Method) => boolean,
): void {
  const first = writes.find((method) => neverTried[method.id] === undefined && isNeeded(method));
  if (first !== undefined) planned.add(first);
}

/** The kinds of own records that a write needs; undefined: it requires a value that cannot be made up. */
export function neededKinds(
  method: Method,
  { methods }: Pick<Mapping, 'methods'>,
  isShared: (kind: string) => boolean,
): ReadonlySet<string> | undefined {
  const { body } = method;
  const inAddress = placeholderOf(method, methods);
  const kinds = new Set(inAddress === undefined ? [] : [inAddress]);
  if (body === undefined) return kinds;
  if (inAddress === undefined && !makes(method)) kinds.add(messageKindOf(body.of));
  const idFor = (kind: string): string => {
    if (!isShared(kind)) kinds.add(kind);
    return kind;
  };
  const parts = { number: 0, time: '', day: '', isNew: makes(method), own: 'own', idFor };
  return writeBody(body.root, body.of, parts) && kinds;
}

/** Whether it concerns a record that belongs to no other: `client.add`, but not `client.contact.add`. */
export const isWhole = ({ id }: Method): boolean => id.split('.').length === 2;

/** Whether it deletes a record that belongs to no other. */
export const isDeletion = (method: Method): boolean => isWhole(method) && method.id.endsWith('.delete');

/** Whether it creates a record. */
export const makes = ({ creates, reply }: Method): boolean => creates || reply.form === 'id';

/** The kind of the record that a method changes or deletes: the address names it, or the message. */
export const targetKindOf = (method: Method, { methods }: Pick<Mapping, 'methods'>): string =>
  placeholderOf(method, methods) ?? (method.body === undefined ? '' : messageKindOf(method.body.of));

/** The kind of the record that a message names; jobs have no kind of their own. */
export const messageKindOf = (of: RecordTable): string => idKindOf(of) ?? '#Job';

function idKindOf(of: RecordTable): string | undefined {
  const row = of.rows.find(({ element }) => element === 'ID');
  return row?.holds === 'value' ? row.kind : undefined;
}

/** The kind of the record that a method creates. */
export function madeKindOf({ id, reply }: Method): string {
  if (reply.form === 'one') return idKindOf(reply.of) ?? `#${reply.element}`;
  if (reply.form === 'id' && reply.kind !== TEXT_NUMBER) return reply.kind;
  if (/quote|estimate/.test(id)) return '#Quote';
  return id.startsWith('purchaseorder') ? '#PurchaseOrder' : '#Job';
}

/**
 * Methods that create records first, in the order of the files; those that delete last, the youngest record
 * first.
 */
function orderOf(method: Method): number {
  if (isLast(method))
    return method.id.split('.').length > 2
      ? 3
      : method.id.endsWith('.archive')
        ? 4
        : 5 - familyOrder(method) / 10;
  return makes(method) ? familyOrder(method) / 10 : 2;
}

/** Whether it ends the use of a record, so that nothing else can be tried with it. */
export const isLast = ({ id }: Method): boolean => /\.(?:delete|archive|disable)$/.test(id);

/** Clients before jobs, jobs before times. */
const families = [
  'client',
  'clientgroup',
  'supplier',
  'cost',
  'staff',
  'lead',
  'job',
  'time',
  'quote',
  'purchaseorder',
];
const familyOrder = ({ id }: Method): number => families.indexOf(id.split('.', 1)[0] ?? '') + 1;
