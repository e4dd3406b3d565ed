import type { CallPattern, Mapping, Method, RecordTable } from '../../src/mapping/compile/model.ts';
import { lossesOf } from '../../src/mapping/compile/loss.ts';
import type { Call, Expected, LossRow, Table } from './case.ts';
import type { Line } from './program.ts';

/** The method of a call; undefined where the mapping has none. */
export function methodOf(mapping: Mapping, { verb, path }: Pick<Call, 'verb' | 'path'>): Method | undefined {
  return mapping.methods.find(({ legacy }) => legacy.some((pattern) => fits(pattern, verb, path)));
}

export function fits({ verbs, segments }: CallPattern, verb: string, path: string): boolean {
  const given = (path.split('?')[0] ?? '').replace(/\/$/, '').toLowerCase().split('/');
  return (
    verbs.includes(verb) &&
    given.length === segments.length &&
    segments.every((segment, at) => !('literal' in segment) || segment.literal.toLowerCase() === given[at])
  );
}

/** An answer of V2 beside that of V1; what the loss report names is taken out of both. */
export interface Compared {
  readonly seen: Line;
  readonly expected: Line;
}

/**
 * The loss report as a measure of V2's answers. What it says is in no answer of a method is not compared. Every other
 * difference needs a row of the table, with words of the report; and a row that explains nothing is a fault.
 */
export class LossRecord {
  readonly #mapping: Mapping;
  readonly #rows: readonly LossRow[];
  readonly #needed = new Set<LossRow>();
  readonly #shown: Set<string>;

  /** `shown` gets what the report says and an answer has shown: `client.get: reply Client/DateOfBirth`. */
  constructor(mapping: Mapping, { losses = [] }: Pick<Table, 'losses'>, shown = new Set<string>()) {
    this.#mapping = mapping;
    this.#rows = losses;
    this.#shown = shown;
  }

  /** Answers to the calls of a case, in their order. */
  compare(says: string, seen: readonly Line[], original: readonly Line[]): readonly Compared[] {
    let call = -1;
    return seen.map((line, index) => {
      const other = original[index] ?? { call: 'no call', status: 0, contentType: undefined, body: '' };
      if (line.call === FOLLOWED) return { seen: line, expected: other };
      call += 1;
      return this.#line(says, call, line, other);
    });
  }

  /** Rows with words that no loss report has. */
  get unfounded(): readonly LossRow[] {
    return this.#rows.filter(({ method, of = method, loss }) => {
      const found = this.#mapping.methods.find(({ id }) => id === of);
      return found === undefined || !wordsOf(found).includes(loss);
    });
  }

  /** Rows that explained no difference. Whether what was made at once comes in the same order is chance. */
  get needless(): readonly LossRow[] {
    return this.#rows.filter((row) => !this.#needed.has(row) && !('reordered' in row.how));
  }

  #line(says: string, call: number, seen: Line, original: Line): Compared {
    const [verb = '', path = ''] = original.call.split(' ');
    const method = methodOf(this.#mapping, { verb, path });
    if (method === undefined) return { seen, expected: original };
    const rows = this.#rows.filter(
      (row) => row.method === method.id && (row.case ?? says) === says && (row.call ?? call) === call,
    );
    for (const { element, why } of missingIn(seen, original, method)) {
      this.#shown.add(`${method.id}: reply ${element}`);
      // The sentence about the calls that V3 answers for it.
      if (why !== undefined) this.#shown.add(`${method.id}: ${why}.`);
    }
    const compared = compare(seen, original, method, rows);
    if (isSame(compared))
      for (const row of rows) {
        const others = rows.filter((other) => other !== row);
        if (isSame(compare(seen, original, method, others))) continue;
        this.#needed.add(row);
        this.#shown.add(`${row.of ?? row.method}: ${row.loss}`);
      }
    return { seen: lined(compared.seen), expected: lined(compared.expected) };
  }
}

/** What is left to lose where V3 serves the calls that V2 would not serve whole. */
export const withoutToV3 = (mapping: Mapping, { losses = [] }: Table): Pick<Table, 'losses'> => ({
  losses: losses.filter(({ method, of = method, loss }) => {
    const found = mapping.methods.find(({ id }) => id === of);
    const texts = (found ? lossesOf(found) : []).flatMap((one) => (one.loss === 'toV3' ? one.text : []));
    return !loss.startsWith('request ') && !texts.includes(loss);
  }),
});

/** An element a line, so that a difference can be read. */
const lined = (line: Line): Line => ({ ...line, body: line.body.replace(/(<\/[^>]*>|\/>)</g, '$1\n<') });

/** What a line is called that holds the file behind a link of the answer before. */
export const FOLLOWED = 'the link';

const isSame = ({ seen, expected }: Compared): boolean =>
  seen.call === expected.call && seen.status === expected.status && seen.body === expected.body;

/** Everything that the loss report says of a method; an element of a request is another suite's affair. */
export const reportedOf = (method: Method): readonly string[] =>
  wordsOf(method).flatMap((words) => (words.startsWith('request ') ? [] : `${method.id}: ${words}`));

function wordsOf(method: Method): readonly string[] {
  return lossesOf(method).map((loss) => {
    if (loss.loss === 'sentence' || loss.loss === 'toV3') return loss.text;
    return loss.loss === 'default' ? `default ${loss.place}` : `${loss.of} ${loss.element}`;
  });
}

