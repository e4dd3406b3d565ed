/**
 * The demo: sandbox, mailbox and bridge as separate processes, with five accounts at different stages.
 *
 * `start` refuses a database that the demo did not create, takes a lock on its folder, checks that the ports
 * are free, starts the processes and seeds them. A mark in the database records that the demo created it;
 * only such a database is ever erased. `--keep` reuses the data of the last run. `stop` ends the bridge
 * first, because it may still have something to send to the sandbox.
 */
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Settings } from '../app/settings/model.ts';
import { readSettings } from '../app/settings/settings.ts';
import { openStore } from '../app/store.ts';
import { openTools } from '../app/tools/tools.ts';
import { seedCampaign } from './campaign/seed-campaign.ts';
import { Child } from './child.ts';
import { DemoClock } from './clock/demo-clock.ts';
import type { Move } from './clock/moves.ts';
import { OneClock } from './clock/one-clock.ts';
import { SandboxControl } from './control.ts';
import { systemClock } from '../lib/time/clock.ts';
import { Secret } from '../lib/secret/secret.ts';
import { DEMO_MARK, erase, eraseFile, ownership } from '../db/ownership.ts';
import { environmentText, readEnvironment } from '../lib/environment-file.ts';
import { awaiting, consentAndMove, seedDemo, invitationArrived, links, type SeedParts } from './seed/seed.ts';
import { guide } from './guide.ts';
import { FileLock } from '../db/file-lock.ts';
import { demoOrganisations, type DemoOrganisations } from './seed/organisations.ts';
import { within } from '../lib/time/within.ts';
import { DEMO_FOLDER, demoPlace, type DemoPlace } from '../app/settings/demo-place.ts';
import { childEnvironment, planDemo, timeSettings, type DemoPlan } from './plan.ts';
import { takenPorts } from './ports.ts';
import type { DemoOptions } from './options.ts';

const modules = {
  sandbox: 'sandbox/main.ts',
  mailbox: 'demo/mailbox/main.ts',
  bridge: 'main.ts',
  'clocked bridge': 'demo/clock/bridge.ts',
} as const;

type Part = 'sandbox' | 'mailbox' | 'bridge';

/** Number of accounts of the demo without a campaign. */
const TOLD = 5;

/** Without its processes, a start ends by itself, but not always at once. In milliseconds. */
const LONGEST_END = 3_000;

const MOVED =
  'the clock of this demo has been moved, and its data belongs to that time: add --clock, or leave out --keep to start over';

/** The demo cannot start; the text is for the person who started it. */
export class CannotStart extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'CannotStart';
  }
}

/** One run of the demo. */
export class Demo {
  readonly #env: NodeJS.ProcessEnv;
  readonly #options: DemoOptions;
  readonly #organisations: DemoOrganisations;
  readonly #children: Child[] = [];
  #starting: Promise<string> | undefined;
  #isStopping = false;
  #lock: FileLock | undefined;

  constructor(options: DemoOptions, env: NodeJS.ProcessEnv) {
    this.#options = options;
    this.#organisations = demoOrganisations(options.clients);
    this.#env = env;
  }

  /**
   * Starts everything; resolves with the text for the user. Throws `CannotStart` and the errors of the parts.
   */
  start(): Promise<string> {
    return (this.#starting = this.#startAll());
  }

  async #startAll(): Promise<string> {
    const { plan, fresh } = await this.#prepare();
    const control = new SandboxControl(plan.sandbox);
    const offset = await this.#start(plan, control, fresh);
    const clock = new DemoClock(systemClock, offset);
    const tools = await openTools(readSettings({ env: plan.bridgeSettings }), { clock });
    try {
      return await this.#seeded(plan, { control, tools, organisations: this.#organisations }, fresh, offset);
    } finally {
      await tools.close();
    }
  }

  /** Starts sandbox and mailbox; returns by how many milliseconds the clock of the data is ahead. */
  async #start(plan: DemoPlan, control: SandboxControl, fresh: boolean): Promise<number> {
    const sandbox = this.#child(plan, 'sandbox');
    // New data is at the present time, so the mailbox need not wait to learn an offset.
    const mailbox = fresh ? this.#child(plan, 'mailbox') : undefined;
    const started = await Promise.allSettled([sandbox, mailbox]);
    for (const one of started) if (one.status === 'rejected') throw one.reason;
    const { offset } = await control.clock();
    if (offset !== 0 && !this.#options.clock) throw new CannotStart(MOVED);
    if (!fresh) await this.#child(plan, 'mailbox', offset);
    return offset;
  }

