/**
 * Finds the product's messages in its own source: events of the log, the texts of failures and the errors that people
 * read. There is no second list to maintain: additions to the source are found at the next `npm run docs`.
 */
import ts from 'typescript';
import { readSource, type SourceFile } from '../../measure/source.ts';

const LEVELS = ['info', 'warn', 'error'] as const;
export type Level = (typeof LEVELS)[number];

/** Errors whose text reaches a person, with the position of the text among the arguments. */
const told: Readonly<Record<string, number>> = {
  AdminRefusal: 1,
  ApiRefusal: 1,
  ArchiveRefusal: 0,
  CannotTry: 0,
  InvalidArgumentError: 0,
  Misuse: 0,
  NoStatusReport: 0,
  Refusal: 0,
  StoreFault: 1,
  UnusableAccount: 0,
  UnusableFile: 0,
  UnusableToken: 0,
};

/** Names built at run time. A template that is missing here is not the name of an event. */
const madeNames: Readonly<Record<string, readonly string[]>> = {
  '${this.#name}.failed': ['learning.failed', 'cutover.failed'],
  'canary.${outcome}': ['canary.kept', 'canary.returned', 'canary.ended'],
  'consent.${how}': ['consent.refused', 'consent.asked'],
};

/** A text of the source and its place. `…` stands for values that the bridge fills in. */
export interface SourceText {
  /** Relative to `src/`. */
  readonly path: string;
  readonly text: string;
}

/** All texts found in the source. */
export interface SourceTexts {
  readonly events: ReadonlyMap<string, ReadonlySet<Level>>;
  /** Texts that replace the table's, by code. */
  readonly failures: ReadonlyMap<string, ReadonlySet<string>>;
  readonly errors: readonly SourceText[];
}

const delivered = ({ path }: SourceFile): boolean => !/^(sandbox|demo)\//.test(path);
const hasWords = (text: string): boolean => /[\p{L}\d…][\s,:;]+[\p{L}\d…]/u.test(text);

/** Reads the source once. */
export function sourceTexts(files: readonly SourceFile[] = readSource().filter(delivered)): SourceTexts {
  const events = new Map<string, Set<Level>>();
  const failures = new Map<string, Set<string>>();
  const errors: SourceText[] = [];
  const constants = constantsOf(files);
  for (const { path, tree } of files) {
    const textsIn = (node: ts.Node | undefined): readonly string[] => readTexts(node, constants);
    walk(tree, (node) => {
      if (ts.isCallExpression(node))
        for (const [level, name] of eventsIn(node))
          events.set(name, (events.get(name) ?? new Set()).add(level));
      if (!ts.isNewExpression(node) || !ts.isIdentifier(node.expression)) return;
      const name = node.expression.text;
      const at = told[name];
      const found = at === undefined ? [] : textsIn(node.arguments?.[at]);
      errors.push(...found.filter(hasWords).map((text) => ({ path, text })));
      if (name !== 'Failure') return;
      for (const code of textsIn(node.arguments?.[0]))
        for (const text of textsIn(propertyOf(node.arguments?.[1], 'text')))
          failures.set(code, (failures.get(code) ?? new Set()).add(text));
    });
  }
  return { events, failures, errors: unique([...errors, ...files.flatMap(startTexts)]) };
}

function walk(node: ts.Node, visit: (node: ts.Node) => void): void {
  visit(node);
  ts.forEachChild(node, (child) => {
    walk(child, visit);
  });
}

function eventsIn({
  expression,
  arguments: [first],
}: ts.CallExpression): readonly (readonly [Level, string])[] {
  if (!ts.isPropertyAccessExpression(expression) || first === undefined) return [];
  const level = LEVELS.find((name) => name === expression.name.text);
  if (level === undefined || !/\blog$|#log$/.test(expression.expression.getText())) return [];
  if (ts.isStringLiteralLike(first)) return [[level, first.text]];
  const names = madeNames[first.getText().slice(1, -1)];
  if (names === undefined) throw new Error(`an event of the log has a name nobody knows: ${first.getText()}`);
  return names.map((name) => [level, name] as const);
}

/** Top-level constants by name; a name that two modules use for different values has both. */
function constantsOf(files: readonly SourceFile[]): ReadonlyMap<string, readonly ts.Expression[]> {
  const all = new Map<string, ts.Expression[]>();
  for (const { tree } of files)
    for (const statement of tree.statements)
      if (ts.isVariableStatement(statement))
        for (const { name, initializer } of statement.declarationList.declarations)
          if (ts.isIdentifier(name) && initializer !== undefined && /^[A-Z_]+$/.test(name.text))
            all.set(name.text, [...(all.get(name.text) ?? []), initializer]);
  return all;
}

/** The possible texts of an expression. */
function readTexts(
  node: ts.Node | undefined,
  constants: ReadonlyMap<string, readonly ts.Expression[]>,
): readonly string[] {
  if (node === undefined) return [];
  const both = (...nodes: readonly ts.Node[]): readonly string[] =>
    nodes.flatMap((one) => readTexts(one, constants));
  if (ts.isStringLiteralLike(node)) return [node.text];
  if (ts.isTemplateExpression(node))
    return [node.head.text + node.templateSpans.map(({ literal }) => `…${literal.text}`).join('')];
  if (ts.isConditionalExpression(node)) return both(node.whenTrue, node.whenFalse);
  if (ts.isParenthesizedExpression(node) || ts.isAsExpression(node)) return both(node.expression);
  if (ts.isBinaryExpression(node)) {
    if (node.operatorToken.kind !== ts.SyntaxKind.PlusToken) return both(node.left, node.right);
    return both(node.left).flatMap((left) => both(node.right).map((right) => left + right));
  }
  if (!ts.isIdentifier(node)) return [];
  return constants.get(node.text)?.flatMap((one) => (ts.isIdentifier(one) ? [] : both(one))) ?? [];
}

function propertyOf(node: ts.Node | undefined, name: string): ts.Node | undefined {
  if (node === undefined || !ts.isObjectLiteralExpression(node)) return undefined;
  const found = node.properties.find((one) => one.name?.getText() === name);
  return found !== undefined && ts.isPropertyAssignment(found) ? found.initializer : undefined;
}

/**
 * Files in which every sentence is for the person who starts the bridge; the meanings of settings are on a page of
 * their own.
 */
const START =
  /^(?:main\.ts|launch\.js|app\/settings\/(?!.*(?:table|rows)\.ts).*|app\/wiring\/key-check\.ts)$/;
const SENTENCE =
  /^(?:CAUSEWAY_|…:|is |it |must |takes |neither |somebody |this |the |durations\.|v3\.|Causeway )/;

function startTexts({ path, tree }: SourceFile): readonly SourceText[] {
  if (!START.test(path)) return [];
  const found: SourceText[] = [];
  walk(tree, (node) => {
    if (!ts.isStringLiteralLike(node) && !ts.isTemplateExpression(node)) return;
    const [text = ''] = readTexts(node, new Map());
    if (text.split(' ').length > 2 && SENTENCE.test(text)) found.push({ path, text });
  });
  return found;
}

const unique = (texts: readonly SourceText[]): readonly SourceText[] => [
  ...new Map(texts.map((one) => [`${one.path} ${one.text}`, one])).values(),
];
