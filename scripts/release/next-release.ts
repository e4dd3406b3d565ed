/**
 * The sources of a release that does not exist, the next after this one: a later version, and one more step of the
 * schema. They allow testing the upgrade before there is a release to upgrade to: `test/journey/upgrade.test.ts` from
 * the sources, `scripts/release/bare-root.ts` from the artefacts.
 */
import { cpSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');

const TAKEN = [
  'src',
  'mappings',
  'docs',
  'deploy',
  'scripts',
  'README.md',
  'CHANGELOG.md',
  'CONTRIBUTING.md',
  'SECURITY.md',
  'compose.yaml',
  'package-lock.json',
];

/** Typical changes of a release: a table, a nullable column, an index on a table in use. */
const STEP = `import { index, table, widen, type Trx } from './shape.ts';

/** Made up to try an upgrade. */
export async function madeUp(trx: Trx): Promise<void> {
  await table(trx, 'made_up', ['name'], { name: 'text', at: 'bigint?' }).execute();
  await widen(trx, 'accounts', { made_up: 'text?' });
  await index(trx, 'accounts', 'made_up');
}
`;

/** The release after `version`: a candidate's own release, or else the next patch. */
export function versionAfter(version: string): string {
  const [numbers = '', candidate] = version.split('-', 2);
  if (candidate !== undefined) return numbers;
  const [major, minor, patch] = numbers.split('.');
  return `${String(major)}.${String(minor)}.${Number(patch) + 1}`;
}

/**
 * Writes the sources into `folder`, which is created. Their packages are those of this project. Returns their version.
 */
export function makeNextRelease(folder: string): string {
  mkdirSync(folder, { recursive: true });
  for (const name of TAKEN) cpSync(join(project, name), join(folder, name), { recursive: true });
  symlinkSync(join(project, 'node_modules'), join(folder, 'node_modules'));
  const description = JSON.parse(readFileSync(join(project, 'package.json'), 'utf8')) as {
    readonly version: string;
  };
  const version = versionAfter(description.version);
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ ...description, version }, null, 2));
  addStep(join(folder, 'src', 'db', 'migrations'));
  return version;
}

function addStep(migrations: string): void {
  writeFileSync(join(migrations, '9999-made-up.ts'), STEP);
  const list = join(migrations, 'index.ts');
  const text = readFileSync(list, 'utf8');
  if (!text.endsWith('\n];\n')) throw new Error(`${list} does not end with the list of steps`);
  const imports = "import { expands } from '../migrate.ts';\nimport { madeUp } from './9999-made-up.ts';\n";
  writeFileSync(list, `${imports}${text.replace(/\n\];\n$/, '\n  expands(madeUp),\n];\n')}`);
}
