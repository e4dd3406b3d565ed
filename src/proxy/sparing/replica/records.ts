/** A record of a list as the service wrote it, with its identity and the texts by which lists may be ordered. */
export interface ListedRecord {
  /** Its UUID, or its number if the service has no UUIDs, in lower case. */
  readonly id: string;
  readonly name: string;
  readonly xml: string;
}

/** The contents of one page of a list. */
export interface ListedPage {
  readonly records: readonly ListedRecord[];
  /** The service's count over all pages. */
  readonly total: number | undefined;
}

const TAG = /<(\/?)([A-Za-z][\w.-]*)(\/| \/)?>/y;
const TOTAL = /<TotalRecords>(\d{1,9})<\/TotalRecords>/;

/**
 * Cuts a page into its records, byte for byte. Returns undefined if it contains anything but plain elements and text,
 * or a record without an identifier: such a list is not kept.
 */
export function pageRecords(text: string, container: string, element: string): ListedPage | undefined {
  const begin = text.indexOf(`<${container}>`);
  const end = begin < 0 ? -1 : text.lastIndexOf(`</${container}>`);
  const isEmpty = begin < 0 && text.includes(`<${container} />`);
  if (!isEmpty && end < 0) return undefined;
  const outside = isEmpty ? text : text.slice(0, begin) + text.slice(end);
  const given = TOTAL.exec(outside)?.[1];
  const total = given === undefined ? undefined : Number(given);
  if (isEmpty) return { records: [], total };
  const records = cut(text.slice(begin + container.length + 2, end), element);
  return records && { records, total };
}

function cut(list: string, element: string): readonly ListedRecord[] | undefined {
  const records: ListedRecord[] = [];
  const open = `<${element}>`;
  for (let at = 0; at < list.length;) {
    if (!list.startsWith(open, at)) return undefined;
    const record = oneRecord(list, at);
    if (record === undefined) return undefined;
    records.push(record);
    at += record.xml.length;
  }
  return records;
}

interface Tag {
  readonly name: string;
  readonly form: 'open' | 'close' | 'empty';
  /** The position after the tag. */
  readonly end: number;
}

/** Returns undefined for anything but a tag without attributes. */
function tagAt(list: string, at: number): Tag | undefined {
  TAG.lastIndex = at;
  const [tag, slash, name = '', isEmpty] = TAG.exec(list) ?? [];
  if (tag === undefined) return undefined;
  const form = slash === '/' ? 'close' : isEmpty === undefined ? 'open' : 'empty';
  return { name, form, end: at + tag.length };
}

/** Notes an element; the first of several with one name counts. */
function note(own: Map<string, string>, { name, form }: Tag, text: string): void {
  if (form === 'open' && !own.has(name)) own.set(name, text);
}

/** The record that begins at `from`. */
function oneRecord(list: string, from: number): ListedRecord | undefined {
  const parents: string[] = [];
  const own = new Map<string, string>();
  for (let at = from; ;) {
    const tag = tagAt(list, at);
    if (tag === undefined) return undefined;
    const { name, form, end } = tag;
    if (form === 'close' && parents.pop() !== name) return undefined;
    if (form === 'open') parents.push(name);
    if (parents.length === 0) return recordOf(own, list.slice(from, end));
    at = list.indexOf('<', end);
    if (at < 0) return undefined;
    if (parents.length === 2) note(own, tag, list.slice(end, at));
  }
}

function recordOf(own: ReadonlyMap<string, string>, xml: string): ListedRecord | undefined {
  const id = (own.get('UUID') ?? own.get('ID') ?? '').trim().toLowerCase();
  return id === '' ? undefined : { id, name: own.get('Name') ?? '', xml };
}
