/**
 * The methods of one family (`client`) in PHP: a file with a class whose methods have the legacy names, with
 * the records that they take and return as array shapes, and a file with the rows of the mapping, from which
 * the runtime works.
 */
import {
  TEXT_NUMBER,
  type Method,
  type RecordRow,
  type RecordTable,
} from '../../../mapping/compile/model.ts';
import { formatOf, type FormatName } from '../../../mapping/formats.ts';
import { twoPlaces } from '../../../mapping/numbers.ts';
import { recordTablesIn } from '../../../mapping/compile/reply-tables.ts';
import type { ClientMethod, ClientPlan } from '../client-model.ts';
import { isAlwaysThere, kindsIn, parameterName, patternOf, treeOf, type Tree } from '../family.ts';
import { methodOf, RecordNames, rowsOf } from '../tables.ts';
import { comment } from '../wording.ts';
import { className, phpLiteral, phpName, phpString, without } from './literal.ts';

/** Names the records of some methods. */
class Records {
  readonly names = new RecordNames();
  readonly replies: readonly RecordTable[];
  readonly requests: readonly RecordTable[];

  constructor(methods: readonly ClientMethod[]) {
    const all = methods.map(({ method }) => method);
    this.replies = recordTablesIn(all.flatMap(({ reply }) => ('of' in reply ? [reply.of] : [])));
    this.requests = recordTablesIn(all.flatMap(({ body }) => (body ? [body.of] : [])));
    for (const table of this.all) this.names.of(table);
  }

  get all(): ReadonlySet<RecordTable> {
    return new Set([...this.replies, ...this.requests]);
  }

  /** The name of the record's shape: requests and replies differ in which elements may be omitted. */
  shapeOf(table: RecordTable, role: 'given' | 'taken'): string {
    return `${className([this.names.of(table)])}${role === 'given' ? 'Record' : 'Sent'}`;
  }
}

/**
 * Formats that V3 writes differently or that a program must not send back; the runtime supports no others.
 */
function formatOnV3(name: FormatName | undefined): string | undefined {
  if (name === undefined) return undefined;
  if (name === 'maskedTail' || name === 'documentLink') return name;
  const { fromV3 } = formatOf(name);
  if (fromV3 === undefined) return undefined;
  return fromV3 === twoPlaces ? 'twoPlaces' : name;
}

/** The rows of the methods: an array by legacy name. */
export function tablesText(methods: readonly ClientMethod[], plan: ClientPlan): string {
  const records = new Records(methods);
  const tables = Object.fromEntries(
    Array.from(records.all, (table) => [records.names.of(table), onV3(rowsOf(table, records.names))]),
  );
  const rows = methods.map(({ method }) => {
    const row = without(methodOf(method, records.names, plan), ['v2', 'notOnV2', 'legacy']);
    return `    ${phpString(method.id)} => ${phpLiteral(row, 4)} + ['records' => $records],\n`;
  });
  return `<?php\n\ndeclare(strict_types=1);\n\n$records = ${phpLiteral(tables)};\n\nreturn [\n${rows.join('')}];\n`;
}

/** Rows without what only V2 needs. */
const onV3 = (rows: ReturnType<typeof rowsOf>): object =>
  Object.fromEntries(
    Object.entries(rows).map(([name, { v2, as, ...row }]) => [
      name,
      { ...row, as: formatOnV3(as), detailed: v2?.detailed },
    ]),
  );

/** Generates the classes of a family, that of the family itself first. */
export function classesText(name: string, methods: readonly ClientMethod[]): string {
  const records = new Records(methods);
  const shapes = [
    ...records.replies.map((table) => shapeText(table, 'given', records)),
    ...records.requests.map((table) => shapeText(table, 'taken', records)),
  ];
  return [
    '<?php\n\ndeclare(strict_types=1);\n\nnamespace LegacyClient;\n\n',
    ...classTexts([name], treeOf(methods), records, shapes),
  ].join('');
}

/** A shape for `@phpstan-type`, because PHP has no type for it. */
function shapeText(table: RecordTable, role: 'given' | 'taken', records: Records): string {
  const rows = table.rows.map((row) => {
    const isThere = role === 'given' ? isAlwaysThere(row) : row.isRequired;
    return `${phpString(row.element)}${isThere ? '' : '?'}: ${heldText(row, role, records)}`;
  });
  return `@phpstan-type ${records.shapeOf(table, role)} array{${rows.join(', ')}}`;
}

