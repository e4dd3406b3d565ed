/**
 * A client in TypeScript: a folder that Node runs without packages and without a build. `runtime/` and
 * `shared/` are the same in every client; `families/`, `shared.ts` and `index.ts` are generated from the
 * mapping.
 */
import type { GoldenFile } from '../rehearsal/order.ts';
import type { ClientMethod, ClientPlan } from './client-model.ts';
import { familyOf, familyText, familyVariable } from './family.ts';
import { readmeOf } from './readme.ts';
import { fixedFiles, sharedFiles } from './sources.ts';
import { sharedOf } from './tables.ts';
import { literal, propertyName } from './wording.ts';

/** The files of a client, with paths relative to its folder. */
export function typescriptClient(plan: ClientPlan): readonly GoldenFile[] {
  const families = [...Map.groupBy(plan.methods, ({ method }) => familyOf(method.id))].toSorted(([a], [b]) =>
    a < b ? -1 : 1,
  );
  return [
    ...fixedFiles('typescript'),
    ...sharedFiles(),
    ...families.map(([name, methods]) => ({
      path: `families/${name}.ts`,
      content: familyText(name, methods, plan),
    })),
    { path: 'shared.ts', content: sharedText(plan) },
    { path: 'index.ts', content: indexText(families, plan) },
    { path: 'README.md', content: readmeOf(plan) },
    { path: 'package.json', content: packageText },
    { path: 'tsconfig.json', content: tsconfigText },
    ...testFiles(plan),
  ];
}

type Families = readonly (readonly [name: string, methods: readonly ClientMethod[]])[];

const sharedText = ({ mapping, profile }: ClientPlan): string =>
  [
    "import type { Shared } from './shared/proof/client/client-tables.ts';\n\n",
    '/** What all methods share: how the service is asked, and the lists in which V2 has names. */\n',
    `export const shared: Shared = ${literal(sharedOf(mapping, profile))};\n`,
  ].join('');

function indexText(families: Families, { route }: ClientPlan): string {
  const names = families.map(([name]) => name);
  const imports = names.map(
    (name) =>
      `import { ${familyVariable(name)}, methods as ${familyVariable(name)}Rows } from './families/${name}.ts';\n`,
  );
  const groups = names.map((name) => `    ${propertyName(name)}: ${familyVariable(name)}(make),\n`);
  return [
    ...imports,
    "import { connect, type Connection } from './runtime/client.ts';\n",
    "import { shared } from './shared.ts';\n\n",
    "export type { Connection, How } from './runtime/client.ts';\n",
    "export * from './runtime/errors.ts';\n",
    "export { FileTokenStore } from './runtime/file-store.ts';\n",
    "export type { Api } from './shared/proof/client/client-tables.ts';\n",
    "export type { Tokens, TokenStore } from './runtime/tokens.ts';\n",
    ...names.map(
      (name) =>
        `export type * as ${familyVariable(name).replace(/Methods$/, 'Types')} from './families/${name}.ts';\n`,
    ),
    '\n/** The rows of all methods, by their legacy names. */\n',
    `export const methods = { ${names.map((name) => `...${familyVariable(name)}Rows`).join(', ')} };\n\n`,
    '/** The legacy name of a method. */\nexport type MethodName = keyof typeof methods;\n\n',
    '/** The methods on one connection, by their legacy names: `client.get` is `createClient(…).client.get`. */\n',
    'export function createClient(connection: Connection<MethodName>) {\n',
    `  const make = connect(connection, shared, ${literal(route)});\n  return {\n${groups.join('')}  };\n}\n`,
  ].join('');
}

function testFiles({ cases, begins }: ClientPlan): readonly GoldenFile[] {
  const parity = [
    "import { methods } from '../index.ts';\nimport { shared } from '../shared.ts';\n",
    "import { playCases } from '../testing/parity.ts';\n\n",
    `playCases(methods, shared, ${begins});\n`,
  ].join('');
  const protocol =
    "import { shared } from '../shared.ts';\nimport { testProtocol } from '../testing/protocol.ts';\n\ntestProtocol(shared);\n";
  return [
    { path: 'test/protocol.test.ts', content: protocol },
    ...(cases.length === 0 ? [] : [{ path: 'test/parity.test.ts', content: parity }]),
    ...cases.map(({ path, content }) => ({ path: `test/cases/${path}`, content })),
  ];
}

const packageText = `${JSON.stringify(
  {
    private: true,
    type: 'module',
    engines: { node: '>=24' },
    exports: './index.ts',
    scripts: { test: 'node --test' },
  },
  undefined,
  2,
)}\n`;

const tsconfigText = `${JSON.stringify(
  {
    compilerOptions: {
      ...{ target: 'es2024', lib: ['es2024', 'esnext'], module: 'nodenext', types: ['node'], strict: true },
      ...{ exactOptionalPropertyTypes: true, noUncheckedIndexedAccess: true, erasableSyntaxOnly: true },
      ...{ verbatimModuleSyntax: true, allowImportingTsExtensions: true, skipLibCheck: true, noEmit: true },
    },
    include: ['**/*.ts'],
  },
  undefined,
  2,
)}\n`;
