import type { Mapping } from '../../src/mapping/compile/model.ts';
import { EVERY_ACCOUNT } from '../../src/mapping/routes/routes.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { clockFrom } from '../support/clock.ts';
import { RunningSandbox } from '../support/sandbox.ts';
import type { Table } from './case.ts';
import { methodOf } from './losses.ts';
import { Program, type Keys, type SourceOf } from './program.ts';

export const API_KEY = '0123456789ABCDEF0123456789ABCDEF';

/** One way from a legacy program to the service, opened on a fresh seed. */
export interface Lane {
  readonly name: string;
  /** What its cases show, to stand in front of theirs. */
  readonly answering: string;
  open(table: Table): Promise<OpenLane>;
}

export interface OpenLane {
  readonly program: Program;
  /** What the service complained of inside; nothing where all is well. */
  complaints(): readonly string[];
  /** The methods of which a call took the fast path. */
  fast(): Promise<readonly string[]>;
  /** Reads that were answered by what was kept of others: `staff.api/list`. */
  kept(): ReadonlySet<string>;
  /** Verb and path of every call the service has seen. */
  upstream(): Promise<readonly string[]>;
  close(): Promise<void>;
}

const callsSeenBy = async (sandbox: RunningSandbox): Promise<readonly string[]> =>
  (await sandbox.requests()).map(({ method, path }) => `${method} ${path}`);

interface SeedOf {
  readonly name: string;
  readonly accountKey: string;
  readonly practice?: string;
  readonly users: readonly { readonly name: string }[];
}

const seedsOf = (table: Table): readonly SeedOf[] => table.seed as unknown as readonly SeedOf[];

/** Account keys by organisation; a table without one has the studio alone. */
function keysOf(table: Table): Keys {
  const [studio, practice, australia] = seedsOf(table).map(({ accountKey }) => accountKey);
  return { apiKey: API_KEY, accounts: { studio, practice, australia } };
}

const START = '2026-11-20T09:30:00Z';

/** As if the limits were far away: how the budget is kept is another suite's affair. */
const protocol = { limits: { perMinute: null } };

/** A service that answers otherwise, and the mapping and the profile for it. */
export interface Altered {
  readonly faults: readonly object[];
  readonly mapping: Mapping;
  /** By part, as its file has it. */
  readonly profile: Readonly<Record<string, object>>;
}

async function openSandbox(table: Table, port: number, faults: readonly object[] = []) {
  const clock = clockFrom(START);
  const redirectUris = [`http://127.0.0.1:${String(port)}/_causeway/callback`];
  const sandbox = await RunningSandbox.start({ clock, protocol, redirectUris });
  await sandbox.seed(table.seed);
  for (const fault of faults) await sandbox.control('POST', 'faults', fault);
  return { clock, sandbox };
}

/** What V1 answers otherwise is not held against the cases' own words. */
export async function openDirect(table: Table, faults: readonly object[] = []): Promise<OpenLane> {
  const { sandbox } = await openSandbox(table, 1, faults);
  const checks = faults.length === 0;
  const way = { root: `${sandbox.url}/v1/`, source: undefined, links: sandbox.url, checks };
  const program = new Program(way, keysOf(table), table);
  return {
    program,
    complaints: () => sandbox.complaints,
    fast: async () => [],
    kept: () => program.kept,
    upstream: () => callsSeenBy(sandbox),
    close: async () => {
      program.close();
      await sandbox.close();
    },
  };
}

const direct: Lane = {
  name: "the service's V1 itself",
  answering: "the service's V1 itself answers as the document says",
  open: (table) => openDirect(table),
};

/** `v2`: V2 alone, and what has no place in it is left out. `both`: V3 serves what V2 would not serve whole. */
type Behind = 'v1' | 'v2' | 'v3' | 'both';

/** Answers that rarely change, and the list of clients, are kept. */
const KEEPING = { CAUSEWAY_CACHE_SECONDS: '86400', CAUSEWAY_REPLICA_HOURS: '24' };

interface Settings {
  readonly behind: Behind;
  readonly identifiers: 'uuid' | 'number';
  readonly keeps?: boolean;
}

