/**
 * A client in PHP: a folder that PHP 8.2 runs without packages. It uses only V3. `runtime/` and `testing/`
 * are the same in every client; `families/`, `tables/`, `shared.php` and `Client.php` are generated from the
 * mapping.
 */
import { methodOfFile } from '../../rehearsal/golden-format.ts';
import type { GoldenFile } from '../../rehearsal/order.ts';
import type { ClientMethod, ClientPlan } from '../client-model.ts';
import { familyOf } from '../family.ts';
import { readCase } from '../recorded-case.ts';
import { fixedFiles } from '../sources.ts';
import { recordTablesIn } from '../../../mapping/compile/reply-tables.ts';
import { methodOf, RecordNames, rowsOf, sharedOf } from '../tables.ts';
import { classesText, tablesText } from './family.ts';
import { className, phpLiteral, phpName, phpString, without } from './literal.ts';
import { readmeOf } from './readme.ts';

type Families = readonly (readonly [name: string, methods: readonly ClientMethod[]])[];

/** The files of a client, with paths relative to its folder. */
export function phpClient(plan: ClientPlan): readonly GoldenFile[] {
  const families: Families = [...Map.groupBy(plan.methods, ({ method }) => familyOf(method.id))].toSorted(
    ([a], [b]) => (a < b ? -1 : 1),
  );
  return [
    ...fixedFiles('php'),
    ...families.flatMap(([name, methods]) => [
      { path: `families/${phpName(name)}.php`, content: classesText(name, methods) },
      { path: `tables/${phpName(name)}.php`, content: tablesText(methods, plan) },
    ]),
    { path: 'methods.php', content: methodsText(families) },
    { path: 'shared.php', content: sharedText(plan) },
    { path: 'Client.php', content: clientText(families) },
    { path: 'README.md', content: readmeOf(plan) },
    { path: 'test/run.php', content: runText(plan) },
    ...caseFiles(plan),
  ];
}

const HEAD = '<?php\n\ndeclare(strict_types=1);\n\n';

function methodsText(families: Families): string {
  const parts = families.map(
    ([name]) => `    ...require __DIR__ . ${phpString(`/tables/${phpName(name)}.php`)},\n`,
  );
  return `${HEAD}/** The rows of all methods, by their legacy names. */\nreturn [\n${parts.join('')}];\n`;
}

/** What all methods share, without what only V2 needs. */
function sharedText({ mapping, profile }: ClientPlan): string {
  const ofV2 = ['v2', 'spellings', 'lookups', 'defaults', 'keepSeconds'];
  const shared = without(sharedOf(mapping, profile), ofV2);
  return `${HEAD}/** What all methods share: how the service is asked. */\nreturn ${phpLiteral(shared)};\n`;
}

function clientText(families: Families): string {
  const names = families.map(([name]) => name);
  const required = names.map(
    (name) => `require_once __DIR__ . ${phpString(`/families/${phpName(name)}.php`)};\n`,
  );
  const fields = names.map((name) => `    public readonly ${className([name])}Methods $${phpName(name)};\n`);
  const made = names.map(
    (name) => `        $this->${phpName(name)} = new ${className([name])}Methods($service);\n`,
  );
  return [
    `${HEAD}namespace LegacyClient;\n\nrequire_once __DIR__ . '/runtime/autoload.php';\n${required.join('')}\n`,
    '/** The methods on one connection, by their legacy names: `client.get` is `$service->client->get($uuid)`. */\n',
    `final class Client\n{\n${fields.join('')}\n    public function __construct(Connection $connection)\n    {\n`,
    "        $service = new Service($connection, require __DIR__ . '/methods.php', require __DIR__ . '/shared.php');\n",
    `${made.join('')}    }\n}\n`,
  ].join('');
}

const runText = ({ cases, begins }: ClientPlan): string =>
  [
    '<?php\n\n/** Its tests: `php test/run.php`. */\n\ndeclare(strict_types=1);\n\nnamespace LegacyClient\\Testing;\n\n',
    "require __DIR__ . '/../Client.php';\n",
    ...['Testing', 'protocol', 'parity'].map((name) => `require __DIR__ . '/../testing/${name}.php';\n`),
    "\n$shared = require __DIR__ . '/../shared.php';\n$methods = require __DIR__ . '/../methods.php';\nexit(run([\n",
    '    ...protocolTests($shared),\n',
    ...(cases.length === 0
      ? []
      : [`    ...parityTests(__DIR__ . '/cases', $methods, $shared, ${begins}),\n`]),
    ']));\n',
  ].join('');

/**
 * Recorded calls in the form of the test runner: the client's input, its expected requests and its expected
 * results.
 */
function caseFiles(plan: ClientPlan): readonly GoldenFile[] {
  const methods = new Map(plan.methods.map(({ method }) => [method.id, method]));
  return plan.cases.flatMap(({ path, content }) => {
    const id = methodOfFile(path);
    const method = methods.get(id);
    if (method === undefined) return [];
    const names = new RecordNames();
    const tables = recordTablesIn([
      ...('of' in method.reply ? [method.reply.of] : []),
      ...(method.body ? [method.body.of] : []),
    ]);
    const records = Object.fromEntries(tables.map((table) => [names.of(table), rowsOf(table, names)]));
    const { input, exchanges, expected } = readCase(content, { ...methodOf(method, names, plan), records });
    const name = path.replace(/\.http$/, '');
    const played = { name, method: id, input, exchanges: exchanges.v3, expected: expected.v3 ?? null };
    return [
      {
        path: `test/cases/${name.replaceAll('/', '-')}.json`,
        content: `${JSON.stringify(played, undefined, 1)}\n`,
      },
    ];
  });
}
