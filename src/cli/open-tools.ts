import { applicationsInForce } from '../app/tools/applications.ts';
import { Resolver } from 'node:dns/promises';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { loadMapping } from '../mapping/compile/compile.ts';
import { MappingFaults } from '../mapping/compile/fault.ts';
import type { Mapping } from '../mapping/compile/model.ts';
import { isWritten } from '../mapping/written-elements.ts';
import type { CliParts, MappingSummary } from './parts.ts';
import { silentLog, type Log } from '../lib/log/log.ts';
import { Refusal, type Terminal } from '../lib/log/terminal.ts';
import { ConfigurationFault, describeSettings, readSettings } from '../app/settings/settings.ts';
import { gather } from '../app/settings/sources.ts';
import { isDemoRunning, withDemoSettings } from '../app/settings/demo-settings.ts';
import { SECOND, systemClock, type Clock } from '../lib/time/clock.ts';
import type { Archive } from '../features/backup/archive.ts';
import { openArchive } from '../features/backup/archive-repository.ts';
import { checksOf } from '../app/doctor/checks.ts';
import { examine } from '../app/doctor/examine.ts';
import { checkKeysBeforeMigration } from '../app/doctor/startable.ts';
import type { Finding } from '../app/doctor/model.ts';
import { noteBackup } from '../app/doctor/last-backup.ts';
import { KeyRing, newKeyLine } from '../tokens/sealing/keyring.ts';
import { planMigration } from '../app/migration.ts';
import { openStore } from '../app/store.ts';
import { IN_MEMORY } from '../lib/text/sqlite-address.ts';
import { MappingAdmin } from '../app/tools/mappings.ts';
import { replayFolder } from '../app/tools/recording.ts';
import { fetchStatusReport } from '../app/tools/remote-report.ts';
import { versionOf } from '../lib/version.ts';
import type { Probe } from '../app/tools/probe.ts';
import { openTools } from '../app/tools/tools.ts';
import type { Surroundings } from '../app/wiring/services.ts';
import { routed } from '../app/wiring/routed.ts';
import type { Settings } from '../app/settings/model.ts';

/**
 * Creates the parts of `causeway`. Reads nothing before a command needs it. `given`: a compiled mapping, or a
 * clock in place of the machine's.
 */
export function cliParts(
  terminal: Terminal,
  env: NodeJS.ProcessEnv,
  given: Pick<Partial<Surroundings>, 'mapping' | 'clock'> = {},
): CliParts {
  const { clock = systemClock } = given;
  const settingsInForce = async (): Promise<NodeJS.ProcessEnv> => {
    const inForce = await withDemoSettings(env);
    if (inForce !== env && !isDemoRunning(inForce))
      terminal.err(`note: ${DEMO_NOTICE}, and that demo is not running\n`);
    return inForce;
  };
  return {
    version: versionOf(project),
    terminal,
    openTools: async () =>
      openTools(readSettings({ env: await settingsInForce() }), { log: logOn(terminal), ...given }),
    async openArchive() {
      const settings = readSettings({ env: await settingsInForce() });
      const url = settings.database.reveal();
      const direct = settings.directDatabase?.reveal() ?? url;
      return noted(url, await openArchive(direct, KeyRing.parse(settings.encryptionKeys), env));
    },
    async planMigration() {
      return planMigration(readSettings({ env: await settingsInForce() }).database.reveal());
    },
    async probe() {
      const settings = readSettings({ env: await settingsInForce() });
      return probeUnchanged(settings, { log: logOn(terminal), ...given });
    },
    async examineProduction(dkimSelector) {
      return examineAll(await settingsInForce(), clock, dkimSelector);
    },
    now: () => clock.now(),
    start() {
      const launcher = join(import.meta.dirname, '..', 'launch.js');
      process.execve?.(process.execPath, [process.execPath, launcher, 'main.ts'], env);
      throw new Refusal('this system cannot start the bridge this way; use node src/launch.js main.ts');
    },
    checkConfig: () => checkConfig(env),
    ...mappingParts(env),
    fetchStatusReport,
    newKey: newKeyLine,
  };
}

/** Runs every check of production. Throws `ConfigurationFault`. */
function examineAll(
  env: NodeJS.ProcessEnv,
  clock: Clock,
  dkimSelector: string | undefined,
): Promise<readonly Finding[]> {
  const settings = readSettings({ env });
  return examine(checksOf(settings), {
    settings,
    env,
    now: () => clock.now(),
    resolver: new Resolver({ timeout: 3 * SECOND, tries: 2 }),
    ca: undefined,
    dkimSelector,
  });
}

