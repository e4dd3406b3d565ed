import type { Profile } from '../domain/profile.ts';
import { CLOSE_RESPONSE } from '../xml/document.ts';
import type { ReplyPart, XmlElement } from '../xml/element.ts';
import { openAnswer, type Asked } from './answer.ts';
import type { Send } from './forward.ts';

interface ListForm {
  readonly container: string;
  /** Everything before the container. */
  readonly open: string;
  /** undefined: the service answers the list in one piece. */
  readonly pageSize: number | undefined;
}

/** Counts what one page held, to know whether another follows. */
class Page {
  records = 0;
  total: number | undefined;
  first: string | undefined;

  take(parts: readonly ReplyPart[]): XmlElement[] {
    const records: XmlElement[] = [];
    for (const part of parts) {
      if (part.part === 'record') records.push(part.element);
      if (part.part === 'scalar' && part.element.name === 'TotalRecords')
        this.total = Number(part.element.text);
    }
    this.first ??= records[0]?.children[0]?.text;
    this.records += records.length;
    return records;
  }

  /** Full, and not the last by the service's own count. Some lists ignore paging and give everything at once. */
  isFollowed(number: number, size: number): boolean {
    if (this.total !== undefined && Number.isFinite(this.total))
      return this.records > 0 && number * size < this.total;
    return this.records === size;
  }
}

/**
 * The whole list, as V1 gave it, never split: walks the pages of V3 and writes records as they arrive. Throws in the
 * middle when a page fails; the door then cuts the connection, so that half a list is never taken for whole.
 */
export async function* wholeList(
  list: ListForm,
  profile: Profile,
  send: Send,
  asked: Asked,
  translate: (records: readonly XmlElement[]) => Promise<string>,
): AsyncGenerator<string> {
  const { pageParameter, sizeParameter } = profile.v3;
  let pending = list.open;
  let opened = false;
  let previous: string | undefined;
  for (let number = 1; ; number += 1) {
    const query = list.pageSize === undefined ? [] : pageQuery(number, list.pageSize);
    const parts = await openAnswer(await send(query, number === 1 ? 'first-byte' : 'continued'), asked);
    const page = new Page();
    for await (const batch of parts) {
      const records = page.take(batch);
      if (number > 1 && page.first !== undefined && page.first === previous) break; // the same page again: no paging here
      if (records.length === 0) continue;
      if (!opened) pending += `<${list.container}>`;
      opened = true;
      const text = pending + (await translate(records));
      pending = '';
      yield text;
    }
    if (page.first === previous || list.pageSize === undefined || !page.isFollowed(number, list.pageSize))
      break;
    previous = page.first;
  }
  yield `${pending}${opened ? `</${list.container}>` : `<${list.container} />`}${CLOSE_RESPONSE}`;

  function pageQuery(number: number, size: number): (readonly [string, string])[] {
    return [
      [pageParameter, String(number)],
      [sizeParameter, String(size)],
    ];
  }
}
