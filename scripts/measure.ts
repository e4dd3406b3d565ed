import { duplicatePairs } from './measure/duplicates.ts';
import { measure } from './measure/figures.ts';
import { functionsOf } from './measure/functions.ts';
import { readSource } from './measure/source.ts';

// npm run measure: the structure of src/ in figures, as test/architecture/budget.json holds them, and where they come from.
const files = readSource();
console.log(JSON.stringify(measure(files), undefined, 2));
if (process.argv.includes('--where')) {
  const functions = files.flatMap(functionsOf);
  console.log('\nlongest functions');
  for (const { name, lines } of functions.toSorted((a, b) => b.lines - a.lines).slice(0, 15))
    console.log(lines, name);
  console.log('\nmost branches');
  for (const { name, complexity } of functions.toSorted((a, b) => b.complexity - a.complexity).slice(0, 15))
    console.log(complexity, name);
  console.log(`\npairs of files that share six lines\n${duplicatePairs(files).join('\n')}`);
}
