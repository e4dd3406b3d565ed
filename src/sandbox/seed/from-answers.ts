/**
 * Makes a seed from answers of V1: an organisation whose V1 gives the same answers, with the same numbers.
 *
 * Every answer adds what it shows: a list gives a record with few values, a later answer with that record
 * alone gives the others. If two answers show the same value, the first counts. A record that others refer to
 * and no answer shows is created with number and name. Values that a seed rejects are omitted and reported.
 */
import type { XmlElement } from '../../lib/xml/element.ts';
import type { Form } from '../tables/form.ts';
import type { Row, Rows, XmlValue } from '../tables/table.ts';
import {
  answered,
  clientTypeTable,
  documentPart,
  invoiceParts,
  jobCostPart,
  listsOfKinds,
  paymentPart,
  type AnsweredKind,
  type AnsweredPart,
  type SeedRecord,
} from './answer-tables.ts';
import { definitionsIn, valuesOfFields } from './answer-custom-fields.ts';
import { childOf, childrenIn, clientTypesOf, numberIn, textIn } from './answer-elements.ts';
import { mentions } from './answer-mentions.ts';
import { byNumber, FittingRecords, pricedByTheHour } from './answer-fit.ts';
import { answeredValue } from './answer-values.ts';
import { seedOf } from './shape.ts';

/** One answer of V1 with the segments of its call: `['client.api', 'get', '1000000']`. */
export interface AnswerOfV1 {
  readonly segments: readonly string[];
  readonly root: XmlElement;
}

/** A seed of one organisation, without its name and keys. */
export interface SeedOfAnswers {
  readonly seed: Readonly<Record<string, unknown>>;
  /** Records by list. */
  readonly counts: Readonly<Record<string, number>>;
  /** Number of values that a seed rejects, by list and name. */
  readonly leftOut: ReadonlyMap<string, number>;
}

/**
 * Reads every answer. `created`: numbers of records that the calls themselves created, which the seed must
 * not contain.
 */
export function seedFromAnswers(
  answers: readonly AnswerOfV1[],
  created: ReadonlySet<string> = new Set(),
): SeedOfAnswers {
  const reading = new AnswerReading(created);
  for (const answer of answers) reading.read(answer);
  return reading.seed();
}

class AnswerReading {
  readonly #records = new Map<string, Map<string, SeedRecord>>();
  readonly #definitions = new Map<string, SeedRecord>();
  readonly #created: ReadonlySet<string>;
  /** Omits the values that a seed rejects. */
  readonly #fit = new FittingRecords();

  constructor(created: ReadonlySet<string>) {
    this.#created = created;
  }

  read({ segments: [family = '', method = '', id = '', sub], root }: AnswerOfV1): void {
    const call = family.toLowerCase();
    const at = method.toLowerCase();
    if (call === 'customfield.api') this.#define(root);
    else if (sub?.toLowerCase() === 'customfield') this.#readCustomFields(call, id, root);
    else if (at === 'documents') this.#readPart(call, id, documentPart, root);
    else if (call === 'job.api' && at === 'costs') this.#readPart(call, id, jobCostPart, root);
    else if (call === 'invoice.api' && at === 'payments') this.#readPart(call, id, paymentPart, root);
    else this.#readRecords(call, root);
  }

