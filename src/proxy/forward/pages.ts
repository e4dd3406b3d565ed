/**
 * Walks the pages of a V3 list and writes them as the one list V1 gave, each record once.
 *
 * Whether another page follows is decided by the service's own count, or, where it gives none, by whether the page was
 * full; a list that ignores paging gives the same page again and ends there. Records that come and go while the list is
 * walked are handled by `PageDeduplication`: new ones push others onto a page already read, which are then left out;
 * deleted ones pull others back onto one, which are then read again. Where it cannot be known that the list is whole
 * the walk fails, and the connection to the caller is cut: half a list must never pass for a whole one.
 */
import { Failure } from '../../lib/failure.ts';
import type { Profile } from '../../upstream/profile.ts';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import type { ReplyPart, XmlElement } from '../../lib/xml/element.ts';
import { openAnswer, type Asked } from './answer.ts';
import type { Send } from '../delivery.ts';
import { PageDeduplication } from './page-deduplication.ts';

interface ListForm {
  readonly container: string;
  /** Everything before the container. */
  readonly open: string;
  /** An element beside the list that the legacy form has, too: how many records there are in all. */
  readonly total: string | undefined;
  /** Records asked for per page; `own`: the service takes no size. undefined: it answers the list in one piece. */
  readonly pageSize: number | 'own' | undefined;
}

/** Characters that are worth a write of their own. */
const PIECE = 65_536;

/** What one page held, to know whether another follows. */
class Page {
  readonly #container: string;
  readonly #totalElement: string;
  #records = 0;
  #total: number | undefined;
  #size: number | undefined;
  first: string | undefined;

  constructor({ container, total = 'TotalRecords' }: ListForm) {
    this.#container = container;
    this.#totalElement = total;
  }

  /** As the service gave it. */
  get total(): number | undefined {
    return this.#total;
  }

  get records(): number {
    return this.#records;
  }

