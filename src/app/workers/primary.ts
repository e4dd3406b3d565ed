/**
 * The primary of a bridge with several workers (docs/decisions/limits/0018-workers.md). It serves no call.
 *
 * It holds the lock of the database file, starts the workers through `node:cluster`, which gives each new connection to
 * the next of them, distributes the permits of the rate limit, adds up their metrics, and replaces a worker that ends
 * or hangs. It stops them all when it is told to. A worker whose primary dies ends at once, so none is left behind.
 */
import cluster, { type Worker as ClusterWorker } from 'node:cluster';
import { SECOND } from '../../lib/time/clock.ts';
import { within } from '../../lib/time/within.ts';
import { channelTo, type Channel } from '../../lib/channel.ts';
import { wordsOf, type Log } from '../../lib/log/log.ts';
import type { BridgeLock } from '../../db/sqlite/bridge-lock.ts';
import { brokerChannel } from '../../upstream/limiter/workers/broker-channel.ts';
import type { PermitBroker } from '../../upstream/limiter/workers/permit-broker.ts';
import type { PermitReserve } from '../../upstream/limiter/permit-reserve.ts';
import type { Listening } from '../listening.ts';
import type { Settings } from '../settings/model.ts';
import type { Store } from '../store.ts';
import { MetricsServer } from '../metrics/metrics-server.ts';
import { CrewMetrics } from './crew-metrics.ts';
import { Heartbeats } from './heartbeats.ts';
import { WORKER_NUMBER, workerMessages, type Crew } from './worker.ts';

/** What the primary needs. */
export interface PrimaryParts {
  readonly settings: Settings;
  readonly log: Log;
  readonly lock: BridgeLock | undefined;
  /** Undefined if the workers share no limit here, because Redis shares it or there is none. */
  readonly limit: Limit | undefined;
}

/** The rate limit shared here, and the database it is recorded in. */
export interface Limit {
  readonly store: Store;
  readonly reserve: PermitReserve;
  readonly broker: PermitBroker;
  /** Called with a function that sends a message of the broker to a worker. */
  readonly tells: (tell: (worker: number, message: string, content: unknown) => void) => void;
}

interface Member {
  readonly number: number;
  readonly process: ClusterWorker;
  readonly channel: Channel;
  readonly since: number;
  serves: boolean;
}

/** In milliseconds: a worker that ends sooner is replaced after a pause, which doubles each time. */
const SOON = 30 * SECOND;
const FIRST_PAUSE = SECOND;
const LONGEST_PAUSE = 30 * SECOND;
/** Between two heartbeats, in milliseconds. */
const BEAT = SECOND;
/** In milliseconds. A scrape has only the last counts of a worker that takes longer to answer. */
const SCRAPE = 5 * SECOND;
/** In milliseconds before the primary itself would be killed: remaining workers are killed. */
const BEFORE_END = 3 * SECOND;

/** Can be started once and stopped once. */
export class Primary {
  readonly #parts: PrimaryParts;
  /** By the id that cluster assigns to a process. */
  readonly #members = new Map<number, Member>();
  readonly #metrics: CrewMetrics;
  readonly #server: MetricsServer;
  readonly #pauses = new Map<number, number>();
  readonly #heartbeats: Heartbeats;
  #beat: NodeJS.Timeout | undefined;
  #isWhole = false;
  #isStopping = false;
  #allEnded: (() => void) | undefined;

