/**
 * Generates the part of docs/reference/sandbox.md that lists every operation of the sandbox with a working `curl` line.
 *
 * The lines are made from the sandbox's own table of operations and run in their order: records that a line needs are
 * created before it, and deletions come last. Before the lines of V2 the sandbox is seeded again, because those of V1
 * have deleted records, and without the limit of 60 requests a minute, which the lines would exceed.
 */
import { readFileSync } from 'node:fs';
import type { Operation as JsonOperation } from '../../../src/sandbox/json/operation/operation.ts';
import { operations as jsonOperations } from '../../../src/sandbox/json/operations.ts';
import type { Operation as XmlOperation } from '../../../src/sandbox/xml/call.ts';
import { operations as xmlOperations } from '../../../src/sandbox/xml/operation.ts';
import type { Generator } from '../generator.ts';
import { bodiesOnPage, samplePlaces, sampleNumbers, unusedNumbers } from './sample.ts';
import { xmlExamples } from './xml-examples.ts';

const upper = (kind: string): string => kind.replaceAll(/[A-Z]/g, (message) => `_${message}`).toUpperCase();

/** In single quotes if the shell has nothing to expand. */
const quoted = (text: string): string =>
  text.includes('$') ? `"${text.replaceAll(/["\\`]/g, String.raw`\$&`)}"` : `'${text}'`;

const option = (verb: string, hasBody: boolean): string =>
  verb === (hasBody ? 'POST' : 'GET') ? '' : ` -X ${verb}`;

function grouped<T>(all: readonly T[], groupOf: (one: T) => string): ReadonlyMap<string, readonly T[]> {
  return Map.groupBy(all, groupOf);
}

const block = (lines: readonly string[]): string => `\`\`\`sh\n${lines.join('\n')}\n\`\`\`\n`;

/** A comment, which the shell ignores, names the operation. */
const named = (line: string, id: string): string => `${line}  # ${id}`;

const removes = /\.(?:archive|delete)$/;

