/**
 * Tries the writes of the mapping in a disposable organisation: creates records, and changes and deletes only
 * its own. Compares the record in each reply with what was sent.
 */
import { childrenOf } from './judging/reference.ts';
import { recordsIn } from './judging/answers.ts';
import type { Reading } from './model.ts';
import { TEXT_NUMBER, type Method, type RecordTable } from '../../mapping/compile/model.ts';
import { DAY } from '../../lib/time/clock.ts';
import { isRead } from '../../mapping/compile/reads.ts';
import type { Calling } from './calling.ts';
import { placeholderOf, type KnownRecords } from './known-records.ts';
import { isOn, type Untried } from './reading.ts';
import { writeBody, type Body } from './write-body.ts';
import { WrittenRecords } from './written-records.ts';

/** Methods that are never tried, with the reason. */
const never: Readonly<Record<string, string>> = {
  'cost.deleteall': 'it deletes every cost of the organisation',
  'staff.forgottenpassword': 'it sends a person an e-mail',
  'staff.add': 'it invites a person',
};

/** No number of a document is contained in another: a text that contains the sent one counts as the same. */
const FIRST_NUMBER = 100;

/** A call of a write. */
interface WantedWrite {
  readonly values: readonly string[];
  readonly body: Body | undefined;
  /** The record that it changes; undefined: it creates one, or sends nothing. */
  readonly target: string | undefined;
}

/** The writes of one run, on V3 and then on V2. */
export class WriteTrial {
  readonly #calling: Calling;
  readonly #known: KnownRecords;
  readonly #progress: (method: string, surface: 'v3' | 'v2') => void;
  /** Records that this run has created, by kind. */
  readonly #made = new Map<string, string[]>();
  #written = new WrittenRecords();
  /** Number of documents sent, so that no two have the same values. */
  #documents = 0;

  constructor(
    calling: Calling,
    known: KnownRecords,
    progress: (method: string, surface: 'v3' | 'v2') => void,
  ) {
    this.#calling = calling;
    this.#known = known;
    this.#progress = progress;
  }

  /** Adds its calls to `readings`. */
  async run(
    surface: 'v3' | 'v2',
    isWanted: (method: Method) => boolean,
    readings: Reading[],
  ): Promise<Untried> {
    const untried = new Map<string, string>();
    const { mapping } = this.#calling.tried;
    const lacks = this.#calling.lacks(surface);
    const writes = mapping.methods
      .filter((method) => !isRead(method) && isWanted(method) && isOn(surface, method))
      .toSorted((a, b) => orderOf(a) - orderOf(b));
    this.#made.clear();
    this.#written = new WrittenRecords();
    for (const method of writes) {
      const why = lacks ?? never[method.id];
      const wanted = why === undefined ? this.#wanted(method, surface) : undefined;
      if (wanted === undefined) {
        untried.set(`${method.id} ${surface}`, why ?? 'nothing of its own to try it with');
        continue;
      }
      this.#progress(method.id, surface);
      const reading = await this.#calling.call(method, surface, {
        ...wanted,
        query: [],
        body: wanted.body?.xml,
      });
      this.#note(method, reading);
      readings.push(this.#compared(method, reading, wanted));
    }
    return untried;
  }

  /** Compares what the reply shows with what was sent, and notes it for the next write of the record. */
  #compared(method: Method, reading: Reading, { body, target }: WantedWrite): Reading {
    if (body === undefined || reading.outcome.outcome !== 'answered') return reading;
    const made = makes(method) ? this.#made.get(madeKindOf(method))?.at(-1) : undefined;
    return this.#written.compared(method, reading, { sent: body.sent, target: target ?? made });
  }

  /** Values and document of a call; undefined if this run has created no record to try it with. */
  #wanted(method: Method, surface: 'v3' | 'v2'): WantedWrite | undefined {
    const kind = placeholderOf(method, this.#calling.tried.mapping.methods);
    const own = kind === undefined ? undefined : this.#made.get(kind)?.at(-1);
    if (kind !== undefined && own === undefined) return undefined;
    const values = own === undefined ? [] : [own];
    if (method.body === undefined) return { values, body: undefined, target: undefined };
    const inMessage = this.#made.get(idKindOf(method.body.of) ?? '#Job')?.at(-1);
    const target = makes(method) ? undefined : (own ?? inMessage);
    const body = this.#body(method, method.body, surface, target);
    return body && { values, body, target };
  }

  /** On an earlier day for each further write of a record. */
  #body(
    method: Method,
    { of, root }: NonNullable<Method['body']>,
    surface: 'v3' | 'v2',
    target: string | undefined,
  ): Body | undefined {
    const now = this.#calling.parts.clock.now();
    const daysBefore = target === undefined ? 0 : this.#written.writesOf(target);
    this.#documents += 1;
    return writeBody(root, of, {
      number: FIRST_NUMBER + this.#documents,
      time: new Date(now).toISOString().slice(0, 19),
      day: new Date(now - daysBefore * DAY).toISOString().slice(0, 10),
      isNew: makes(method),
      own: this.#made.get(idKindOf(of) ?? '#Job')?.at(-1),
      idFor: (kind) => this.#idFor(kind, surface),
    });
  }

  /**
   * One of the run's own records, or an existing one for kinds that all records share, such as staff and
   * categories.
   */
  #idFor(kind: string, surface: 'v3' | 'v2'): string | undefined {
    const made = this.#made.get(kind)?.at(-1);
    return made ?? (borrowed.has(kind) ? this.#known.idsOf(surface, kind, 1)[0] : undefined);
  }

  /** Notes a created record, so that it may be changed and deleted. */
  #note(method: Method, { outcome }: Reading): void {
    if (outcome.outcome !== 'answered' || !makes(method)) return;
    const { reply } = method;
    const [record] = reply.form === 'id' ? [outcome.reply] : recordsIn(outcome.reply, reply);
    const id = record === undefined ? '' : (childrenOf(record, ['ID'])[0]?.text.trim() ?? '');
    const kind = madeKindOf(method);
    if (id !== '') this.#made.set(kind, [...(this.#made.get(kind) ?? []), id]);
  }
}

/** Kinds whose existing records may be referred to. */
const borrowed: ReadonlySet<string> = new Set([
  'staff',
  'category',
  'leadCategory',
  'template',
  'task',
  'cost',
]);

const makes = ({ creates, reply }: Method): boolean => creates || reply.form === 'id';

const idKindOf = (of: RecordTable): string | undefined => {
  const row = of.rows.find(({ element }) => element === 'ID');
  return row?.holds === 'value' ? row.kind : undefined;
};

function madeKindOf({ id, reply }: Method): string {
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
  const isLast = /\.(?:delete|archive|disable)$/.test(method.id);
  if (isLast)
    return method.id.split('.').length > 2
      ? 3
      : method.id.endsWith('.archive')
        ? 4
        : 5 - familyOrder(method) / 10;
  return makes(method) ? familyOrder(method) / 10 : 2;
}

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