/** A database that a start would create or migrate is left as it is: an empty one in memory takes its place. */
async function probeUnchanged(settings: Settings, given: Partial<Surroundings>): Promise<readonly Probe[]> {
  const { steps, version } = await planMigration(settings.database.reveal());
  const isReady = steps.length === 0;
  // The database in memory accepts every key; the start would not.
  if (!isReady && version > 0) await checkKeysBeforeMigration(settings);
  const tools = await openTools(settings, isReady ? given : { ...given, store: await openStore(IN_MEMORY) });
  const state = version === 0 ? 'has no tables yet' : `has the schema ${version}, which is too old`;
  const detail = `it ${state}; the bridge changes that when it starts, and no account is looked at before`;
  try {
    return [...(isReady ? [] : [{ what: 'database', good: true, detail }]), ...(await tools.probe())];
  } finally {
    await tools.close();
  }
}

/** A person at the terminal learns why nothing happens or what failed, and nothing else that a bridge would log. */
const logOn = (terminal: Terminal): Log => ({
  ...silentLog,
  error(event, fields) {
    if (event === 'admin.failed')
      terminal.err(`note: ${String(fields?.action)} failed: ${String(fields?.error)}\n`);
  },
  warn(event, fields) {
    if (event === 'migration.waits') terminal.err(`note: waiting: ${String(fields?.reason)}\n`);
  },
});

const DEMO_NOTICE = 'no settings are given here, so those of the demo are used';

/** The settings in force, without their secrets, if a bridge could start with them. Throws `ConfigurationFault`. */
async function checkConfig(env: NodeJS.ProcessEnv): ReturnType<CliParts['checkConfig']> {
  const inForce = await withDemoSettings(env);
  const settings = readSettings({ env: inForce });
  const mapping = mappingFor(settings);
  const demo = inForce === env ? [] : [DEMO_NOTICE];
  const unknown = (settings.lossyWrites.named ?? []).filter((element) => !isWritten(mapping, element));
  return {
    settings: [...describeSettings({ env: inForce }), ...applicationsInForce(settings)],
    notices: [
      ...demo,
      ...settings.notices,
      ...unknown.map((element) => `CAUSEWAY_LOSSY_WRITES: no write has the element ${element}`),
    ],
  };
}

/** The mapping with its default routes, as at the start. Throws `ConfigurationFault`. */
function mappingFor({ mappings, profile, routes }: Settings): Mapping {
  try {
    return routed(loadMapping(mappings, profile.v3.identifiers), routes);
  } catch (error) {
    if (!(error instanceof MappingFaults)) throw error;
    throw new ConfigurationFault(
      error.faults.map(({ file, line, rule }) =>
        file === 'CAUSEWAY_ROUTES' ? `${file}: ${rule}` : `CAUSEWAY_MAPPINGS: ${file}:${line}: ${rule}`,
      ),
    );
  }
}

/** The parts that need only mapping files, without settings or a database. */
const mappingParts = (
  env: NodeJS.ProcessEnv,
): Pick<CliParts, 'checkMappings' | 'showMapping' | 'tryMapping' | 'replay'> => ({
  checkMappings: async (folder) => checkMappings(folder ?? (await folderOf(env))),
  showMapping: async (method, folder) => new MappingAdmin(folder ?? (await folderOf(env))).show(method),
  tryMapping: async (method, sample, folder) =>
    new MappingAdmin(folder ?? (await folderOf(env))).try(method, sample),
  replay: async (folder, given, progress) => replayFolder(folder, given ?? (await folderOf(env)), progress),
});

/** A finished backup is valuable even if its time cannot be recorded. */
const noted = (url: string, archive: Archive): Archive => ({
  async backup(file, options) {
    const made = await archive.backup(file, options);
    await noteBackup(url, options.now).catch(() => undefined);
    return made;
  },
  stage: (file) => archive.stage(file),
});

const project = join(import.meta.dirname, '..', '..');

/** Works before anything else is configured. Throws `ConfigurationFault` if the file of settings cannot be read. */
async function folderOf(env: NodeJS.ProcessEnv): Promise<string> {
  const { given, faults } = gather(await withDemoSettings(env), (path) => readFileSync(path, 'utf8'));
  const unread = faults.filter((fault) => fault.startsWith('CAUSEWAY_CONFIG'));
  if (unread.length > 0) throw new ConfigurationFault(unread);
  return given.get('CAUSEWAY_MAPPINGS')?.text ?? join(project, 'mappings');
}

function checkMappings(folder: string): Awaited<ReturnType<CliParts['checkMappings']>> {
  try {
    const counts = new Map<string, number>();
    const { methods, local, digest } = loadMapping(folder);
    for (const { id } of [...methods, ...local]) {
      const family = id.slice(0, id.indexOf('.'));
      counts.set(family, (counts.get(family) ?? 0) + 1);
    }
    return {
      families: Array.from(counts, ([family, count]): MappingSummary => ({ family, methods: count })),
      faults: [],
      digest,
    };
  } catch (error) {
    if (error instanceof MappingFaults)
      return { families: [], faults: error.message.split('\n'), digest: '' };
    throw error;
  }
}
