/**
 * Reads pages of one list of each surface, to check the profile's paging parameters and the largest page
 * size.
 *
 * A parameter that the service supports changes the answer: with size 1 it has one record, with page 2 a
 * different one than with page 1.
 */
import { contentOf, isOfStep, jsonIn, recordsIn, xmlOf } from '../judging/answers.ts';
import type { Edit, Exchange, Finding, LimitFact, Reading } from '../model.ts';
import { PROFILE } from '../report/mapping-files.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import { own } from '../../../mapping/compile/path.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Calling } from '../calling.ts';
import { ifUnanswered } from '../recorder.ts';
import { bothProbed, countIn, NOTHING_PROBED, type Probed } from './probed.ts';

const sizeNames = ['pagesize', 'pageSize', 'page_size', 'size', 'limit', 'per_page', 'perPage', 'count'];
const pageNames = ['page', 'pageNumber', 'page_number', 'pageNo', 'pageno', 'p', 'pageIndex'];

/** A paged list of a surface. */
interface PagedList {
  readonly surface: 'v3' | 'v2';
  readonly method: Method;
  readonly exchange: Exchange;
  readonly rows: (body: string) => readonly string[];
  /** The page size that the answer states. */
  readonly stated: (body: string) => number | undefined;
}

/** Reads pages of one list of each surface. */
export async function probePages(calling: Calling, readings: readonly Reading[]): Promise<Probed> {
  let probed = NOTHING_PROBED;
  for (const list of [pagedV3(calling, readings), pagedV2(calling, readings)])
    if (list !== undefined) probed = bothProbed(probed, await new PageProbe(calling, list).run());
  return probed;
}

function pagedV3({ tried: { mapping } }: Calling, readings: readonly Reading[]): PagedList | undefined {
  for (const { surface, method: id, exchanges } of readings) {
    const method = mapping.methods.find((one) => one.id === id);
    const [exchange] = exchanges;
    if (surface !== 'v3' || method?.paged !== true || exchange === undefined) continue;
    const rows = (body: string): readonly string[] => {
      const root = xmlOf({ body });
      return root === undefined ? [] : recordsIn(root, method.reply).map((record) => JSON.stringify(record));
    };
    const stated = (body: string): number | undefined =>
      countIn(/<PageSize>(\d+)<\/PageSize>/.exec(body)?.[1]);
    if (rows(exchange.body).length > 1) return { surface, method, exchange, rows, stated };
  }
  return undefined;
}

function pagedV2({ tried: { mapping } }: Calling, readings: readonly Reading[]): PagedList | undefined {
  for (const { surface, method: id, exchanges } of readings) {
    const method = mapping.methods.find((one) => one.id === id);
    if (surface !== 'v2' || method?.v2?.way !== 'steps') continue;
    const { from } = method.v2.reply;
    const exchange = exchanges.find(
      (one) => from.pages && isOfStep(one, from) && rowsV2(one.body).length > 1,
    );
    const stated = (body: string): number | undefined =>
      countIn(own(own(own(jsonIn(body), 'meta'), 'pagination'), 'per_page'));
    if (exchange !== undefined) return { surface, method, exchange, rows: rowsV2, stated };
  }
  return undefined;
}

const rowsV2 = (body: string): readonly string[] => {
  const content = contentOf({ body });
  return Array.isArray(content) ? content.map((row) => JSON.stringify(row)) : [];
};

class PageProbe {
  readonly #calling: Calling;
  readonly #list: PagedList;
  readonly #findings: Finding[] = [];

  constructor(calling: Calling, list: PagedList) {
    this.#calling = calling;
    this.#list = list;
  }

