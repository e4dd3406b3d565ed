/**
 * `node scripts/bench/profile.ts`: where the processor time of the heaviest loads is spent, according to V8's sampling
 * profiler (`--cpu-prof`): small replies with the crosswalk, the same for many accounts in turn, and long lists. Prints
 * a table of shares for each; the profiles, which any flame graph viewer opens, stay in the folder named on the command
 * line.
 */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { withServers } from './bench.ts';
import { listLegacy } from './documents.ts';
import { table } from './figures.ts';
import { fetchOneByOne, saturate } from './load.ts';
import { commit, machine } from './row.ts';
import { accountKey, API_KEY, seed } from './seed.ts';
import { startBridge, startUpstream } from './servers.ts';
import { inTurnOf, legacyCall } from './small-reply.ts';

interface Profile {
  readonly nodes: readonly {
    readonly id: number;
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number };
  }[];
  readonly samples: readonly number[];
  readonly timeDeltas: readonly number[];
}

/** The groups of samples; the first that fits counts. */
const groups: readonly (readonly [name: string, fits: RegExp])[] = [
  ['garbage collection', /^\(garbage collector\)/],
  ['system calls, HTTP parser and other native code', / :0$/],
  ['node:http and streams', / node:(?:_http|internal\/(?:http|streams)|net|events|_stream|timers|internal)/],
  ['undici', /node_modules\/undici\//],
  ['other packages', /node_modules\//],
  ['HTTP entry of legacy calls', /src\/http\//],
  ['accounts and routing', /src\/(?:features\/accounts|proxy\/(?:routing|fast-path|call))/],
  ['shared reads', /src\/proxy\/sparing\//],
  ['scanner of replies', /src\/proxy\/forward\//],
  ['identifiers', /src\/(?:mapping\/crosswalk|proxy\/identifiers)/],
  ['rate limit, tokens, connections', /src\/(?:upstream|tokens)\//],
  ['log, usage, metrics', /src\/(?:lib\/log|features\/usage|app)\//],
  ['other code of the bridge', /src\//],
  ['other', /./],
];

const CLIENTS = 6_000;
const ACCOUNTS = 500;
const FUNCTIONS = 10;

const folder = mkdtempSync(join(tmpdir(), 'causeway-profile-'));
const kept = resolve(process.argv[2] ?? join(folder, 'profiles'));
mkdirSync(kept, { recursive: true });
console.log(`${machine()}; commit ${commit()}\n`);
try {
  console.log(
    await profiled('small replies with the crosswalk', { clients: 2 }, (origin) =>
      saturate({ origin, ...legacyCall(accountKey(0)) }, 20_000),
    ),
  );
  console.log(
    await profiled(`small replies of ${ACCOUNTS} accounts in turn`, { accounts: ACCOUNTS }, (origin) =>
      saturate({ origin, ...inTurnOf(ACCOUNTS) }, 20_000),
    ),
  );
  const path = (): string => `/client.api/list?apiKey=${API_KEY}&accountKey=${accountKey(0)}`;
  console.log(
    await profiled('lists of 6,000 clients with the crosswalk', { clients: CLIENTS }, (origin) =>
      fetchOneByOne({ origin, path, body: listLegacy(CLIENTS) }, 30),
    ),
  );
} finally {
  rmSync(folder, { recursive: true });
}

async function profiled(
  name: string,
  { accounts = 1, clients = 0 }: { readonly accounts?: number; readonly clients?: number },
  load: (origin: string) => Promise<void>,
): Promise<string> {
  const own = join(kept, name.replaceAll(/\W+/g, '-'));
  mkdirSync(own, { recursive: true });
  await withServers(async (keep) => {
    const upstream = await keep(startUpstream(folder, Math.max(1, clients)));
    const seeded = await seed({ folder, name: `profile-${accounts}-${clients}`, accounts, clients });
    const identifiers = clients === 0 ? 'number' : 'uuid';
    const nodeOptions = ['--cpu-prof', `--cpu-prof-dir=${own}`];
    const settings = { folder, upstream, seeded, name: 'bridge', identifiers, nodeOptions } as const;
    await load((await keep(startBridge(settings))).origin);
  });
  // The launcher leaves a short profile of its own.
  const [file] = readdirSync(own)
    .filter((one) => one.endsWith('.cpuprofile'))
    .sort((one, other) => statSync(join(own, other)).size - statSync(join(own, one)).size);
  if (file === undefined) throw new Error('the bridge has left no profile');
  return `## ${name}\n\n${sharesOf(JSON.parse(readFileSync(join(own, file), 'utf8')) as Profile)}\n`;
}

/** The shares of groups and of single functions in the time in which the process was not idle. */
function sharesOf({ nodes, samples, timeDeltas }: Profile): string {
  const names = new Map(
    nodes.map(({ id, callFrame: { functionName, url, lineNumber } }) => [
      id,
      `${functionName || '(anonymous)'} ${url.replace(/^file:\/\/.*?\/(?=src\/|node_modules\/)/, '')}:${lineNumber + 1}`,
    ]),
  );
  const [byGroup, byFunction] = [new Map<string, number>(), new Map<string, number>()];
  let busy = 0;
  for (const [at, id] of samples.entries()) {
    const name = names.get(id) ?? '';
    if (name.startsWith('(idle)')) continue;
    const micros = timeDeltas[at] ?? 0;
    busy += micros;
    const group = groups.find(([, fits]) => fits.test(name))?.[0] ?? 'other';
    byGroup.set(group, (byGroup.get(group) ?? 0) + micros);
    byFunction.set(name, (byFunction.get(name) ?? 0) + micros);
  }
  const rows = (of: ReadonlyMap<string, number>, most: number): readonly (readonly string[])[] =>
    [...of]
      .sort(([, one], [, other]) => other - one)
      .slice(0, most)
      .map(([name, micros]) => [name.replaceAll('|', '\\|'), `${((100 * micros) / busy).toFixed(1)} %`]);
  return `${table(['where', 'share'], rows(byGroup, groups.length))}\n\n${table(['function', 'share'], rows(byFunction, FUNCTIONS))}`;
}