/** Elements that the report says are in no answer, and that the two answers have otherwise. */
function missingIn(seen: Line, original: Line, method: Method): readonly Missing[] {
  if (seen.body === original.body) return [];
  const [mine, other] = [elementsOf(seen.body), elementsOf(original.body)];
  const texts = (all: readonly Found[], body: string, way: string): string =>
    all.map(({ path, from, to }) => (path === way ? body.slice(from, to) : '')).join('');
  return lossesOf(method).flatMap((loss) => {
    if (loss.loss !== 'element' || loss.of !== 'reply') return [];
    const way = wayTo(loss.element, method);
    return texts(mine, seen.body, way) === texts(other, original.body, way) ? [] : loss;
  });
}

type Missing = Extract<ReturnType<typeof lossesOf>[number], { readonly loss: 'element' }>;

function compare(seen: Line, original: Line, method: Method, rows: readonly LossRow[]): Compared {
  // The same is left out of both.
  if (seen.body === original.body && !rows.some(({ how }) => 'answer' in how))
    return { seen, expected: original };
  const never = lossesOf(method).flatMap((loss) =>
    loss.loss === 'element' && loss.of === 'reply' && loss.kept !== 'structure'
      ? [wayTo(loss.element, method)]
      : [],
  );
  let [mine, other] = [seen, original].map(({ body }) => cut(body, (path) => never.includes(path))) as [
    string,
    string,
  ];
  for (const { how } of rows) {
    if ('mask' in how) {
      const way = wayTo(how.mask, method);
      [mine, other] = [cut(mine, (path) => path === way), cut(other, (path) => path === way)];
    } else if ('drop' in how) {
      other = emptied(
        cut(other, (path, text) => path.endsWith(`/${how.drop}`) && text.includes(how.holding)),
        method,
      );
    } else if ('reordered' in how) {
      [mine, other] = [sorted(mine, how.reordered), sorted(other, how.reordered)];
    } else {
      const told = `V2 answers ${JSON.stringify(how.answer)}`;
      return meets(seen.body, how.answer)
        ? { seen, expected: seen }
        : { seen, expected: { ...original, body: told } };
    }
  }
  return { seen: { ...seen, body: mine }, expected: { ...original, body: other } };
}

/** `Client/Contacts/Mobile` of the report is `Response/Clients/Client/Contacts/Contact/Mobile` in a list of clients. */
function wayTo(element: string, { reply }: Method): string {
  if (!('of' in reply)) return '';
  const way = ['Response', ...(reply.form === 'list' ? [reply.container] : []), reply.element];
  let table: RecordTable | undefined = reply.of;
  for (const name of element.split('/').slice(1)) {
    const row: RecordTable['rows'][number] | undefined = table?.rows.find((one) => one.element === name);
    way.push(name, ...(row?.holds === 'list' ? [row.child] : []));
    table = row === undefined || row.holds === 'value' ? undefined : row.of;
  }
  // a list as a whole, not its entries
  return way.slice(0, element.endsWith(`/${way.at(-1) ?? ''}`) ? undefined : -1).join('/');
}

interface Found {
  readonly path: string;
  readonly from: number;
  readonly to: number;
}

/** Every element of an answer. */
function elementsOf(body: string): readonly Found[] {
  const open: { readonly name: string; readonly from: number }[] = [];
  const found: Found[] = [];
  for (const match of body.matchAll(/<(\/?)([\w.-]+)[^>]*?(\/?)>/g)) {
    const [tag, closes, name = '', empty] = match;
    if (closes === '') open.push({ name, from: match.index });
    if (closes === '' && empty === '') continue;
    const path = open.map((one) => one.name).join('/');
    found.push({ path, from: open.pop()?.from ?? 0, to: match.index + tag.length });
  }
  return found.toSorted((a, b) => a.from - b.from);
}

function cut(body: string, doomed: (path: string, text: string) => boolean): string {
  let text = '';
  let at = 0;
  for (const { path, from, to } of elementsOf(body)) {
    if (from < at || !doomed(path, body.slice(from, to))) continue;
    text += body.slice(at, from);
    at = to;
  }
  return text + body.slice(at);
}

/** A list without entries is written in one tag. */
function emptied(body: string, { reply }: Method): string {
  return reply.form === 'list'
    ? body.replace(`<${reply.container}></${reply.container}>`, `<${reply.container} />`)
    : body;
}

function sorted(body: string, name: string): string {
  const all = elementsOf(body).filter(({ path }) => path.endsWith(`/${name}`));
  const outer = all.filter(({ path }) => path.length === Math.min(...all.map((one) => one.path.length)));
  const [first] = outer;
  const last = outer.at(-1);
  if (first === undefined || last === undefined) return body;
  const texts = outer.map(({ from, to }) => body.slice(from, to)).toSorted();
  return body.slice(0, first.from) + texts.join('') + body.slice(last.to);
}

function meets(body: string, expected: Expected): boolean {
  switch (expected.is) {
    case 'failure':
      return body.endsWith(
        `<Status>ERROR</Status><ErrorDescription>${expected.words}</ErrorDescription></Response>`,
      );
    case 'exactly':
      return body.endsWith(`<Status>OK</Status>${expected.rest}</Response>`);
    case 'ok':
      return (
        body.includes('<Status>OK</Status>') &&
        expected.holds.every((text) => body.includes(text)) &&
        !expected.lacks.some((text) => body.includes(text))
      );
  }
}