  take(parts: readonly ReplyPart[]): XmlElement[] {
    const records: XmlElement[] = [];
    for (const part of parts) {
      if (part.part === 'record' && part.container === this.#container) records.push(part.element);
      if (part.part === 'scalar' && part.element.name === this.#totalElement)
        this.#total = count(part.element);
      if (part.part === 'scalar' && part.element.name === 'PageSize') this.#size = count(part.element);
    }
    this.first ??= records[0]?.children[0]?.text;
    this.#records += records.length;
    return records;
  }

  /** The same page again, of a list that has not grown by as many records as a page holds: there is no paging here. */
  isAgain(previous: Page | undefined): boolean {
    if (previous === undefined || this.first === undefined || this.first !== previous.first) return false;
    return this.#total === undefined || previous.total === undefined || this.#total <= previous.total;
  }

  /** Records were deleted meanwhile: others have moved onto a page that was read before. */
  hasShrunk(previous: Page | undefined): boolean {
    return (this.#total ?? 0) < (previous?.total ?? 0) && this.#total !== undefined;
  }

  /** An empty page ends the list, unless the service speaks of more than it gave: nobody would miss what is behind it. */
  checkEnd(before: number): void {
    if (this.#records === 0 && this.#total !== undefined && this.#total > before)
      throw new Failure('upstreamAnswer');
  }

  /**
   * By the service's own count where it gives one: it may take fewer records per page than were asked for, and half a
   * list must never pass for whole. Without a count a full page is followed, or every page where nobody knows when it
   * is full. Some lists ignore paging and give everything at once.
   */
  isFollowed(before: number, asked: number | 'own'): boolean {
    if (this.#records === 0) return false;
    if (this.#total !== undefined) return before + this.#records < this.#total;
    const full = this.#size ?? asked;
    return full === 'own' || this.#records === full;
  }
}

/** Of a record, as V3 writes it. */
const identityOf = ({ children }: XmlElement): string | undefined =>
  (children.find(({ name }) => name === 'UUID') ?? children.find(({ name }) => name === 'ID'))?.text
    .trim()
    .toLowerCase();

/** undefined for anything but a number. */
function count(element: XmlElement): number | undefined {
  const text = element.text.trim();
  return /^\d{1,15}$/.test(text) ? Number(text) : undefined;
}

type Translate = (records: readonly XmlElement[]) => Promise<string>;

/** The reply as far as it has come. */
class ListText {
  readonly #list: ListForm;
  readonly #translate: Translate;
  #pending: string;
  #opened = false;
  #counted: boolean;
  #late = '';

  constructor(list: ListForm, translate: Translate) {
    this.#list = list;
    this.#translate = translate;
    this.#pending = list.open;
    this.#counted = list.total === undefined;
  }

  /** What is worth a write of its own by now; the first records go out at once. */
  async *with(records: readonly XmlElement[], page: Page): AsyncGenerator<string> {
    if (records.length === 0) return;
    const first = !this.#opened;
    if (first) this.#pending += `${this.#total(page)}<${this.#list.container}>`;
    this.#opened = true;
    this.#pending += await this.#translate(records);
    if (first || this.#pending.length >= PIECE) yield* this.rest();
  }

  /** A count that came behind the list. */
  count(page: Page): void {
    if (this.#opened) this.#late += this.#total(page);
    else this.#pending += this.#total(page);
  }

  /** What has not gone out yet. */
  *rest(): Generator<string> {
    const text = this.#pending;
    this.#pending = '';
    if (text !== '') yield text;
  }

  end(): string {
    const { container } = this.#list;
    const end = this.#opened ? `</${container}>` : `<${container} />`;
    return `${this.#pending}${end}${this.#late}${CLOSE_RESPONSE}`;
  }

  /** Once; before the list where the service counts before it. */
  #total({ total }: Page): string {
    if (this.#counted || total === undefined) return '';
    this.#counted = true;
    return `<${this.#list.total ?? ''}>${total}</${this.#list.total ?? ''}>`;
  }
}

/**
 * The whole list, as V1 gave it, never split: walks the pages of V3 and writes records as they arrive, each once. Throws
 * in the middle when a page fails; the HTTP endpoint then cuts the connection, so that half a list is never taken for whole.
 */
export async function* wholeList(
  list: ListForm,
  profile: Profile,
  send: Send,
  asked: Asked,
  translate: Translate,
): AsyncGenerator<string> {
  const text = new ListText(list, translate);
  const deduplication = new PageDeduplication(identityOf);
  let previous: Page | undefined;
  let before = 0;
  for (let number = 1; ; number += 1) {
    const page = new Page(list);
    for await (const batch of await partsOf(number)) {
      const records = page.take(batch);
      if (page.isAgain(previous)) break;
      yield* text.with(list.pageSize === undefined ? records : deduplication.fresh(records), page);
    }
    text.count(page);
    if (list.pageSize === undefined || page.isAgain(previous)) break;
    page.checkEnd(before);
    if (page.hasShrunk(previous)) yield* text.with(await moved(number - 1), page);
    if (!page.isFollowed(before, list.pageSize)) break;
    yield* text.rest(); // the next page may have to wait for the budget
    previous = page;
    before += page.records;
    deduplication.turn();
  }
  yield text.end();

  async function partsOf(number: number): ReturnType<typeof openAnswer> {
    const query = list.pageSize === undefined ? [] : pageQuery(number, list.pageSize);
    return openAnswer(await send(query, number === 1 ? 'first-byte' : 'continued'), asked);
  }

  function pageQuery(number: number, size: number | 'own'): (readonly [string, string])[] {
    const { pageParameter, sizeParameter } = profile.v3;
    const page = [pageParameter, String(number)] as const;
    return size === 'own' ? [page] : [page, [sizeParameter, String(size)]];
  }

  /** The records that a deletion has moved onto pages which were read before. */
  async function moved(from: number): Promise<readonly XmlElement[]> {
    if (!deduplication.remembers) return [];
    let behind: readonly XmlElement[] = [];
    for (let number = from; number >= 1; number -= 1) {
      const [page, records] = [new Page(list), [] as XmlElement[]];
      for await (const batch of await partsOf(number)) records.push(...page.take(batch));
      const beginning = deduplication.behind(records);
      behind = [...(beginning ?? records), ...behind];
      if (beginning !== undefined) return deduplication.moved(behind);
    }
    // Nothing of what was written is left: nobody can say what was not.
    throw new Failure('upstreamAnswer');
  }
}
