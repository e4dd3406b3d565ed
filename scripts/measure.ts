import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { duplicatePairs } from './measure/duplicates.ts';
import { measure } from './measure/figures.ts';
import { functionsOf } from './measure/functions.ts';
import { readSource } from './measure/source.ts';

/**
 * `npm run measure`: the structure of `src/` in figures. `--where`: also shows their sources. `--write`: makes them the
 * budget of `test/architecture/budget.json`, with the path of a call; a figure that grows needs a commit that says why.
 */
const project = join(import.meta.dirname, '..');
const files = readSource();
const figures = measure(files);
console.log(JSON.stringify(figures, undefined, 2));
if (process.argv.includes('--where')) printPlaces();
if (process.argv.includes('--write')) writeBudget();

function printPlaces(): void {
  const functions = files.flatMap(functionsOf);
  console.log('\nlongest functions');
  for (const { name, lines } of functions.toSorted((a, b) => b.lines - a.lines).slice(0, 15))
    console.log(lines, name);
  console.log('\nmost branches');
  for (const { name, complexity } of functions.toSorted((a, b) => b.complexity - a.complexity).slice(0, 15))
    console.log(complexity, name);
  console.log(`\npairs of files that share six lines\n${duplicatePairs(files).join('\n')}`);
}

interface Path {
  readonly method: string;
  readonly route: string;
  readonly files: readonly string[];
  readonly functions: readonly string[];
}

function writeBudget(): void {
  const budgetFile = join(project, 'test', 'architecture', 'budget.json');
  const { paths } = JSON.parse(readFileSync(budgetFile, 'utf8')) as { readonly paths: object };
  const args = ['--disable-warning=ExperimentalWarning', 'scripts/path.ts', ...Object.keys(paths), '--json'];
  const output = execFileSync(process.execPath, args, { cwd: project, encoding: 'utf8', maxBuffer: 2 ** 26 });
  const measured = Object.fromEntries(
    (JSON.parse(output) as readonly Path[]).map(({ method, route, ...path }) => [
      `${method}/${route}`,
      { files: path.files.length, functions: path.functions.length },
    ]),
  );
  const { commentPercent, limits } = figures;
  writeFileSync(budgetFile, `${JSON.stringify({ commentPercent, limits, paths: measured }, undefined, 2)}\n`);
}
