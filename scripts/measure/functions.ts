import ts from 'typescript';
import type { SourceFile } from './source.ts';

export interface MeasuredFunction {
  /** `store/grants.ts:12 begin` */
  readonly name: string;
  readonly lines: number;
  /** Cyclomatic complexity: one, and one more for each branch. */
  readonly complexity: number;
}

/** Functions with a body, including nested ones. */
export function functionsOf({ path, tree }: SourceFile): readonly MeasuredFunction[] {
  const found: MeasuredFunction[] = [];
  const visit = (node: ts.Node): void => {
    if (ts.isFunctionLike(node) && 'body' in node && node.body !== undefined) {
      const line = (at: number): number => tree.getLineAndCharacterOfPosition(at).line + 1;
      const [first, last] = [line(node.getStart()), line(node.end)];
      const name = node.name?.getText() ?? '(anonymous)';
      found.push({
        name: `${path}:${first} ${name}`,
        lines: last - first + 1,
        complexity: complexityOf(node),
      });
    }
    ts.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

const branches: ReadonlySet<ts.SyntaxKind> = new Set([
  ts.SyntaxKind.IfStatement,
  ts.SyntaxKind.ConditionalExpression,
  ts.SyntaxKind.ForStatement,
  ts.SyntaxKind.ForInStatement,
  ts.SyntaxKind.ForOfStatement,
  ts.SyntaxKind.WhileStatement,
  ts.SyntaxKind.DoStatement,
  ts.SyntaxKind.CaseClause,
  ts.SyntaxKind.CatchClause,
  ts.SyntaxKind.AmpersandAmpersandToken,
  ts.SyntaxKind.BarBarToken,
  ts.SyntaxKind.QuestionQuestionToken,
]);

function complexityOf(root: ts.Node): number {
  let count = 1;
  const visit = (node: ts.Node): void => {
    if (node !== root && ts.isFunctionLike(node)) return;
    if (branches.has(node.kind)) count += 1;
    ts.forEachChild(node, visit);
  };
  visit(root);
  return count;
}

/** The number of exported functions and classes, and of those without a comment. */
export function exportsOf({ tree }: SourceFile): { readonly all: number; readonly unexplained: number } {
  const exported = tree.statements.filter(
    (statement) =>
      (ts.isFunctionDeclaration(statement) ||
        ts.isClassDeclaration(statement) ||
        (ts.isVariableStatement(statement) && statement.declarationList.declarations.some(isFunction))) &&
      ts.getModifiers(statement)?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword) === true,
  );
  return {
    all: exported.length,
    unexplained: exported.filter((statement) => ts.getJSDocCommentsAndTags(statement).length === 0).length,
  };
}

const isFunction = ({ initializer }: ts.VariableDeclaration): boolean =>
  initializer !== undefined && ts.isFunctionLike(initializer);

/** The number of lines with a comment. */
export function commentLines({ text, tree }: SourceFile): number {
  const lines = new Set<number>();
  const scanner = ts.createScanner(ts.ScriptTarget.Latest, false, ts.LanguageVariant.Standard, text);
  for (let token = scanner.scan(); token !== ts.SyntaxKind.EndOfFileToken; token = scanner.scan()) {
    if (token !== ts.SyntaxKind.SingleLineCommentTrivia && token !== ts.SyntaxKind.MultiLineCommentTrivia)
      continue;
    const first = tree.getLineAndCharacterOfPosition(scanner.getTokenStart()).line;
    const last = tree.getLineAndCharacterOfPosition(scanner.getTokenEnd()).line;
    for (let line = first; line <= last; line += 1) lines.add(line);
  }
  return lines.size;
}
