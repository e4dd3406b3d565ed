/** Judges V3's answer if it is not a list: whether it confirms a write, and which identifier is the created record's. */
import type { Failure } from '../../lib/failure.ts';
import { isUuid } from '../../lib/text/uuid.ts';
import type { ReplyPart, XmlElement } from '../../lib/xml/element.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import { TEXT_NUMBER, type Method, type RecordTable } from '../../mapping/compile/model.ts';
import type { Profile } from '../../upstream/profile.ts';
import { elementMissing } from '../call/status.ts';

/** The failure to report if nothing in the answer is what the method returns; undefined if its status is enough. */
export function lacking(parts: readonly ReplyPart[], method: Method, isWrite: boolean): Failure | undefined {
  const { reply, creates } = method;
  if (reply.form === 'id') return elementMissing(namesFor(reply.kind).join(' or '), isWrite);
  if (reply.form !== 'one') return undefined;
  const isRecordNeeded = !isWrite || creates || !isConfirmed(parts, method, reply);
  return isRecordNeeded ? elementMissing(lackingIn(parts, method, reply), isWrite) : undefined;
}

/** The record, or the identifier of the one that is shown. */
function lackingIn(parts: readonly ReplyPart[], method: Method, { element }: OneReply): string {
  const isShown = parts.some((part) => part.part === 'record' && part.element.name === element);
  return (isShown ? identifiersFor(method)?.join(' or ') : undefined) ?? element;
}

/**
 * The elements of which one must identify the record that a creating write shows: without it a program could not refer
 * to the new record and would create it again. Undefined for other methods.
 */
export const identifiersFor = (method: Method): readonly string[] | undefined =>
  method.creates && method.reply.form === 'one' ? namesFor(kindReturned(method)) : undefined;

/**
 * A status confirms a change, whatever stands beside it, unless V3 shows another record in place of the written one. A
 * deletion leaves no record, so that one beside it is the record that the deleted one belonged to.
 */
function isConfirmed(parts: readonly ReplyPart[], method: Method, reply: OneReply): boolean {
  if (removes(method)) return true;
  const others = otherKinds(method, reply);
  return !parts.some(
    (part) => part.part === 'record' && !others.has(part.element.name) && isLike(part.element, reply.of),
  );
}

function removes({ v3 }: Method): boolean {
  const [, name] = v3.segments;
  return v3.verbs[0] === 'DELETE' || (name !== undefined && 'literal' in name && REMOVING.has(name.literal));
}

const REMOVING: ReadonlySet<string> = new Set(['delete', 'archive']);

/** The names of records of other kinds: the one that owns the written record, and those within it. */
function otherKinds(method: Method, { element, of }: OneReply): ReadonlySet<string> {
  const names = of.rows.flatMap((row) =>
    row.holds === 'list' ? [row.v3, row.child] : row.holds === 'one' ? [row.v3] : [],
  );
  const owner = familyOf(method);
  return new Set(owner.endsWith(element) ? names : [...names, owner]);
}

/** `Client` for `client.api`. */
function familyOf({ v3 }: Method): string {
  const [first] = v3.segments;
  const name = first !== undefined && 'literal' in first ? first.literal.replace(/\.api$/, '') : '';
  return name.charAt(0).toUpperCase() + name.slice(1);
}

/** Whether an element is a record of this table under another name: it has an identifier and elements of the table. */
function isLike({ children }: XmlElement, { rows }: RecordTable): boolean {
  const [own, others] = [children.filter(isIdentifier), children.filter((child) => !isIdentifier(child))];
  const isKnown = ({ name }: XmlElement): boolean => rows.some(({ v3 }) => v3 === name);
  return own.some(({ text }) => text.trim() !== '') && (others.length === 0 || others.some(isKnown));
}

const isIdentifier = ({ name }: XmlElement): boolean => name === 'UUID' || name === 'ID';

/** An identifier as V3 writes it. */
interface Given {
  readonly kind: Kind;
  readonly text: string;
}

/**
 * The identifier of the created record: the one beside the status, or that of the only record of its kind. Undefined if
 * the method returns none, or V3 gives none.
 */
export function createdIn(
  parts: readonly ReplyPart[],
  method: Method,
  { v3 }: Pick<Profile, 'v3'>,
): Given | undefined {
  const kind = kindReturned(method);
  if (kind === undefined) return undefined;
  const isValid = kind === TEXT_NUMBER || v3.identifiers === 'number' ? isGiven : isUuid;
  const within = (elements: readonly XmlElement[]): string | undefined =>
    namesFor(kind)
      .flatMap((name) => elements.filter((element) => element.name === name))
      .map(({ text }) => text.trim())
      .find(isValid);
  const beside = within(parts.flatMap((part) => (part.part === 'scalar' ? [part.element] : [])));
  const [only, ...more] = parts.flatMap((part) =>
    part.part === 'record' && isCreated(part.element.name, method)
      ? (within(part.element.children) ?? [])
      : [],
  );
  const text = beside ?? (more.length === 0 ? only : undefined);
  return text === undefined ? undefined : { kind, text };
}

const isGiven = (text: string): boolean => text !== '';

/** The elements with the identifier, in the order in which they are taken; a text number is never a UUID. */
const namesFor = (kind: Kind | undefined): readonly string[] =>
  kind === TEXT_NUMBER ? ['ID'] : ['UUID', 'ID'];

function kindReturned({ reply, creates }: Method): Kind | undefined {
  if (reply.form === 'id') return reply.kind;
  if (reply.form !== 'one' || !creates) return undefined;
  const own = reply.of.rows.find(({ element }) => element === 'ID');
  return (own?.holds === 'value' ? own.kind : undefined) ?? TEXT_NUMBER;
}

/** Whether a record is named like the one that was sent; without one, it is not the record that it is made from. */
function isCreated(name: string, method: Method): boolean {
  const { body } = method;
  return body === undefined ? name !== familyOf(method) : name === body.root || name === body.otherRoot;
}

type OneReply = Method['reply'] & { readonly form: 'one' };