  seed(): SeedOfAnswers {
    const seed: Record<string, unknown> = {};
    const counts: Record<string, number> = {};
    for (const { list, table, isCoded } of answered) {
      const records = [...(this.#records.get(list)?.values() ?? [])].toSorted(byNumber(isCoded === true));
      if (records.length === 0) continue;
      seed[list] = records.map((record) => this.#fit.record(list, table, record));
      counts[list] = records.length;
    }
    const types = this.#records.get('clientTypes');
    if (types !== undefined)
      seed.clientTypes = Array.from(types.values(), (type) =>
        this.#fit.record('clientTypes', clientTypeTable, type),
      );
    if (this.#definitions.size > 0) seed.customFieldDefinitions = [...this.#definitions.values()];
    return { seed, counts, leftOut: this.#fit.leftOut };
  }

  #readRecords(family: string, root: XmlElement): void {
    const isOf = (element: XmlElement): AnsweredKind | undefined =>
      answered.find((kind) => kind.element === element.name && kind.family === family);
    for (const child of root.children)
      for (const element of isOf(child) === undefined ? child.children : [child]) {
        const kind = isOf(element);
        if (kind !== undefined) this.#readRecord(kind, element);
      }
  }

  #readRecord(kind: AnsweredKind, element: XmlElement): void {
    const { table, holds = [], further } = kind;
    const id = textIn(element, 'ID');
    if (id === '' || this.#created.has(id)) return;
    const record: SeedRecord = {
      number: numberOf(kind, id),
      ...this.#valuesOf(table.rows, element),
      ...this.#partsOf(holds, element),
      ...further?.(element),
    };
    if (kind.list === 'invoices') this.#linesUnderJobs(record, element);
    if (kind.list === 'quotes') pricedByTheHour(record);
    this.#merge(kind.list, id, record);
    this.#named(kind, element, record);
  }

  /** Adds the records that this one mentions besides its own values. */
  #named({ list }: AnsweredKind, element: XmlElement, record: SeedRecord): void {
    for (const { list: of, id, name } of mentions[list]?.(element) ?? [])
      this.#add(of, id, { number: Number(id), name });
    if (list === 'clients') for (const type of clientTypesOf(element)) this.#addClientType(type);
    if (list === 'times') this.#mentionTask(element);
    if (list === 'invoices' && typeof record.job === 'string')
      this.#mentionJob(childrenIn(element, 'Jobs')[0], textIn(childOf(element, 'Client'), 'ID'));
  }

  /** Adds a client type, which has no number. */
  #addClientType(type: XmlElement): void {
    const paymentDay = Number(textIn(type, 'PaymentDay'));
    this.#add('clientTypes', textIn(type, 'Name'), {
      ...this.#valuesOf(clientTypeTable.rows, type),
      paymentDay: paymentDay > 0 ? paymentDay : 20,
    });
  }