  constructor(parts: PrimaryParts) {
    this.#parts = parts;
    this.#heartbeats = new Heartbeats(parts.log);
    this.#metrics = new CrewMetrics(
      () => this.#scrape(),
      () => this.#crew.serving,
    );
    this.#server = new MetricsServer(this.#metrics, parts.log);
    parts.limit?.tells((worker, message, content) => {
      this.#members.get(worker)?.channel.tell(message, content);
    });
  }

  /** Resolves when all workers serve. Rejects, with everything closed again, if one cannot start. */
  async start(): Promise<Listening & { readonly workers: number }> {
    const { listener, workers } = this.#parts.settings;
    try {
      this.#beat = setInterval(() => {
        this.#beatOnce();
      }, BEAT);
      const metricsPort = await this.#server.listen(listener.metricsPort, listener.metricsHost);
      // The first one checks everything that could be wrong for all of them.
      const listening = await this.#started(1);
      const others = Array.from({ length: workers - 1 }, (_, place) => this.#started(place + 2));
      await Promise.all(others);
      this.#isWhole = true;
      return { ...listening, metricsPort, workers };
    } catch (error) {
      await this.stop('SIGINT');
      throw error;
    }
  }

  /** Every worker stops as a single process would; those that do not end in time are killed. */
  async stop(signal: NodeJS.Signals): Promise<void> {
    this.#isStopping = true;
    const { settings, lock, limit, log } = this.#parts;
    for (const { channel } of this.#members.values()) channel.tell(workerMessages.stop, signal);
    const ended = new Promise<void>((resolve) => {
      this.#allEnded = resolve;
      if (this.#members.size === 0) resolve();
    });
    await within(settings.stop.within - BEFORE_END, ended);
    for (const { process } of this.#members.values()) process.process.kill('SIGKILL');
    clearInterval(this.#beat);
    await this.#server.stop();
    try {
      await limit?.reserve.close(limit.broker.permits);
      await limit?.store.close();
    } catch (error) {
      log.warn('budget.unwritten', { reason: wordsOf(error) });
    }
    lock?.release();
  }

  get #crew(): Crew {
    return { serving: this.#serving.length, wanted: this.#parts.settings.workers };
  }

  get #serving(): readonly Member[] {
    return [...this.#members.values()].filter(
      (member) => member.serves && !this.#heartbeats.isSilent(member),
    );
  }

  /** Resolves when a worker with this number serves. Rejects if it ends first, or cannot be started. */
  #started(number: number): Promise<Listening> {
    const since = performance.now();
    return new Promise((resolve, reject) => {
      let process: ClusterWorker;
      const failed = (error: unknown): void => {
        this.#notStarted({ number, since }, error);
        reject(new Error(`worker ${number} could not be started: ${wordsOf(error)}`));
      };
      try {
        process = cluster.fork({ [WORKER_NUMBER]: String(number) });
      } catch (error) {
        failed(error);
        return;
      }
      const channel = channelTo(process.process);
      const member: Member = { number, process, channel, since, serves: false };
      this.#members.set(process.id, member);
      const { limit } = this.#parts;
      if (limit !== undefined) brokerChannel(limit.broker, process.id, channel);
      channel.on(workerMessages.ready, (listening: Listening) => {
        member.serves = true;
        this.#tellCrew();
        resolve(listening);
      });
      process.on('error', (error: Error) => {
        // Too many processes, or no memory for another one: there is no process that could end.
        if (process.process.pid === undefined && this.#members.delete(process.id)) failed(error);
      });
      process.once('exit', (code: number | null, signal: string | null) => {
        this.#ended(member, code, signal);
        reject(new Error(`worker ${number} ended with ${signal ?? String(code)} before it could serve`));
      });
    });
  }

  #ended(member: Member, code: number | null, signal: string | null): void {
    const { limit, log } = this.#parts;
    this.#members.delete(member.process.id);
    limit?.broker.ended(member.process.id);
    void this.#metrics.ended(member.process.id, !this.#isStopping);
    if (this.#members.size === 0) this.#allEnded?.();
    if (this.#isStopping) return;
    const { number, process, serves } = member;
    log.error('worker.ended', {
      number,
      pid: process.process.pid,
      ...(signal === null ? { code } : { signal }),
    });
    this.#tellCrew();
    if (serves || this.#pauses.has(number)) this.#replace(member);
  }

  /** The others continue to serve; it is tried again, unless it would be the first with this number. */
  #notStarted(worker: Pick<Member, 'number' | 'since'>, error: unknown): void {
    const { number } = worker;
    this.#parts.log.error('worker.not-started', { number, error: wordsOf(error) });
    if (!this.#isStopping && this.#pauses.has(number)) this.#replace(worker);
  }

  #replace({ number, since }: Pick<Member, 'number' | 'since'>): void {
    const before = performance.now() - since < SOON ? this.#pauses.get(number) : undefined;
    const pause = before === undefined ? 0 : Math.min(LONGEST_PAUSE, Math.max(FIRST_PAUSE, 2 * before));
    this.#pauses.set(number, pause);
    setTimeout(() => {
      if (this.#isStopping) return;
      // If it ends before it serves, `#ended` tries again.
      this.#started(number).then(
        () => {
          this.#parts.log.info('worker.replaced', { number });
        },
        () => undefined,
      );
    }, pause);
  }

  /** During their first start none counts as missing. */
  get #toldCrew(): Crew {
    const { serving, wanted } = this.#crew;
    return { serving, wanted: this.#isWhole ? wanted : serving };
  }

  #tellCrew(): void {
    const crew = this.#toldCrew;
    for (const { channel } of this.#members.values()) channel.tell(workerMessages.crew, crew);
  }

  /** A worker may take long to stop. */
  #beatOnce(): void {
    if (this.#isStopping) this.#tellCrew();
    else
      this.#heartbeats.beat([...this.#members.values()], {
        kind: workerMessages.crew,
        body: this.#toldCrew,
        isWhole: this.#isWhole,
      });
  }

  async #scrape(): Promise<ReadonlyMap<number, unknown>> {
    const answers = this.#serving.map(async ({ process, channel }) => {
      const answer = await within(SCRAPE, channel.ask(workerMessages.metrics, undefined));
      return [process.id, answer] as const;
    });
    return new Map(await Promise.all(answers));
  }
}