function heldText(row: RecordRow, role: 'given' | 'taken', records: Records): string {
  if (row.holds === 'value') return 'string';
  // A record may contain itself, which a shape cannot express.
  const inner = `array<string, mixed>`;
  const isOwn = recordTablesIn([row.of]).some((table) => table.rows.some((one) => one === row));
  const shape = isOwn ? inner : records.shapeOf(row.of, role);
  return row.holds === 'one' ? shape : `list<${shape}>`;
}

function classTexts(
  path: readonly string[],
  tree: Tree,
  records: Records,
  shapes: readonly string[],
): readonly string[] {
  const groups = Array.from(tree).flatMap(([name, one]) =>
    one instanceof Map ? [[name, one] as const] : [],
  );
  const methods = Array.from(tree).flatMap(([name, one]) =>
    one instanceof Map ? [] : [methodText(name, one, records)],
  );
  const fields = groups.map(
    ([name]) => `    public readonly ${className([...path, name])}Methods $${phpName(name)};\n`,
  );
  const made = groups.map(
    ([name]) => `        $this->${phpName(name)} = new ${className([...path, name])}Methods($service);\n`,
  );
  const about = comment([`The methods of \`${path.join('.')}\`.`, ...shapes], 0);
  return [
    `${about}final class ${className(path)}Methods\n{\n${fields.join('')}`,
    `    public function __construct(private readonly Service $service)\n    {\n${made.join('')}    }\n`,
    ...methods,
    '}\n\n',
    ...groups.flatMap(([name, one]) => classTexts([...path, name], one, records, [])),
  ];
}

function methodText(name: string, one: ClientMethod, records: Records): string {
  const { id, body, query, requires, reply } = one.method;
  const kinds = kindsIn(one.method);
  const isAsked = query.size > 0;
  const taken = [
    ...kinds.map((kind) => `string $${placeOf(kind)}`),
    ...given(body !== undefined, 'array $record'),
    ...given(isAsked, `array $query${requires.length === 0 ? ' = []' : ''}`),
  ];
  const path = kinds.map((kind) => `${phpString(kind)} => $${placeOf(kind)}`);
  const input = [
    ...given(kinds.length > 0, `'path' => [${path.join(', ')}]`),
    ...given(body !== undefined, "'body' => $record"),
    ...given(isAsked, "'query' => $query"),
  ];
  const [type, returns] = returned[reply.form];
  const call = `${returns}$this->service->call(${phpString(id)}, [${input.join(', ')}]);`;
  return `\n${aboutMethod(one, records)}    public function ${phpName(name)}(${taken.join(', ')}): ${type}\n    {\n        ${call}\n    }\n`;
}

const given = (is: boolean, text: string): readonly string[] => (is ? [text] : []);

/** The return type in PHP, and the beginning of the call. */
const returned: Readonly<Record<Method['reply']['form'], readonly [type: string, returns: string]>> = {
  status: ['void', ''],
  id: ['string', 'return '],
  one: ['array', 'return '],
  list: ['array', 'return '],
};

const aboutMethod = ({ method, calls }: ClientMethod, records: Records): string =>
  comment(
    [
      `${method.summary}.`,
      `Legacy: \`${method.legacy.map((call) => `${call.verbs.join('|')} ${patternOf(call)}`).join('; ')}\`.`,
      ...given(calls !== undefined, `Counted calls: ${calls ?? 0}.`),
      ...(method.body ? [`@param ${records.shapeOf(method.body.of, 'taken')} $record`] : []),
      ...given(method.query.size > 0, `@param ${queryShape(method)} $query`),
      ...returnedShape(method, records),
    ],
    4,
  );

const placeOf = (kind: string): string => phpName(kind === TEXT_NUMBER ? 'number' : parameterName(kind));

const queryShape = ({ query, requires }: Method): string =>
  `array{${Array.from(query.keys(), (name) => `${phpString(name)}${requires.includes(name) ? '' : '?'}: string`).join(', ')}}`;

function returnedShape({ reply }: Method, records: Records): readonly string[] {
  if (!('of' in reply)) return [];
  const shape = records.shapeOf(reply.of, 'given');
  return [`@return ${reply.form === 'list' ? `list<${shape}>` : shape}`];
}
