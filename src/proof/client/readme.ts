import { counted } from '../../lib/text/counted.ts';
import type { ClientMethod, ClientPlan } from './client-model.ts';
import { lossWords, oneLine } from './wording.ts';

/** Escapes a text for a cell of a Markdown table. */
const cell = (text: string): string => oneLine(text).replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** The README for the owner of the program. */
export function readmeOf(plan: ClientPlan): string {
  const { methods, cases } = plan;
  return [
    '# Client of the service, without a bridge\n',
    intro(methods),
    run,
    moving,
    grant,
    promises,
    table(methods),
    tests(cases.length),
  ].join('\n');
}

function intro(methods: readonly ClientMethod[]): string {
  const isOfAccount = methods.some(({ calls }) => calls !== undefined);
  const what = isOfAccount ? 'the methods that the programs of one account use' : 'all methods';
  return `Written by \`causeway client\` for ${what} (${methods.length}), with their legacy
names, over V3 (XML) and V2 (JSON) with OAuth. It needs Node 24 or newer and nothing else: no packages, no build. To check its types,
\`tsc\` needs \`typescript\` and \`@types/node\`.
`;
}

const run = `## Use it

\`\`\`ts
import { createClient, FileTokenStore } from './index.ts';

const service = createClient({
  v3Url: 'https://api.example.com/3.0',
  v2Url: 'https://api.example.com/v2',
  authUrl: 'https://auth.example.com',
  organisation: process.env.ORGANISATION ?? '',
  clientId: process.env.CLIENT_ID ?? '',
  clientSecret: process.env.CLIENT_SECRET ?? '',
  tokens: new FileTokenStore('tokens.json'),
});
\`\`\`

Then \`client.get\` is \`service.client.get(uuid)\`. A record has the legacy names of its elements, and their texts in the legacy
form: \`Yes\`, \`2026-11-25T00:00:00\`, \`12.50\`. An \`ID\` holds a UUID.

V2 demands some dates that V3 does not. Where a call has none, this client sends today's: of \`timeZone\` (\`Pacific/Auckland\`), or UTC.
`;

const moving = `## Move a program, method by method

1. Take one method, best a read. Leave all others on the bridge: both may be used at the same time.
2. Where the program keeps numbers, keep UUIDs beside them: \`causeway crosswalk export ACCOUNT\` has the pairs, and so has
   \`uuid.api/maps\` of the bridge. Numbers of jobs, invoices, quotes and orders are text and stay as they are.
3. Call the method here. What was an element of the XML is a property of the same name.
4. Compare for some days with what the bridge gives, then remove the old call.
5. When nothing is left, the account can be closed in the bridge.

V3 answers unless you say otherwise. \`routes: { 'client.get': 'v2', default: 'v3' }\` chooses for methods,
\`service.client.get(uuid, { api: 'v2' })\` for one call. Below is what V2 loses; V2 refuses to write an element it would lose.
`;

const grant = `## Its own grant

A refresh token belongs to one holder: each use gives a new one and ends the one before. Never share the bridge's while both run.

- Best: the customer gives this program consent of its own (authorisation code with PKCE at your \`authUrl\`, your own client id);
  store the first tokens with \`tokens.save\`. The bridge keeps its own grant until you are done.
- Or take the grant over when the last method has moved: \`causeway grants export ACCOUNT --to recipient.pub --output grants.jwe --yes\`
  ends it in the bridge and hands the tokens over, sealed for your key; \`causeway grants open\` reads them, and \`tokens.save\` stores
  them.
`;

const promises = `## What it promises

- One renewal of the token at once; the new pair is stored before it is used. With several processes, write a \`TokenStore\` on your
  database with \`exclusive\` under a row lock; \`FileTokenStore\` is for one process.
- A write is sent once. If its outcome is not known, the error is \`OutcomeUnknown\`: look before you send it again. If its token was
  refused, the error is \`NotAuthorised\`, nothing was changed, and the next call has a new token.
- A read is repeated after a 429 (as long as \`Retry-After\` says), after a token that was refused, and once if the service gave no
  answer. After a 429 nothing else is sent until that time has passed.
- A list is read to its end, each record once; half a list is an error. A list whose records are deleted or moved meanwhile is read
  again; records that are added meanwhile may be left out. Not noticed: one record of an earlier page is deleted and another added
  between two pages, so that the count does not fall. Before you act on what a list of several pages lacks, get that record by itself.
- Errors have types: \`Refused\` is \`<Status>ERROR</Status>\` with its words, then \`NotFound\`, \`NotAuthorised\`, \`RateLimited\`,
  \`Unavailable\`, \`UnusableAnswer\`, \`NotOnV2\`, \`InvalidCall\`, \`GrantLost\`, \`RefreshFailed\`.
`;

function table(methods: readonly ClientMethod[]): string {
  const rows = methods.map(({ method, calls, missed }) => {
    const lost = [...missed.map((text) => `This account: ${oneLine(text)}.`), ...lossWords(method)];
    const v2 = method.v2?.way === 'steps' ? `grade ${method.v2.grade}` : 'no';
    return `| \`${method.id}\` | ${calls ?? ''} | ${v2} | ${cell(lost.join(' ') || '—')} |\n`;
  });
  return `## Methods\n\nWhere it speaks of values from before the move, the bridge kept them; this client has none.\n\n| method | calls counted | on V2 | what V2 loses |\n|---|---|---|---|\n${rows.join('')}`;
}

const tests = (cases: number): string =>
  [
    '## Its tests\n\n`node --test` in this folder.',
    cases === 0
      ? 'They hold the promises above. There is no recorded call of the account: `causeway record ACCOUNT --for 1h`, then write the client again, and its calls are tests too.\n'
      : `They hold the promises above, and play ${counted(cases, 'recorded call')} of the account (\`test/cases\`, names and texts masked) on V3, and on V2 where the bridge could: the client must ask for the same and give what the bridge gave.\n`,
  ].join(' ');
