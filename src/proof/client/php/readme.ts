import { counted } from '../../../lib/text/counted.ts';
import type { ClientMethod, ClientPlan } from '../client-model.ts';
import { oneLine } from '../wording.ts';

/** Escapes a text for a cell of a Markdown table. */
const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** The README for the owner of the program. */
export const readmeOf = ({ methods, cases }: ClientPlan): string =>
  [intro(methods), use, grant, promises, table(methods), tests(cases.length)].join('\n');

function intro(methods: readonly ClientMethod[]): string {
  const isOfAccount = methods.some(({ calls }) => calls !== undefined);
  const what = isOfAccount ? 'the methods that the programs of one account use' : 'all methods';
  return `# Client of the service in PHP, without a bridge

Written by \`causeway client\` for ${what} (${methods.length}), with their legacy names, over V3 (XML) with OAuth. It needs PHP 8.2 or newer
with the extension \`curl\`, and no packages. V2 (JSON) is not asked: a program that needs it takes the client in TypeScript.
`;
}

const use = `## Use it

\`\`\`php
require 'Client.php';

$service = new LegacyClient\\Client(new LegacyClient\\Connection(
    v3Url: 'https://api.example.com/3.0',
    authUrl: 'https://auth.example.com',
    organisation: getenv('ORGANISATION'),
    clientId: getenv('CLIENT_ID'),
    clientSecret: getenv('CLIENT_SECRET'),
    tokens: new LegacyClient\\FileTokenStore('/var/lib/our-program/tokens.json'),
));
$client = $service->client->get($uuid);
echo $client['Name'];
\`\`\`

A record is an array with the legacy names of its elements, and their texts in the legacy form: \`Yes\`, \`2026-11-25T00:00:00\`,
\`12.50\`. An \`ID\` holds a UUID. The shapes of the records stand at the classes in \`families/\`, for PHPStan and Psalm.

Move a program method by method: leave all others on the bridge, keep UUIDs beside numbers (\`causeway crosswalk export ACCOUNT\`), call
the method here, compare for some days, then remove the old call.
`;

const grant = `## Its own grant

A refresh token belongs to one holder: each use gives a new one and ends the one before. Never share the bridge's while both run. Best, the
customer gives this program consent of its own (authorisation code with PKCE at your \`authUrl\`); store the first tokens with
\`$tokens->save(new LegacyClient\\Tokens($accessToken, $refreshToken, $expiresAtInMilliseconds))\`. Or take the grant over when the last
method has moved: \`causeway grants export\`.
`;

const promises = `## What it promises

- One process renews the token at once: \`FileTokenStore\` locks a file, so it is for all processes of one machine, PHP-FPM's too. Several
  machines need a \`TokenStore\` on your database, with \`exclusive\` under a row lock.
- That a refresh leaves is stored before it leaves, and the new pair before it is used. After a process that died in between, the next call
  renews with the old refresh token, which the service takes again for 30 minutes. Until then a call has to come.
- A write is sent once. If its outcome is not known, the error is \`OutcomeUnknown\`: look before you send it again. If its token was
  refused, the error is \`NotAuthorised\`, nothing was changed, and the next call has a new token.
- A read is repeated after a 429 (as long as \`Retry-After\` says), after a token that was refused, and once if the service gave no
  answer.
- A list is read to its end, each record once; half a list is an error. A list whose records are deleted or moved meanwhile is read
  again; records that are added meanwhile may be left out. Not noticed: one record of an earlier page is deleted and another added
  between two pages, so that the count does not fall. Before you act on what a list of several pages lacks, get that record by itself.
- Errors have types: \`Refused\` is \`<Status>ERROR</Status>\` with its words, then \`NotFound\`, \`NotAuthorised\`, \`RateLimited\`,
  \`Unavailable\`, \`UnusableAnswer\`, \`InvalidCall\`, \`GrantLost\`, \`RefreshFailed\`.
`;

function table(methods: readonly ClientMethod[]): string {
  const rows = methods.map(
    ({ method, calls }) => `| \`${method.id}\` | ${cell(method.summary)} | ${calls ?? ''} |\n`,
  );
  return `## Methods\n\n| method | | calls counted |\n|---|---|---|\n${rows.join('')}`;
}

const tests = (cases: number): string =>
  [
    '## Its tests\n\n`php test/run.php`.',
    cases === 0
      ? 'They hold the promises above. There is no recorded call of the account: `causeway record ACCOUNT --for 1h`, then write the client again, and its calls are tests too.\n'
      : `They hold the promises above, and play ${counted(cases, 'recorded call')} of the account (\`test/cases\`, names and texts masked): the client must ask V3 for the same and give what the bridge gave.\n`,
  ].join(' ');