  /** Rejects if one of the processes ends by itself; never resolves. */
  get died(): Promise<never> {
    return Promise.race(this.#children.map(({ died }) => died));
  }

  /** Ends the processes in reverse order of their start, and releases the lock. A start ends, too. */
  async stop(): Promise<void> {
    this.#isStopping = true;
    for (const child of this.#children.toReversed()) await child.stop();
    if (this.#starting !== undefined) await within(LONGEST_END, this.#starting).catch(() => undefined);
    this.#lock?.release();
  }

  async #seeded(plan: DemoPlan, seedParts: SeedParts, fresh: boolean, offset: number): Promise<string> {
    const { organisations } = seedParts;
    if (fresh) await this.#seed(plan, seedParts);
    await this.#child(plan, 'bridge', offset);
    if (this.#options.clock) this.#joinClocks(plan, seedParts.control);
    if (fresh) await consentAndMove(seedParts, plan.bridgeSettings.CAUSEWAY_CUTOVER === 'manual');
    // A mailbox keeps nothing when it ends: after `--keep` the invitation is no longer in it.
    const mailed = fresh && plan.mailStaysHere ? [organisations.oldMill] : [];
    for (const organisation of mailed) await invitationArrived(plan.mailbox, organisation);
    return guide(plan, organisations, {
      mailed,
      links: await links(seedParts, mailed),
      awaiting: await awaiting(seedParts),
      isTokenOver: await isTokenOver(plan, seedParts),
      clocked: this.#options.clock,
      accounts: fresh ? this.#options.accounts : undefined,
    });
  }

  /** In the order of time, because the audit and the events are read in the order in which they were written. */
  async #seed(plan: DemoPlan, seedParts: SeedParts): Promise<void> {
    const { accounts } = this.#options;
    if (accounts !== undefined) await this.#seedPast(plan, seedParts.control, accounts - TOLD);
    await seedDemo(seedParts);
  }

  async #seedPast(
    { bridgeSettings, mailStaysHere }: DemoPlan,
    control: SandboxControl,
    accounts: number,
  ): Promise<void> {
    const settings = readSettings({ env: bridgeSettings });
    const mail = await seedCampaign({ control, settings, accounts, now: systemClock.now() });
    if (mailStaysHere) await this.#running('mailbox')?.channel.ask('past', mail);
  }

  /** Lets the mailbox's buttons move all three clocks. */
  #joinClocks({ bridgeSettings }: DemoPlan, control: SandboxControl): void {
    const [mailbox, bridge] = [this.#running('mailbox'), this.#running('bridge')];
    if (mailbox === undefined || bridge === undefined) return;
    const v1End = bridgeSettings.CAUSEWAY_V1_END;
    const clock = new OneClock({ control, mailbox: mailbox.channel, bridge: bridge.channel, v1End });
    mailbox.channel.on('move', (move: Move) =>
      clock.move(move).then(
        () => true,
        () => false,
      ),
    );
  }

  #running(which: Part): Child | undefined {
    return this.#children.find(({ name }) => name === which);
  }