  /** Adds the task of a job on which the time was spent. */
  #mentionTask(time: XmlElement): void {
    const job = childOf(time, 'Job');
    const task = childOf(time, 'Task');
    this.#mentionJob(job, '');
    const known = this.#records.get('jobs')?.get(textIn(job, 'ID'));
    const number = numberIn(task);
    if (known === undefined || number === undefined) return;
    const tasks = (known.tasks ?? []) as readonly SeedRecord[];
    if (tasks.some((one) => one.number === number)) return;
    known.tasks = [...tasks, { number, name: textIn(task, 'Name') || 'Task' }];
  }

  /** Adds a job that no answer may show; `client`: the number of its client, or ''. */
  #mentionJob(job: XmlElement | undefined, client: string): void {
    const id = textIn(job, 'ID');
    if (job === undefined || id === '' || this.#created.has(id)) return;
    this.#merge('jobs', id, {
      ...{ number: id, name: textIn(job, 'Name') || 'Job' },
      ...(Number(client) > 0 && { client: Number(client) }),
    });
  }

  /** Adds a referenced record that no answer may show, with number and name. */
  #mention(list: string, element: XmlElement | undefined): void {
    const id = textIn(element, 'ID');
    if (element === undefined || id === '') return;
    const kind = answered.find((one) => one.list === list);
    this.#add(list, id, { number: numberOf(kind, id), name: textIn(element, 'Name') || 'Unnamed' });
  }

  /** Returns the values of a record, under the names of a seed. */
  #valuesOf(rows: Rows, element: XmlElement): SeedRecord {
    const record: SeedRecord = {};
    for (const row of rows) {
      const name = seedOf(row)?.name;
      // Kinds known only by name do not define their XML.
      const xml = xmlOf(row) ?? (row.at === 'name' ? { element: 'Name' } : undefined);
      const child = xml && childOf(element, xml.element);
      if (name === undefined || xml === undefined || child === undefined) continue;
      const value =
        row.form.is === 'reference' ? this.#reference(row, xml, child) : answeredValue(row.form, child.text);
      if (value !== undefined) record[name] = value;
    }
    return record;
  }

  #reference({ form }: Row, { as }: XmlValue, child: XmlElement): string | number | undefined {
    const list = listsOfKinds.get((form as Extract<Form, { is: 'reference' }>).of);
    if (as === 'name') return child.text.trim() || undefined;
    const id = textIn(child, 'ID');
    if (id === '') return undefined;
    if (as === 'coded') {
      this.#mentionJob(child, '');
      return id;
    }
    if (list !== undefined) this.#mention(list, child);
    else if (!this.#isContact(form, child)) return undefined;
    return Number(id);
  }

  /**
   * Whether the reference is to a contact that a client shows; another contact cannot be created without its
   * client.
   */
  #isContact(form: Form, child: XmlElement): boolean {
    if (form.is !== 'reference' || form.of !== 'contact') return false;
    const number = Number(textIn(child, 'ID'));
    for (const client of this.#records.get('clients')?.values() ?? [])
      if (((client.contacts ?? []) as readonly SeedRecord[]).some((one) => one.number === number))
        return true;
    return false;
  }

  /** Reads the lists within a record. */
  #partsOf(holds: readonly AnsweredPart[], element: XmlElement): SeedRecord {
    const parts: Record<string, SeedRecord[]> = {};
    for (const part of holds) {
      const container = childOf(element, part.container);
      if (container === undefined) continue;
      (parts[part.list] ??= []).push(...this.#linesOf(part, container));
    }
    return parts;
  }

  /** Omits the lines that the calls themselves created. */
  #linesOf(part: AnsweredPart, container: XmlElement): readonly SeedRecord[] {
    return container.children
      .filter(({ name }) => name === part.element)
      .filter((line) => !this.#created.has(textIn(line, 'ID')))
      .map((line) => {
        const number = part.isNumberless === true ? undefined : numberIn(line);
        return {
          ...(number !== undefined && { number }),
          ...this.#valuesOf(part.rows, line),
          ...this.#partsOf(part.holds ?? [], line),
          ...part.further?.(line),
        };
      });
  }

  /** Reads the lines of an invoice for jobs. */
  #linesUnderJobs(record: SeedRecord, element: XmlElement): void {
    for (const job of childrenIn(element, 'Jobs'))
      for (const [list, lines] of Object.entries(this.#partsOf(invoiceParts, job)))
        record[list] = [...((record[list] ?? []) as readonly unknown[]), ...(lines as readonly unknown[])];
  }

  /** Reads a list that belongs to the record in the path. */
  #readPart(family: string, id: string, part: AnsweredPart, root: XmlElement): void {
    const container = childOf(root, part.container);
    const kind = answered.find((one) => one.family === family);
    if (container === undefined || kind === undefined || id === '') return;
    const number = numberOf(kind, id);
    const known = this.#records.get(kind.list)?.get(id);
    // The payments replace their sum.
    if (known !== undefined && part === paymentPart) Reflect.deleteProperty(known, part.list);
    this.#merge(kind.list, id, { number, [part.list]: this.#linesOf(part, container) });
  }

  /** The first definition of a name counts. */
  #define(root: XmlElement): void {
    for (const [name, definition] of definitionsIn(root))
      if (!this.#definitions.has(name)) this.#definitions.set(name, definition);
  }

  /** Reads the custom fields of the record in the path. */
  #readCustomFields(family: string, id: string, root: XmlElement): void {
    const kind = answered.find((one) => one.family === family && one.table.use !== undefined);
    if (kind === undefined || id === '') return;
    const customFields = valuesOfFields(root);
    const number = numberOf(kind, id);
    if (customFields.length > 0) this.#merge(kind.list, id, { number, customFields });
  }

  #add(list: string, id: string, record: SeedRecord): void {
    if (this.#records.get(list)?.has(id) !== true) this.#merge(list, id, record);
  }

  /** Keeps values that are already known; an empty list counts as unknown. */
  #merge(list: string, id: string, record: SeedRecord): void {
    const records = this.#records.get(list) ?? new Map<string, SeedRecord>();
    this.#records.set(list, records);
    const known = records.get(id) ?? {};
    const isNew = ([name, value]: readonly [string, unknown]): boolean =>
      known[name] === undefined ||
      (Array.isArray(known[name]) && known[name].length === 0 && Array.isArray(value));
    records.set(id, Object.assign(known, Object.fromEntries(Object.entries(record).filter(isNew))));
  }
}

/** The number in the form of a seed: some kinds have text numbers. */
const numberOf = (kind: AnsweredKind | undefined, id: string): string | number =>
  kind?.isCoded === true ? id : Number(id);

const xmlOf = ({ xml }: Row): XmlValue | undefined => (typeof xml === 'string' ? { element: xml } : xml);