  /** What was found until a page was not answered. */
  async run(): Promise<Probed> {
    const { surface, method } = this.#list;
    const limits = await this.#pages().catch(ifUnanswered);
    if (limits !== undefined) return { findings: this.#findings, limits, doubts: [] };
    const words = `the pages of ${surface.toUpperCase()} are unknown, because not each page of ${method.id} was answered`;
    return { findings: this.#findings, limits: [], doubts: [{ surface, words }] };
  }

  async #pages(): Promise<readonly LimitFact[]> {
    const { profile } = this.#calling.tried;
    const { surface } = this.#list;
    const { pageParameter, sizeParameter } = profile[surface];
    const size = await this.#parameter('sizeParameter', sizeParameter, sizeNames, async (name) => {
      const rows = await this.#rows([
        [pageParameter, '1'],
        [name, '1'],
      ]);
      return rows.length === 1;
    });
    const [first] = await this.#rows([[size, '1']]);
    await this.#parameter('pageParameter', pageParameter, pageNames, async (name) => {
      const [second] = await this.#rows([
        [name, '2'],
        [size, '1'],
      ]);
      return second !== undefined && second !== first;
    });
    return this.#largest(size);
  }

  async #rows(query: readonly (readonly [string, string])[]): Promise<readonly string[]> {
    return this.#list.rows(await this.#body(query));
  }

  /** Reads the list with other paging parameters. Throws `Failure`. */
  async #body(query: readonly (readonly [string, string])[]): Promise<string> {
    const { parts, tried } = this.#calling;
    const { surface, exchange } = this.#list;
    const recorder = surface === 'v3' ? parts.v3 : parts.v2;
    const names = new Set([tried.profile[surface].pageParameter, tried.profile[surface].sizeParameter]);
    const rest = exchange.query.filter(([name]) => !names.has(name));
    const request = { verb: 'GET', segments: exchange.segments, query: [...rest, ...query] };
    const answer = await recorder?.probe(parts.to, request);
    if (answer === undefined) throw new Failure('upstreamUnavailable');
    return answer.text;
  }

  /** The name that the service supports, or the profile's if it supports none. */
  async #parameter(
    key: string,
    expected: string,
    names: readonly string[],
    works: (name: string) => Promise<boolean>,
  ): Promise<string> {
    if (await works(expected)) return expected;
    for (const name of names) {
      if (name === expected || !(await works(name))) continue;
      this.#found(
        'parameter',
        `profile ${this.#list.surface}.${key}`,
        expected,
        name,
        'with it the page changes, with the other it does not',
        [{ file: PROFILE, at: [this.#list.surface, key], change: 'text', to: name }],
      );
      return name;
    }
    this.#found(
      'parameter',
      `profile ${this.#list.surface}.${key}`,
      expected,
      undefined,
      'no usual name changes the page',
      [],
    );
    return expected;
  }

  /**
   * The profile’s page size and what the service makes of it; smaller pages cost more calls, but lists stay
   * complete.
   */
  async #largest(sizeParameter: string): Promise<readonly LimitFact[]> {
    const { surface } = this.#list;
    const { profile } = this.#calling.tried;
    const wanted = surface === 'v2' ? profile.v2.pageSize : (profile.v3.pageSizes.default ?? 0);
    const stated = this.#list.stated(
      await this.#body([
        [profile[surface].pageParameter, '1'],
        [sizeParameter, String(wanted)],
      ]),
    );
    const at = surface === 'v2' ? ['v2', 'pageSize'] : ['v3', 'pageSizes', 'default'];
    if (stated !== undefined && stated < wanted)
      this.#found(
        'page-size',
        `profile ${at.join('.')}`,
        String(wanted),
        String(stated),
        'the service gives smaller pages than were asked for',
        [{ file: PROFILE, at, change: 'text', to: stated }],
      );
    return [
      {
        surface,
        what: 'records in a page',
        expected: String(wanted),
        found: stated === undefined ? 'not told' : String(stated),
      },
    ];
  }

  #found(
    kind: Finding['kind'],
    row: string,
    expected: string,
    found: string | undefined,
    because: string,
    edits: readonly Edit[],
  ): void {
    const { surface, method } = this.#list;
    this.#findings.push({ kind, surface, row, methods: [method.id], expected, found, because, edits });
  }
}
