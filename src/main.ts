import { compose } from './app/compose.ts';
import { checkDirectAddress } from './app/database-route.ts';
import { collectWhenIdle } from './app/idle-memory.ts';
import { ConfigurationFault, readSettings } from './app/settings/settings.ts';
import type { Settings } from './app/settings/model.ts';
import { systemClock } from './lib/time/clock.ts';
import { keepDebuggerShut } from './lib/debugger.ts';
import { LineLog } from './lib/log/line-log.ts';
import { stopSignal } from './app/wiring/signals.ts';
import { workerNumber, workerOf, type Worker } from './app/workers/worker.ts';
import { errorFields } from './lib/log/log.ts';

keepDebuggerShut();

// Names of hosts are resolved on the threads that also read files and compress, in at most half of them: with Node's
// four, two hosts whose name server does not answer would keep every other from being found.
if ((process.env.UV_THREADPOOL_SIZE ?? '') === '') process.env.UV_THREADPOOL_SIZE = '16';

const log: LineLog = new LineLog({
  stream: process.stdout,
  worker: workerNumber(),
  onDropped(lines) {
    log.warn('log.dropped', { lines });
  },
});

// However the process ends, unless it is killed.
process.on('exit', () => {
  log.flush();
});

// What reads the log may end: that must not end the calls.
let isRead = true;
process.stdout.on('error', ({ message }) => {
  if (isRead) process.stderr.write(`causeway continues without a log: standard output: ${message}\n`);
  isRead = false;
});
process.stderr.on('error', () => undefined);

// Nobody waits for these; they are told, redacted like every line, instead of printed as they are.
process.on('unhandledRejection', (error) => {
  log.error('process.unhandled', errorFields(error));
});
process.on('uncaughtException', (error) => {
  log.error('process.failed', errorFields(error));
  process.exit(1);
});

process.exitCode = await main();

/** 0: stopped when asked. 1: could not start. 2: the configuration cannot be used. */
async function main(): Promise<0 | 1 | 2> {
  const settings = settingsOrFaults();
  if (settings === undefined) return 2;
  const stop = stopSignal(process, settings.stop.within);
  const worker = workerOf(settings);
  try {
    if (worker === undefined) await checkDirectAddress(settings, log);
    if (worker !== undefined) await work(settings, worker, stop);
    else if (settings.workers > 1) await watchOver(settings, stop);
    else await serve(settings, stop);
    return 0;
  } catch (error) {
    process.stderr.write(`causeway cannot start: ${startWords(error, settings)}\n`);
    return 1;
  } finally {
    worker?.leave();
  }
}

/** The bridge in this process. */
async function serve(settings: Settings, stop: Promise<NodeJS.Signals>): Promise<void> {
  const application = await compose(settings, { clock: systemClock, log });
  tellNotices(settings);
  log.info('ready', { ...(await application.start()), mappings: settings.mappings });
  begun();
  await stopAt(stop, (signal) => application.stop(lameDuckOf(settings, signal)));
}

/** This process as one of several workers; which of them is to stop, the primary says, or whoever sends a signal. */
async function work(settings: Settings, worker: Worker, stop: Promise<NodeJS.Signals>): Promise<void> {
  const application = await compose(settings, { clock: systemClock, log, worker });
  const listening = await application.start();
  log.info('worker.ready', { ...listening });
  worker.ready(listening);
  begun();
  await stopAt(Promise.race([stop, worker.stop]), (signal) => application.stop(lameDuckOf(settings, signal)));
}

/** The bridge in several processes, with this one as their primary. */
async function watchOver(settings: Settings, stop: Promise<NodeJS.Signals>): Promise<void> {
  const { openPrimary } = await import('./app/workers/open-primary.ts');
  const primary = await openPrimary(settings, { clock: systemClock, log });
  tellNotices(settings);
  let isAsked = false;
  void stop.then(() => {
    isAsked = true;
  });
  // Workers that are still starting end at once if a supervisor sends its signal to all processes.
  const listening = await primary.start().catch((error: unknown) => {
    if (!isAsked) throw error;
  });
  if (listening === undefined) return;
  log.info('ready', { ...listening, mappings: settings.mappings });
  begun();
  await stopAt(stop, (signal) => primary.stop(signal));
}

/** Who waits for the line reads it at once. */
function begun(): void {
  log.flush();
  collectWhenIdle();
}

async function stopAt(
  stop: Promise<NodeJS.Signals>,
  end: (signal: NodeJS.Signals) => Promise<void>,
): Promise<void> {
  const signal = await stop;
  log.info('stopping', { signal });
  await end(signal);
  log.info('stopped');
}

/** Who presses Ctrl-C has no load balancer that must notice first. */
function lameDuckOf({ stop }: Settings, signal: NodeJS.Signals): number {
  return signal === 'SIGTERM' ? stop.lameDuck : 0;
}

function tellNotices({ notices }: Settings): void {
  for (const notice of notices) log.warn('configuration', { notice });
}

function settingsOrFaults(): Settings | undefined {
  try {
    return readSettings({ env: process.env });
  } catch (error) {
    if (!(error instanceof ConfigurationFault)) throw error;
    process.stderr.write(`causeway cannot start: ${error.message}\n`);
    return undefined;
  }
}

/** Node's words for an address that cannot be had do not say which setting it came from. */
function startWords(error: unknown, { listener, legacyListener }: Settings): string {
  if (!(error instanceof Error)) return String(error);
  const { code, port } = error as NodeJS.ErrnoException & { readonly port?: number };
  if (code !== 'EADDRINUSE' && code !== 'EACCES') return error.message;
  const variable =
    port === listener.metricsPort
      ? 'CAUSEWAY_METRICS_PORT'
      : port === legacyListener?.port
        ? 'CAUSEWAY_LEGACY_PORT'
        : 'CAUSEWAY_PORT';
  return code === 'EADDRINUSE'
    ? `somebody else listens on port ${port} already; ${variable} chooses another`
    : `this user may not listen on port ${port}; ${variable} chooses another`;
}
