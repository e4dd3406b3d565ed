/**
 * Reads the pages of a V3 list and writes them as the one list V1 gave, each record once.
 *
 * Whether another page follows is decided by the service's own count or, if it gives none, by whether the page was
 * full; a list that ignores paging returns the same page again and ends there, unless the service counts more.
 * `PageDeduplication` handles records that come and go while the list is read. New records push others onto a page
 * already read, so these are left out; deleted records pull others back onto one, so it is read again. If it cannot be
 * known that the list is complete, reading fails and the connection to the caller is cut: half a list must never pass
 * for a whole one.
 */
import { Failure } from '../../lib/failure.ts';
import type { Profile } from '../../upstream/profile.ts';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import { fewerThanCounted } from '../call/status.ts';
import { PageDeduplication } from './page-deduplication.ts';
import type { ListPart, ListRecord } from './list-scan.ts';

interface ListForm {
  readonly container: string;
  /** Everything before the container. */
  readonly open: string;
  /** An element beside the list that the legacy form also has: the count of all records. */
  readonly total: string | undefined;
  /**
   * Records requested per page; `own`: the service accepts no size. Undefined: it returns the list in one
   * piece.
   */
  readonly pageSize: number | 'own' | undefined;
}

/** Characters per write. */
const PIECE = 65_536;

/** The facts about one page that decide whether another follows. */
class Page {
  readonly #container: string;
  readonly #totalElement: string;
  #records = 0;
  #size: number | undefined;
  first: string | undefined;
  /** The count that the service gave. */
  total: number | undefined;

  constructor({ container, total = 'TotalRecords' }: ListForm) {
    this.#container = container;
    this.#totalElement = total;
  }

  get records(): number {
    return this.#records;
  }

