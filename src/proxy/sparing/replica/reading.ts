/**
 * One reading of a list: requests every page, or only the changes, and takes the records out of the answers byte for
 * byte.
 */
import type { Touches } from '../../../features/writes/rows/write-marks.ts';
import type { Destination, UpstreamAnswer } from '../../../upstream/model.ts';
import type { Send } from '../../call/delivery.ts';
import { answerOf, heldAnswer } from '../held-answer.ts';
import { pageRecords, type ListedPage, type ListedRecord } from './records.ts';

/** In characters: a longer list is not kept. */
const LONGEST = 128 * 1_024 * 1_024;
/** In bytes, for a page. */
const LONGEST_PAGE = 16 * 1_024 * 1_024;

/** One reading of a list by a program. */
export interface ListReading {
  readonly method: string;
  readonly to: Destination;
  /** Without paging. */
  readonly query: readonly (readonly [string, string])[];
  readonly container: string;
  readonly element: string;
  readonly pageParameter: string;
  readonly sizeParameter: string;
  readonly pageSize: number;
}

/** The same, with the facts about its method. */
export interface Reading extends ListReading {
  readonly id: string;
  readonly since: string;
  readonly touches: Touches;
}

/** The changes to a list. */
export interface Changes {
  readonly records: readonly ListedRecord[];
  /** The service's time before the request. */
  readonly at: number;
}

/** A whole reading, page by page; after anything unusual, nothing of it is kept. */
export class WholeReading {
  readonly #reading: Reading;
  readonly #done: (records: readonly ListedRecord[], at: number) => Promise<void>;
  readonly #records: ListedRecord[] = [];
  #pages = 0;
  #length = 0;
  #total: number | undefined;
  #begunAt: number | undefined;
  #isUsable = true;

  constructor(reading: Reading, done: (records: readonly ListedRecord[], at: number) => Promise<void>) {
    this.#reading = reading;
    this.#done = done;
  }

  async page(extra: Parameters<Send>[0], answer: UpstreamAnswer): Promise<UpstreamAnswer> {
    if (!this.#isUsable) return answer;
    const held = await heldAnswer(answer, LONGEST_PAGE);
    this.#isUsable = this.#takes(extra, held);
    if (this.#isUsable && this.#records.length === this.#total && this.#begunAt !== undefined) {
      this.#isUsable = false;
      if (new Set(this.#records.map(({ id }) => id)).size === this.#total)
        await this.#done(this.#records, this.#begunAt);
    }
    return held;
  }

  #takes(extra: Parameters<Send>[0], answer: UpstreamAnswer): boolean {
    const number = Number(new Map(extra).get(this.#reading.pageParameter));
    const page = pageOf(answer, this.#reading);
    this.#pages += 1;
    this.#begunAt ??= timeOf(answer);
    if (page?.total === undefined || number !== this.#pages || this.#begunAt === undefined) return false;
    this.#total ??= page.total;
    this.#records.push(...page.records);
    this.#length += answer.whole?.length ?? 0;
    // Records that are added or deleted meanwhile move others from page to page.
    return page.total === this.#total && this.#records.length <= page.total && this.#length <= LONGEST;
  }
}

/**
 * Everything that has changed since; undefined: the service's answer does not tell this reliably, as when a record
 * leaves the list between two pages and moves others onto a page already read. Throws `Failure`.
 */
export async function changesOf(reading: Reading, from: number, send: Send): Promise<Changes | undefined> {
  const { since } = reading;
  const text = new Date(from).toISOString().slice(0, 'yyyy-MM-ddTHH:mm:ss'.length);
  const records = new Map<string, ListedRecord>();
  let at: number | undefined;
  let total: number | undefined;
  for (let number = 1, before = 0; ; number += 1) {
    const extra = [[since, text] as const, ...pageQuery(reading, number)];
    const answer = await heldAnswer(
      await send(extra, number === 1 ? 'first-byte' : 'continued'),
      LONGEST_PAGE,
    );
    at ??= timeOf(answer);
    const page = pageOf(answer, reading);
    if (page?.total === undefined || at === undefined) return undefined;
    total ??= page.total;
    if (page.total !== total) return undefined;
    for (const record of page.records) records.set(record.id, record);
    before += page.records.length;
    if (before >= total) return records.size === total ? { records: [...records.values()], at } : undefined;
    if (page.records.length === 0) return undefined;
  }
}

const pageQuery = (
  { pageParameter, sizeParameter, pageSize }: Reading,
  number: number,
): readonly (readonly [string, string])[] => [
  [pageParameter, String(number)],
  [sizeParameter, String(pageSize)],
];

function pageOf({ status, whole }: UpstreamAnswer, { container, element }: Reading): ListedPage | undefined {
  if (status !== 200 || whole === undefined) return undefined;
  const text = whole.toString('utf8');
  const isPlain =
    /^(?:<\?xml[^>]*\?>\s*)?<Response[^>]*><Status>OK<\/Status>/.test(text) && !text.includes('<!');
  return isPlain ? pageRecords(text, container, element) : undefined;
}

function timeOf({ headers }: UpstreamAnswer): number | undefined {
  const at = Date.parse(headers.date ?? '');
  return Number.isNaN(at) ? undefined : at;
}

/** The kept records as the service would page them. */
export function pagesOf(
  { container, pageParameter, pageSize }: Reading,
  records: readonly ListedRecord[],
): Send {
  return async (extra) => {
    const from = (Number(new Map(extra).get(pageParameter)) - 1) * pageSize;
    const some = records.slice(from, from + pageSize).map(({ xml }) => xml);
    const list = some.length === 0 ? `<${container} />` : `<${container}>${some.join('')}</${container}>`;
    const text = `<Response><Status>OK</Status><TotalRecords>${records.length}</TotalRecords>${list}</Response>`;
    return answerOf({ status: 200, contentType: 'text/xml', headers: {}, millis: 0 }, Buffer.from(text));
  };
}