/** Opens a lane with a bridge; `altered`: in front of a service that answers otherwise. */
export async function openBridge(
  table: Table,
  { behind, identifiers, keeps = false }: Settings,
  altered?: Altered,
): Promise<OpenLane> {
  const hasV2 = behind === 'v2' || behind === 'both';
  const port = await freePort();
  const { clock, sandbox } = await openSandbox(table, port, altered?.faults);
  for (const { id } of (await sandbox.control('GET', 'organisations')) as readonly { readonly id: string }[])
    await sandbox.control('POST', `organisations/${id}`, { v3Identifiers: identifiers });
  const v3 = { identifiers, pageSizes: { default: 100 }, standsInForV2: behind !== 'v2' };
  const profile = {
    ...(altered && { v2: altered.profile.v2 }),
    limits: { ...altered?.profile.limits, perMinute: 1_000_000 },
    v3: { ...v3, ...altered?.profile.v3, standsInForV2: v3.standsInForV2 },
  };
  const env = {
    ...(hasV2 && { CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2` }),
    ...(keeps && KEEPING),
    ...(behind === 'v2' && { CAUSEWAY_LOSSY_WRITES: 'drop' }),
  };
  const bridge = await RunningBridge.start({
    port,
    sandbox: sandbox.url,
    clock,
    profile,
    env,
    ...(altered && { mapping: altered.mapping }),
  });
  for (const { name, accountKey, practice, users } of seedsOf(table)) {
    await bridge.add({ name, accountKey, apiKey: API_KEY, product: practice ? 'practice' : 'standard' });
    if (behind !== 'v1') await bridge.migrate(name, users[0]?.name ?? '');
  }
  if (hasV2) await routeToV2(bridge);
  // In pass-through the bytes are V1's own, its links too.
  const way = {
    root: `${bridge.url}/`,
    source: sourceOf(behind, bridge, seedsOf(table)),
    links: behind === 'v1' ? sandbox.url : bridge.url,
    isTwice: !hasV2,
    keeps,
    checks: !hasV2 && altered === undefined, // by what V1 answered, which has been checked, without what V2 loses
  };
  const program = new Program(way, keysOf(table), table);
  return {
    program,
    complaints: () => [
      ...sandbox.complaints,
      ...bridge.lines.filter((line) => line.includes('"level":"error"')),
    ],
    fast: async () => {
      const figures = await (await fetch(bridge.metrics)).text();
      return [...figures.matchAll(/^causeway_fast_calls_total\{method="([^"]+)"\}/gm)].map(
        ([, id = '']) => id,
      );
    },
    kept: () => program.kept,
    upstream: () => callsSeenBy(sandbox),
    close: async () => {
      program.close();
      await bridge.stop();
      await sandbox.close();
    },
  };
}

/** Every method that has a V2 way. */
const routeToV2 = ({ services: { mapping, store } }: RunningBridge): Promise<void> =>
  store.routes.set(
    mapping.methods.flatMap(({ id, v2 }) => (v2?.way === 'steps' ? [id] : [])),
    EVERY_ACCOUNT,
    'v2',
    'test',
  );

function sourceOf(behind: Behind, bridge: RunningBridge, seeds: readonly SeedOf[]): SourceOf {
  if (behind === 'both') return () => undefined;
  return behind === 'v2' ? sourceIn(bridge, seeds) : () => behind;
}

/** What has no V2 way goes to V3, and so does a practice organisation, which has no V2. */
function sourceIn({ services }: RunningBridge, seeds: readonly SeedOf[]): SourceOf {
  const practices = (['studio', 'practice', 'australia'] as const).filter(
    (_, index) => seeds[index]?.practice,
  );
  return (call, organisation) =>
    !practices.includes(organisation) && methodOf(services.mapping, call)?.v2?.way === 'steps' ? 'v2' : 'v3';
}

export const V2_LANE = 'the bridge in front of V2';
export const BOTH_LANE = 'the bridge in front of V2, with V3 for what V2 would lose';

const answersAsV1 = (name: string): Pick<Lane, 'name' | 'answering'> => ({
  name,
  answering: `${name} answers as V1 does`,
});

const answersButForLosses = (name: string): Pick<Lane, 'name' | 'answering'> => ({
  name,
  answering: `${name} answers as V1 does, but for what the loss report names`,
});

/** In front of a V3 that answers with the numbers of V1, and with everything kept that can be. */
export const KEEPING_LANE = 'the bridge in front of a V3 with numbers, with answers kept';

export const lanes: readonly Lane[] = [
  direct,
  {
    ...answersAsV1('the bridge in pass-through'),
    open: (table) => openBridge(table, { behind: 'v1', identifiers: 'uuid' }),
  },
  {
    ...answersAsV1(KEEPING_LANE),
    open: (table) => openBridge(table, { behind: 'v3', identifiers: 'number', keeps: true }),
  },
  {
    ...answersAsV1('the bridge in forward'),
    open: (table) => openBridge(table, { behind: 'v3', identifiers: 'uuid' }),
  },
  {
    ...answersButForLosses(V2_LANE),
    open: (table) => openBridge(table, { behind: 'v2', identifiers: 'uuid' }),
  },
  {
    ...answersButForLosses(BOTH_LANE),
    open: (table) => openBridge(table, { behind: 'both', identifiers: 'uuid', keeps: true }),
  },
];
