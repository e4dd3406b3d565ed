import { readFileSync } from 'node:fs';
import { registerHooks, stripTypeScriptTypes } from 'node:module';
import { join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';

/** A function of `src/` that was entered. */
export interface Entered {
  /** Relative to `src/`. */
  readonly file: string;
  readonly name: string;
  /** Counted from 1. */
  readonly line: number;
}

type Named = ts.FunctionLikeDeclaration & { readonly body: ts.Block | ts.Expression };

const source = join(import.meta.dirname, '..', '..', 'src');
/** The simulated service and the code that starts processes are not part of a call's path. */
const LEFT_OUT = /^(?:sandbox|demo)\//;
const PROBE = '__entered';

/**
 * Records the functions of `src/` that are entered while `recording` is on. `install` puts one call at the beginning of
 * each function as a module is loaded, so it must run before the first import from `src/`.
 */
export class Trace {
  readonly #functions: Entered[] = [];
  #recorded: Set<number> | undefined;

  install(): void {
    Object.assign(globalThis, { [PROBE]: (index: number) => this.#recorded?.add(index) });
    registerHooks({
      load: (url, context, next) => {
        const file = url.startsWith('file:') ? relative(source, fileURLToPath(url)) : '..';
        if (file.startsWith('..') || LEFT_OUT.test(file) || !file.endsWith('.ts')) return next(url, context);
        const code = stripTypeScriptTypes(this.#instrumented(file), { mode: 'strip' });
        return { format: 'module', shortCircuit: true, source: code };
      },
    });
  }

  /** The functions entered while `work` ran, each once, in the order of their first entry. */
  async record(work: () => Promise<unknown>): Promise<readonly Entered[]> {
    const recorded = new Set<number>();
    this.#recorded = recorded;
    try {
      await work();
    } finally {
      this.#recorded = undefined;
    }
    return Array.from(recorded, (index) => this.#functions[index]).filter((one) => one !== undefined);
  }

  #instrumented(file: string): string {
    const text = readFileSync(join(source, file), 'utf8');
    const tree = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true);
    const insertions: { readonly at: number; readonly text: string }[] = [];
    const visit = (node: ts.Node): void => {
      if (hasBody(node)) insertions.push(...this.#probe(file, tree, node));
      ts.forEachChild(node, visit);
    };
    visit(tree);
    return insertions
      .toSorted((a, b) => b.at - a.at)
      .reduce((code, { at, text: probe }) => code.slice(0, at) + probe + code.slice(at), text);
  }

  #probe(file: string, tree: ts.SourceFile, node: Named): readonly { at: number; text: string }[] {
    const index = this.#functions.length;
    const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
    this.#functions.push({ file, name: nameOf(node), line });
    const probe = `globalThis.${PROBE}(${index})`;
    if (ts.isBlock(node.body)) return [{ at: node.body.getStart() + 1, text: `${probe};` }];
    return [
      { at: node.body.getStart(), text: `(${probe},` },
      { at: node.body.end, text: ')' },
    ];
  }
}

const hasBody = (node: ts.Node): node is Named =>
  ts.isFunctionLike(node) && 'body' in node && node.body !== undefined;

/** The name in its declaration; for an arrow function, the name it is assigned to. */
function nameOf(node: Named): string {
  if (ts.isConstructorDeclaration(node)) return 'constructor';
  if (node.name !== undefined) return node.name.getText();
  const { parent } = node;
  const isAssigned =
    ts.isVariableDeclaration(parent) || ts.isPropertyAssignment(parent) || ts.isPropertyDeclaration(parent);
  return isAssigned ? parent.name.getText() : '(anonymous)';
}