function xmlLine({ id, verbs: [verb], path: pattern }: XmlOperation): string {
  const example = xmlExamples[id];
  if (!example) throw new Error(`${id} has no example`);
  const numbers = removes.test(id) ? unusedNumbers : sampleNumbers;
  const written = (text: string): string =>
    text
      .replaceAll(/\{(\w+)\}/g, (_all, kind: string) => numberOf(numbers, kind))
      .replaceAll(/<(\/?)[#$]/g, '<$1');
  // For a method with a second path, the example is of the first.
  const [own = ''] = pattern.split('/{id}');
  const path = example.path.startsWith(own)
    ? example.path
    : own + example.path.slice(example.path.indexOf('/{'));
  const url = written(path);
  const body = verb === 'GET' || example.body === undefined ? '' : ` -d ${quoted(written(example.body))}`;
  const address = `"$V1/${url}${url.includes('?') ? '&' : '?'}$KEYS"`;
  return named(`curl${option(verb, body !== '')} ${address}${body}`, id);
}

function numberOf(numbers: Readonly<Record<string, string>>, kind: string): string {
  const number = numbers[kind];
  if (number === undefined) throw new Error(`The sample organisation has no ${kind}`);
  return number;
}

function variable(kind: string, isRemoved: boolean): string {
  const place = samplePlaces[kind];
  if (!place) throw new Error(`The sample organisation has no ${kind}`);
  return isRemoved && place.spare ? `$SPARE_${upper(kind)}` : `$${upper(kind)}`;
}

/** Only the last record of the path is removed; other records in it are kept. */
function jsonLine({ id, method, path, on, example: own }: JsonOperation): string {
  const example = bodiesOnPage[id] ?? own;
  const isRemoved = method === 'DELETE' && Object.keys(on).length === 1;
  const url = path.replaceAll(/\{(\w+)\}/g, (_all, name: string) => {
    const kind = on[name];
    return kind === undefined ? '$NEW' : variable(kind, isRemoved);
  });
  const text = example === undefined ? undefined : JSON.stringify(example);
  const body = text?.replaceAll(/"\{(\w+)\}"/g, (_all, kind: string) => `"${variable(kind, false)}"`);
  const data = body === undefined ? '' : ` -H "$JSON" -d ${quoted(body)}`;
  return named(`curl${option(method, data !== '')} "$V2${url}" -H "$BEARER" -H "$ACCOUNT"${data}`, id);
}

/** The whole catalogue is deleted last, because other operations use its costs. */
const xmlInOrder = [
  ...xmlOperations.filter(({ id }) => id !== 'cost.deleteall'),
  ...xmlOperations.filter(({ id }) => id === 'cost.deleteall'),
];
const familyOf = ({ id }: XmlOperation): string => id.split('.')[0] ?? '';

/** Deletions last, and parts before their wholes. */
const inOrder = (operations: readonly JsonOperation[]): readonly JsonOperation[] => [
  ...operations.filter(({ method }) => method !== 'DELETE'),
  ...operations.filter(({ method }) => method === 'DELETE').toReversed(),
];

function places(): readonly string[] {
  return Object.entries(samplePlaces).flatMap(([kind, { list, within, spare }]) => [
    `${upper(kind)}=$(first "${list}"${within === undefined ? '' : ` ${within}`})`,
    ...(spare
      ? [
          `SPARE_${upper(kind)}=$(first "${spare.list}"${spare.within === undefined ? '' : ` ${spare.within}`})`,
        ]
      : []),
  ]);
}

const BASE = 'BASE=http://127.0.0.1:8090';
const ORG = `ORG=$(curl -s "$BASE/_sandbox/organisations" | grep -o '"id":"[^"]*' | head -n 1 | cut -d '"' -f 4)`;
const control = (path: string, body: string): string =>
  `curl -s -o /dev/null "$BASE/_sandbox/${path}" -d '${body}'`;

const start = [BASE, ORG, control('organisations/$ORG', '{"practice": "NZ"}')];

/** V1 has deleted records that V2 reads, and there are more lines than 60 requests a minute allow. */
const anew = [
  BASE,
  control('reset', ''),
  control('seed', '{"size": 10}'),
  control('settings', '{"protocol": {"limits": {"perMinute": null}}}'),
  ORG,
];

const v1Start = [
  'V1="$BASE/v1"',
  "KEYS='apiKey=sample&accountKey=B0000000000000000000000000000001'",
  `FIELD=$(curl -s "$V1/customfield.api/definition?$KEYS" | grep -o '<UUID>[^<]*' | head -n 1 | cut -d '>' -f 2)`,
];

const token = [
  `ADMIN=$(curl -s "$BASE/_sandbox/users" | grep -o '"id":"[^"]*' | head -n 1 | cut -d '"' -f 4)`,
  'BACK=http://127.0.0.1:8080/_causeway/callback',
  `CODE=$(curl -s -o /dev/null -w '%{redirect_url}' "$BASE/identity/connect/consent" \\`,
  `  -d response_type=code -d client_id=demo-client -d redirect_uri=$BACK -d state=1 \\`,
  `  -d 'scope=openid profile email service offline_access' \\`,
  `  -d user=$ADMIN -d organisation=$ORG -d decision=approve | sed 's/.*[?&]code=\\([^&]*\\).*/\\1/')`,
  `TOKEN=$(curl -s "$BASE/connect/token" -u demo-client:demo-secret -d grant_type=authorization_code \\`,
  `  -d "code=$CODE" -d redirect_uri=$BACK | grep -o '"access_token":"[^"]*' | cut -d '"' -f 4)`,
];

const v2Start = [
  'V2="$BASE/v2" BEARER="authorization: Bearer $TOKEN" ACCOUNT="account-id: $ORG" JSON="content-type: application/json"',
  'NEW=12345678-0000-4000-8000-000000000001',
  'first() {',
  `  curl -s "$V2/$1" -H "$BEARER" -H "$ACCOUNT" | grep -o "\\"\${2:-data}\\":\\[{\\"uuid\\":\\"[^\\"]*" | head -n 1 | grep -o '[^"]*$'`,
  '}',
];

const sections = (groups: ReadonlyMap<string, readonly string[]>): string =>
  [...groups].map(([name, lines]) => `### ${name}\n\n${block(lines)}`).join('\n');

function linesOf<T>(groups: ReadonlyMap<string, readonly T[]>, line: (one: T) => string) {
  return new Map([...groups].map(([name, all]) => [name, all.map(line)]));
}

const write = (): string => {
  const xml = linesOf(grouped(xmlInOrder, familyOf), xmlLine);
  const json = linesOf(
    grouped(inOrder(jsonOperations), ({ area, method }) => (method === 'DELETE' ? 'Deleting' : area)),
    jsonLine,
  );
  return `# Every operation

<!-- Written by \`npm run docs\` from the lists of operations in src/sandbox. -->

Every operation of the sandbox with a \`curl\` line that works on a fresh one (\`npm run sandbox\`, ten sample clients). The lines change what they find: run them from top to bottom, and start the
sandbox anew before you run the same ones again. A test does just that.

First, in a shell: where the sandbox is, and the practice management module for relationships of clients.

${block(start)}
## V1

${String(xmlInOrder.length)} paths. Keys in the query, numbers as identifiers.

${block(v1Start)}
The same calls on V3 go to \`$BASE/3.0/…\` without keys in the query, with \`-H "authorization: Bearer $TOKEN"\` and
\`-H "account-id: $ORG"\` (both below). Numbers become UUIDs, \`ID\` becomes \`UUID\` (\`ClientID\` \`ClientUUID\`, and so on),
\`id="…"\` becomes \`uuid="…"\`; jobs, invoices, quotes and purchase orders keep their numbers. \`uuid.api/maps\`, which
tells which UUID belongs to which number, is V1's alone. An organisation with the practice management module has no leads,
suppliers and purchase orders on V3.

${sections(xml)}
## A token

The sandbox as it was at first (what it held is gone), and without its limit of 60 requests a minute:

${block(anew)}
The consent form, sent at once for the first administrator, and the exchange of the code:

${block(token)}
## V2

${String(jsonOperations.length)} operations. UUIDs are new in every sandbox, so they are looked up: \`first\` tells the first of a list, or of an array
within a record. What begins with \`SPARE\` is there to be deleted. The sandbox has no variations of quotes:
\`v2.quote-variations.get\` answers 404.

${block([...v2Start, ...places()])}
${sections(json)}`;
};

const page = new URL('../../../docs/reference/sandbox.md', import.meta.url);

/**
 * The section of docs/reference/sandbox.md between its two marks, a level deeper; the rest of the file is written by
 * hand.
 */
export const sandboxOperations: Generator = {
  path: 'docs/reference/sandbox.md',
  write: () => {
    const section = write()
      .replaceAll(/^(?=#+ )/gm, '#')
      .trimEnd();
    return readFileSync(page, 'utf8').replace(
      /(<!-- operations -->\n)[^]*?(<!-- \/operations -->)/,
      (_all, open: string, close: string) => `${open}\n${section}\n\n${close}`,
    );
  },
};
