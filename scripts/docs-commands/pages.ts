/**
 * The pages whose commands `scripts/docs-commands.ts` runs on a demo, in this order, with their preconditions,
 * replacements and expectations. `scripts/docs/shell-blocks.ts` selects their blocks. Common replacements (addresses,
 * token, `npx causeway`) are in `demo-place.ts`.
 */
import type { Expectation, Replacement } from './block.ts';

/** A page and how its commands are run. */
export interface PageRun {
  readonly page: string;
  /** Commands that create what the page presupposes. */
  readonly before?: readonly string[];
  readonly replaced?: readonly Replacement[];
  readonly expected?: readonly Expectation[];
  /** A text of those blocks whose first command prints the output that the page shows after them. */
  readonly shown?: readonly string[];
  /** On a database and ports of their own, without a running bridge. */
  readonly elsewhere?: true;
  /** With an empty PostgreSQL server: `$PGURL` is a database of it, and its tools find it by themselves. */
  readonly postgresql?: true;
}

/** `legacy DIGIT PATH` is a legacy call of the account whose key ends with the digit. */
const oldMillCalls = [
  'for n in 1 2 3; do legacy 3 client.api/list; legacy 3 staff.api/list; done',
  // Calls are counted within seconds.
  'until causeway usage "Old Mill Engineering" | grep staff.list >/dev/null; do sleep 1; done',
];

/** One client; the operator confirms the consent; then V3 gives the client a different name from V1. */
const kauriDiffers = [
  `legacy 5 client.api/add -d '<Client><Name>Kauri Client</Name></Client>'`,
  `NUMBER=$(legacy 5 client.api/list | sed -n 's/.*<Client><ID>\\([0-9]*\\).*/\\1/p')`,
  'legacy 5 "client.api/get/$NUMBER"',
  'until causeway usage "Kauri Lane Joinery" | grep client.get >/dev/null; do sleep 1; done',
  fault(
    '{"on": {"surface": "v3", "operation": "client.get"}, "do": "alter", "times": 1000, "rule": {"change": "value", "element": "Name", "at": 0, "to": "Kauri Klient"}}',
  ),
  'causeway consents confirm "Kauri Lane Joinery" --yes',
];

/** Two calls that add a client are carried out but not answered, and the bridge cannot look them up. */
const twoUnknown = [
  // Another page may have tried them on V2.
  "causeway route set 'client.*' v3 --account 'Harbour Lane Studio' --yes",
  // A running bridge applies it within a second.
  'sleep 2',
  fault('{"on": {"surface": "v3", "operation": "client.add"}, "do": "reset-after", "times": 2}'),
  fault(
    '{"on": {"surface": "v3", "operation": "client.list"}, "do": "status", "status": 503, "times": 1000}',
  ),
  ...['First', 'Second'].map(
    (name) => `! legacy 1 client.api/add -d '<Client><Name>${name} Client</Name></Client>'`,
  ),
  // The newest comes first.
  `causeway writes list --format json | sed -n 's/.*"id": "\\(.*\\)".*/\\1/p' > ids`,
  `legacy 1 client.api/search -G -d query=First | sed -n 's/.*<Client><ID>\\([0-9]*\\).*/\\1/p' > number`,
];

/** A backup of a database on PostgreSQL with one account. */
const dumped = [
  'export CAUSEWAY_DATABASE_URL="$PGURL"',
  'causeway migrate',
  `printf 'name,email,apiKey,accountKey\\nDumped Studio,owner@dumped.example,0123456789ABCDEF0123456789ABCDEF,D0000000000000000000000000000001\\n' > accounts.csv`,
  'causeway accounts import accounts.csv',
  'causeway backup /backups/causeway.dump',
];

function fault(json: string): string {
  return `curl -X POST http://127.0.0.1:8090/_sandbox/faults -H 'Content-Type: application/json' -d '${json}'`;
}

const onlyHere = 'the demo has no address that customers reach';
const nothingDone = { code: 1, why: 'without --yes nothing is done' };

