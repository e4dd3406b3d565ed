/**
 * The reply with a list from V2: the rows that the call asked for, in V1's order, written as they arrive.
 *
 * A list whose pages are the pages of the reply is sent on page by page; one that must be counted, searched or cut is
 * held first. Filters that V2 lacks are applied here (`where.ts`).
 */
import { Failure } from '../../lib/failure.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import { CLOSE_RESPONSE } from '../../lib/xml/document.ts';
import type { Method } from '../../mapping/compile/model.ts';
import { entries, valueAt } from '../../mapping/compile/path.ts';
import type { V2Row, V2Step } from '../../mapping/compile/v2/v2-model.ts';
import { heldRows } from './asking.ts';
import { REPLY, type Execution } from './execution.ts';
import { lastSecondOf, LegacyOrder, type Made } from './legacy-order.ts';
import { isAsked } from './steps/steps.ts';
import { cutOut, filterOf, inBatches, parametersIn, type Filter } from './where.ts';

/** Characters per write. */
const PIECE = 65_536;
/** Records written before other calls get a turn; a usual page has no more. */
const MOST_ROWS = 500;

/** Writes records of the reply. `detailed`: with the rows of the detailed answer. */
export type WriteRecords = (
  rows: readonly unknown[],
  execution: Execution,
  detailed: boolean,
) => Promise<string>;

/** The list replies of one method. */
export class ListReply {
  /** The step whose pages are sent on as they arrive; undefined: the list is held. */
  readonly streamed: V2Step | undefined;
  readonly #reply: Method['reply'] & { readonly form: 'list' };
  readonly #from: V2Row['reply'];
  readonly #write: WriteRecords;
  readonly #order: LegacyOrder | undefined;
  /** Parameters without which no row is left out; undefined: some rows are left out in any case. */
  readonly #filtering: readonly string[] | undefined;

  constructor(reply: Method['reply'] & { readonly form: 'list' }, v2: V2Row, write: WriteRecords) {
    this.#reply = reply;
    this.#from = v2.reply;
    this.#write = write;
    this.#order = LegacyOrder.of(reply.of);
    this.#filtering = parametersIn(v2.reply.where);
    this.streamed = isStreamed(v2) ? v2.reply.from : undefined;
  }

  /** The reply in pieces, the first as soon as there are records. `open`: the text before the list. */
  async *pieces(open: string, execution: Execution): AsyncGenerator<string> {
    const reply = this.#reply;
    const detailed = isAsked(execution.context.query.get('detailed'));
    let pages = this.#wantedRows(execution);
    let pending = open;
    let opened = false;
    if (reply.total !== undefined) {
      // The count comes before the list, so the list is held.
      const all = await heldRows(pages);
      pending += `<${reply.total}>${all.length}</${reply.total}>`;
      pages = inBatches(cutOut(all, this.#from.page, execution.context));
    }
    for await (const rows of pages) {
      if (rows.length === 0) continue;
      if (!opened) pending += `<${reply.container}>`;
      const first = !opened;
      opened = true;
      for (let at = 0; at < rows.length; at += MOST_ROWS) {
        if (at > 0) await nextTurn();
        pending += await this.#write(rows.slice(at, at + MOST_ROWS), execution, detailed);
      }
      if (pending.length < PIECE && !first) continue; // the first records go out at once
      yield pending;
      pending = '';
    }
    yield `${pending}${opened ? `</${reply.container}>` : `<${reply.container} />`}${CLOSE_RESPONSE}`;
  }

  /** The rows that the call asked for, page by page and in V1's order; the last second of a page waits for the next. */
  async *#wantedRows(execution: Execution): AsyncGenerator<readonly unknown[]> {
    const { where } = this.#from;
    const isWhole = this.#filtering?.every((name) => !execution.context.query.has(name)) === true;
    const filter = isWhole ? undefined : filterOf(where, execution.context);
    const { steps, context } = execution;
    const pages = this.streamed ? steps.pages(this.streamed, context) : this.#held(execution);
    let held: Made = [];
    for await (const page of pages) {
      const wanted = (filter === undefined ? page : await this.#filtered(page, filter, execution)) as Made;
      const rows = held.concat(wanted);
      const last = this.#order ? lastSecondOf(rows) : { from: rows.length, isTied: false };
      held = rows.slice(last.from);
      const whole = rows.slice(0, last.from);
      yield last.isTied && this.#order ? await this.#order.sorted(whole, execution.moved.ids) : whole;
    }
    yield this.#order && held.length > 1 ? await this.#order.sorted(held, execution.moved.ids) : held;
  }

  /** The rows of an answer that is held whole, or of a list within it. */
  async *#held({ context }: Execution): AsyncGenerator<readonly unknown[]> {
    const answer = context.answers.get(REPLY);
    const { at } = this.#from;
    const list = await context.lookups.settled(() => valueAt(answer, at, context.lookups.finder(answer)));
    // A list missing from the answer is not an empty list.
    if (list === undefined) throw new Failure('upstreamAnswer');
    yield entries(list);
  }

  async #filtered(
    rows: readonly unknown[],
    filter: Filter,
    { context }: Execution,
  ): Promise<readonly unknown[]> {
    return context.lookups.settled(() =>
      rows.flatMap((row) => filter(row, context.lookups.finder(row)) ?? []),
    );
  }
}

/** Whether each of its pages is a page of the reply. */
function isStreamed({ reply: { from, at }, steps }: V2Row): boolean {
  return (
    from === steps.at(-1) &&
    from.pages &&
    from.find === undefined &&
    from.each === undefined &&
    at.length === 0
  );
}