  async #child(plan: DemoPlan, which: Part, offset = 0): Promise<void> {
    const { clock } = this.#options;
    if (this.#isStopping) throw new CannotStart('it was stopped while it started');
    const child = new Child({
      name: which,
      module: modules[which === 'bridge' && clock ? 'clocked bridge' : which],
      logFile: join(plan.place.folder, `${which}.log`),
      env: {
        ...childEnvironment(this.#env, plan[`${which}Settings`]),
        DEMO_CLOCK_OFFSET: clock ? String(offset) : '',
      },
      health: {
        sandbox: `${plan.sandbox}/_sandbox/clock`,
        mailbox: `${plan.mailbox}/api/messages`,
        bridge: `${plan.bridge}/_causeway/health/ready`,
      }[which],
    });
    this.#children.push(child);
    await child.serves();
  }

  async #prepare(): Promise<{ readonly plan: DemoPlan; readonly fresh: boolean }> {
    const place = demoPlace(
      this.#env.CAUSEWAY_DATABASE_URL === '' ? undefined : this.#env.CAUSEWAY_DATABASE_URL,
    );
    if (place.database === 'sqlite::memory:')
      throw new CannotStart('a database in memory cannot be shared by two processes: name a file');
    const owner = await ownership(place.database);
    if (owner === 'foreign')
      throw new CannotStart(
        'the database is not one that the demo made, so it is left alone: name another one in CAUSEWAY_DATABASE_URL',
      );
    this.#lock = lockOf(place);
    const kept = owner === 'demo' && this.#options.keep ? keptSettings(place.environmentFile) : {};
    const keys = kept.CAUSEWAY_ENCRYPTION_KEYS;
    const times = timeSettings(systemClock.now(), kept, this.#options);
    const fresh = keys === undefined || !existsSync(place.sandboxDatabase);
    const plan = planDemo({ ...times, ...this.#env }, keys, kept.CAUSEWAY_ADMIN_TOKEN);
    const settings = readSettings({ env: plan.bridgeSettings });
    if (this.#options.clock) refuseManyProcesses(settings);
    await refuseTakenPorts(plan);
    if (fresh) await makeFresh(plan, owner === 'demo');
    writeFileSync(place.environmentFile, environmentText(plan.bridgeSettings), { mode: 0o600 });
    return { plan, fresh };
  }
}

/** A second demo in the same folder would erase the first one's databases. */
function lockOf(place: DemoPlace): FileLock {
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const lock = FileLock.take(place.lockFile);
  if (lock !== undefined) return lock;
  throw new CannotStart(
    `a demo is already running in ${place.folder}. Stop it, or give this one a database and ports of its own:\n` +
      'CAUSEWAY_DATABASE_URL=sqlite:var/another/causeway.db, CAUSEWAY_PORT, CAUSEWAY_METRICS_PORT, SANDBOX_PORT, MAILBOX_PORT, MAILBOX_SMTP_PORT',
  );
}

/**
 * Refuses several processes, because the clock is injected into only one, and PostgreSQL, because jobs run by
 * the clock of the database.
 */
function refuseManyProcesses({ workers, database }: Settings): void {
  if (workers > 1 || !database.reveal().startsWith('sqlite:'))
    throw new CannotStart(
      '--clock moves one process with a database file: unset CAUSEWAY_WORKERS, and name no PostgreSQL',
    );
}

const isTokenOver = async ({ console: { token } }: DemoPlan, { tools }: SeedParts): Promise<boolean> =>
  (await tools.tokens.recognise(new Secret(token))) === undefined;

type KeptSettings = Readonly<Record<string, string | undefined>>;

function keptSettings(environmentFile: string): KeptSettings {
  return existsSync(environmentFile) ? readEnvironment(readFileSync(environmentFile, 'utf8')) : {};
}

async function refuseTakenPorts({ ports }: DemoPlan): Promise<void> {
  const taken = await takenPorts(ports);
  if (taken.length === 0) return;
  const list = taken.map(({ what, variable, port }) => `  ${port} (${what}; ${variable} moves it)`);
  const moved = taken.map(({ variable, port }) => `${variable}=${port + 100}`);
  throw new CannotStart(
    `${taken.length === 1 ? 'another program is' : 'other programs are'} listening on\n${list.join('\n')}\nStop ${taken.length === 1 ? 'it' : 'them'}, or move this demo: ${moved.join(' ')} npm run demo`,
  );
}

/** Erases only a marked database, and marks the new one before writing anything else. */
async function makeFresh({ place }: DemoPlan, marked: boolean): Promise<void> {
  if (marked) await erase(place.database);
  // Removes the deployment file kept outside the database: the database is created again, or was deleted by
  // hand from the demo's own folder.
  if (marked || place.folder === DEMO_FOLDER) rmSync(place.deploymentFile, { force: true });
  eraseFile(place.sandboxDatabase);
  mkdirSync(place.folder, { recursive: true, mode: 0o700 });
  const store = await openStore(place.database);
  try {
    await store.settings.set(DEMO_MARK, 'yes');
  } finally {
    await store.close();
  }
}