/** Every page that is run. */
export const pageRuns: readonly PageRun[] = [
  { page: 'README.md', expected: [{ holds: 'curl', prints: /<Status>OK<\/Status>/ }] },
  {
    page: 'docs/support/calls.md',
    before: [
      `legacy 1 client.api/list -D - -o /dev/null | tr -d '\\r' | sed -n 's/^X-Request-Id: //ip' > id`,
      `until curl -H "Authorization: Bearer $TOKEN" "$BRIDGE/_causeway/api/accounts/Harbour%20Lane%20Studio/calls?request=$ID" | grep client.list; do sleep 1; done`,
      // The command reads what the bridge has stored, within ten seconds.
      'until causeway find "$ID" >/dev/null; do sleep 1; done',
    ],
    replaced: [
      ['Northgate%20Legal', 'Harbour%20Lane%20Studio'],
      ['Northgate Legal', 'Harbour Lane Studio'],
      ['$ID', '$(cat id)'],
      ['01a21d81-9df5-7e40-90ab-4ea3d0b01207', '$(cat id)'],
    ],
    expected: [{ holds: 'calls?request=', prints: /client\.list/ }],
  },
  {
    page: 'docs/campaign/usage.md',
    before: oldMillCalls,
    replaced: [
      ['Northgate Legal', 'Old Mill Engineering'],
      [
        '4f0a91c2d7',
        `"$(causeway usage 'Old Mill Engineering' | sed -n 's/^\\([0-9a-f]\\{10\\}\\) .*/\\1/p' | head -n 1)"`,
      ],
    ],
    shown: ['--names'],
  },
  {
    page: 'docs/campaign/forecast.md',
    before: oldMillCalls,
    replaced: [['Northgate Legal', 'Old Mill Engineering']],
    expected: [
      {
        holds: 'forecast',
        prints: /^Old Mill Engineering: .* would have waited\n\s+simulated: \d+ calls from/,
      },
    ],
  },
  {
    page: 'docs/campaign/parity.md',
    before: kauriDiffers,
    replaced: [
      ['Northgate Legal', 'Kauri Lane Joinery'],
      [
        '"v3 client.get Response/Client/Name value"',
        `"$(causeway parity 'Kauri Lane Joinery' --stored | grep '^v3 client' | head -n 1)"`,
      ],
    ],
    expected: [
      { holds: 'parity accept', prints: /1 difference accepted/ },
      { holds: '--json', code: 1, why: 'a client differs', prints: /"verdict":/ },
      { holds: '--html', code: 1, why: 'a client differs' },
      {
        holds: 'parity "Kauri',
        code: 1,
        why: 'a client differs',
        prints: /\d of \d reads? alike; \d differences? to be accepted or resolved/,
      },
      { holds: '--dismiss', code: 1, why: 'only what is flagged can be dismissed', prints: /is not flagged/ },
    ],
  },
  {
    page: 'docs/campaign/leaving.md',
    before: oldMillCalls,
    expected: [{ holds: '--all-methods', prints: /A client in typescript with \d{3} methods/ }],
  },
  {
    page: 'docs/campaign/recordings.md',
    replaced: [
      // Its programs call, and their requests are recorded within seconds.
      [
        '--for 1h ',
        '--for 1h; until causeway record "Old Mill Engineering" | grep "[1-9] calls"; do legacy 3 client.api/list; sleep 1; done ',
      ],
    ],
    expected: [
      { holds: 'record export', prints: /golden files and their seed are in/ },
      { holds: 'replay', prints: /golden files, \d+ calls played: \d+ as recorded/ },
    ],
  },
  {
    page: 'docs/campaign/rehearsal.md',
    expected: [
      { holds: '--json', prints: /"verdict": "(?:overridden|ready|nothing)"/ },
      // Into a file.
      { holds: '--html' },
      { holds: 'rehearse "Old', prints: /calls? alike on V3|no call of its programs/ },
    ],
  },
  {
    page: 'docs/campaign/routes.md',
    expected: [{ holds: 'route canaries', prints: /Harbour Lane Studio .* v2 .* running/ }],
  },
  {
    page: 'docs/campaign/texts.md',
    expected: [
      { holds: 'texts set', prints: /letters\.invitation\.subject is changed in en/ },
      { holds: 'campaign test', prints: /sent to you@example\.com/ },
    ],
  },
  {
    page: 'docs/campaign/status-page.md',
    replaced: [['accounts/Example/', 'accounts/Harbour%20Lane%20Studio/']],
    expected: [{ holds: 'curl', prints: /"page": *"\/_causeway\/status\// }],
  },
  {
    page: 'docs/operate/doctor.md',
    expected: [
      { holds: 'doctor', code: 2, why: onlyHere, prints: /failed +public address: .*\n[^]*ok +clock/ },
    ],
  },
  {
    page: 'docs/operate/backup.md',
    elsewhere: true,
    postgresql: true,
    before: ['here backup /backups/causeway-2026-11-20.db', ...dumped],
    replaced: [
      [
        'causeway_restored /backups/causeway.dump',
        'causeway_restored /backups/causeway.dump && CAUSEWAY_DATABASE_URL="${PGURL%/*}/causeway_restored" causeway accounts list',
      ],
      // The block makes the copy while the bridge runs.
      ['npx causeway backup', 'here backup'],
      ['npm start', 'start'],
    ],
    expected: [
      { holds: 'shows what would be lost', ...nothingDone },
      { holds: 'deployment show', prints: /^DEPLOYMENT/ },
      { holds: 'pg_restore', prints: /Dumped Studio/ },
    ],
  },
  {
    page: 'docs/operate/disaster.md',
    elsewhere: true,
    before: ['here backup /backups/causeway-2026-11-20.db'],
    expected: [
      { holds: 'what would be lost; changes nothing', ...nothingDone },
      { holds: 'accounts list', prints: /Harbour Lane Studio/ },
    ],
  },
  { page: 'docs/operate/upgrade.md' },
  { page: 'docs/campaign/drift.md' },
  {
    page: 'docs/support/unsettled-writes.md',
    before: twoUnknown,
    replaced: [
      ['settle ID --not-done', 'settle $(head -n 1 ids) --not-done'],
      [' ID', ' $(tail -n 1 ids)'],
      ['812', '$(cat number)'],
    ],
    expected: [
      { holds: 'writes list  ', prints: /Harbour Lane Studio +client\.add +v3 +outcome unknown/ },
      { holds: 'writes show', prints: /First Client/ },
    ],
  },
  { page: 'docs/support/console.md', expected: [{ holds: 'tokens create', prints: /cwt_/ }] },
  { page: 'docs/reference/api.md', expected: [{ holds: 'tokens create', prints: /cwt_/ }] },
  { page: 'docs/troubleshoot/messages.md', expected: [{ holds: 'openapi.json', prints: /"openapi"/ }] },
];