  take({ records, beside }: ListPart): readonly ListRecord[] {
    for (const [name, text] of beside) {
      if (name === this.#totalElement) this.total = count(text);
      if (name === 'PageSize') this.#size = count(text);
    }
    const [first] = records;
    this.first ??= first && (first.identity ?? first.text);
    this.#records += records.length;
    return records;
  }

  /**
   * Whether this is the previous page again, in a list that has not grown by a full page of records: the list ignores
   * paging. Throws `Failure` if the service counts more than the `before` records, because it gives only a part of them.
   */
  isAgain(previous: Page | undefined, before: number): boolean {
    if (previous === undefined || this.first === undefined || this.first !== previous.first) return false;
    const { total = previous.total ?? 0 } = this;
    if (previous.total !== undefined && total > previous.total) return false;
    if (total > before) throw fewerThanCounted();
    return true;
  }

  /** Whether records were deleted meanwhile, so that others have moved onto a page that was read before. */
  hasShrunk(previous: Page | undefined): boolean {
    return (this.total ?? 0) < (previous?.total ?? 0) && this.total !== undefined;
  }

  /**
   * Throws `Failure` if a list without pages is only a part of what the service counts. A program that gets the count
   * asks for single pages itself.
   */
  checkWhole({ total }: ListForm): void {
    if (total === undefined && (this.total ?? 0) > this.#records) throw fewerThanCounted();
  }

  /**
   * Whether another page follows. The service's own count decides, if it gives one: it may return fewer records per
   * page than requested, and half a list must never be taken for the whole. Without a count, a full page is followed by
   * another request, as is every page if the page size is unknown. Some lists ignore paging and return everything at
   * once. An empty page ends the list; throws `Failure` if the service announced more records than it returned, because
   * the rest would be missing unnoticed.
   */
  isFollowed(before: number, asked: number | 'own'): boolean {
    if (this.#records === 0 && (this.total ?? 0) > before) throw fewerThanCounted();
    if (this.#records === 0) return false;
    if (this.total !== undefined) return before + this.#records < this.total;
    const full = this.#size ?? asked;
    return full === 'own' || this.#records === full;
  }
}

/** Undefined for anything but a number. */
const count = (text: string): number | undefined =>
  /^\d{1,15}$/.test(text.trim()) ? Number(text) : undefined;

/** Collects the text of the reply. */
class ListText {
  readonly #list: ListForm;
  #pending: string;
  #opened = false;
  #counted: boolean;
  #late = '';

  constructor(list: ListForm) {
    this.#list = list;
    this.#pending = list.open;
    this.#counted = list.total === undefined;
  }

  /** Returns text once there is enough for a write, otherwise an empty one; the first records are sent immediately. */
  add(records: readonly ListRecord[], page: Page): string {
    if (records.length === 0) return '';
    const isFirst = !this.#opened;
    if (isFirst) this.#pending += `${this.#total(page)}<${this.#list.container}>`;
    this.#opened = true;
    for (const { text } of records) this.#pending += text;
    return isFirst || this.#pending.length >= PIECE ? this.rest() : '';
  }

  /** Takes a count that came after the list. */
  count(page: Page): void {
    if (this.#opened) this.#late += this.#total(page);
    else this.#pending += this.#total(page);
  }

  /** The text that has not been sent yet. */
  rest(): string {
    const text = this.#pending;
    this.#pending = '';
    return text;
  }

  end(): string {
    const { container } = this.#list;
    const end = this.#opened ? `</${container}>` : `<${container} />`;
    return `${this.#pending}${end}${this.#late}${CLOSE_RESPONSE}`;
  }

  /** Written once; before the list if the service counts before it. */
  #total({ total }: Page): string {
    if (this.#counted || total === undefined) return '';
    this.#counted = true;
    return `<${this.#list.total ?? ''}>${total}</${this.#list.total ?? ''}>`;
  }
}

/** The source of the pages of a list. */
export interface Pages {
  readonly parameters: Pick<Profile['v3'], 'pageParameter' | 'sizeParameter'>;
  /** Returns a page at once if it has arrived completely, otherwise as it arrives. Throws `Failure`. */
  readonly open: (
    query: readonly (readonly [string, string])[],
    patience: 'first-byte' | 'continued',
  ) => Promise<ListPart | AsyncIterable<ListPart>>;
}

/**
 * The whole list, unpaged as in V1: one text if it is a single page that has arrived completely, otherwise piece by
 * piece.
 */
export async function wholeList(list: ListForm, pages: Pages): Promise<string | AsyncGenerator<string>> {
  const first = await openPage(1, list, pages);
  if (!('records' in first)) return inPieces(list, pages, first);
  const page = new Page(list);
  const records = page.take(first);
  if (list.pageSize === undefined) page.checkWhole(list);
  else if (page.isFollowed(0, list.pageSize)) return inPieces(list, pages, first);
  const text = new ListText(list);
  const begun = text.add(records, page);
  text.count(page);
  return begun + text.end();
}

type Opened = ListPart | AsyncIterable<ListPart>;

function openPage(number: number, { pageSize }: ListForm, { parameters, open }: Pages): Promise<Opened> {
  const { pageParameter, sizeParameter } = parameters;
  const query: (readonly [string, string])[] = [];
  if (pageSize !== undefined) query.push([pageParameter, String(number)]);
  if (typeof pageSize === 'number') query.push([sizeParameter, String(pageSize)]);
  return open(query, number === 1 ? 'first-byte' : 'continued');
}

const partsOf = (opened: Opened): Iterable<ListPart> | AsyncIterable<ListPart> =>
  'records' in opened ? [opened] : opened;

function* some(text: string): Generator<string> {
  if (text !== '') yield text;
}

/**
 * Reads the pages of V3 and writes records as they arrive, each once. Throws in the middle if a page fails; the HTTP
 * endpoint then closes the connection, so that half a list is never taken for the whole.
 */
async function* inPieces(list: ListForm, pages: Pages, first: Opened): AsyncGenerator<string> {
  const text = new ListText(list);
  const deduplication = new PageDeduplication<ListRecord>(({ identity }) => identity);
  let previous: Page | undefined;
  let before = 0;
  let opened = first;
  for (let number = 1; ; number += 1) {
    const page = new Page(list);
    for await (const part of partsOf(opened)) {
      const records = page.take(part);
      if (page.isAgain(previous, before)) break;
      yield* some(text.add(list.pageSize === undefined ? records : deduplication.fresh(records), page));
    }
    text.count(page);
    if (list.pageSize === undefined) page.checkWhole(list);
    if (list.pageSize === undefined || page.isAgain(previous, before)) break;
    const isFollowed = page.isFollowed(before, list.pageSize);
    if (page.hasShrunk(previous)) yield* some(text.add(await moved(number - 1), page));
    deduplication.turn(page.total);
    if (!isFollowed) break;
    yield* some(text.rest()); // the next page may have to wait for the limit
    previous = page;
    before += page.records;
    opened = await openPage(number + 1, list, pages);
  }
  deduplication.checkEnd();
  yield text.end();

  /** The records that a deletion has moved onto pages already read. */
  async function moved(from: number): Promise<readonly ListRecord[]> {
    if (!deduplication.remembers) return [];
    let behind: readonly ListRecord[] = [];
    for (let number = from; number >= 1; number -= 1) {
      const [page, records] = [new Page(list), [] as ListRecord[]];
      for await (const part of partsOf(await openPage(number, list, pages))) records.push(...page.take(part));
      const beginning = deduplication.behind(records);
      behind = [...(beginning ?? records), ...behind];
      if (beginning !== undefined) return deduplication.moved(behind);
    }
    // No record on the page is known: how many are missing cannot be told.
    throw new Failure('upstreamAnswer');
  }
}
