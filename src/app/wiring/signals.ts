/**
 * npm forwards a key press that the terminal has already sent to all processes: a second signal within this time is the
 * same one.
 */
const SAME_PRESS = 1_000;
/** How long supervisors usually wait, in milliseconds. */
const USUAL_STOP = 30_000;
/** In milliseconds: even if something hangs, the process ends by itself before it would be killed. */
const BEFORE_KILLED = 1_000;

/** How often a process started by npm checks whether npm is still there, in milliseconds. */
const LOOK = 250;

/**
 * Resolves at the first SIGTERM, SIGINT or SIGHUP, or when npm, which started the process, has ended. The next signal
 * ends the process at once, and so does a stop that hangs. `within`: milliseconds until the process would be killed.
 */
export function stopSignal(process: NodeJS.Process, within = USUAL_STOP): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let first: number | undefined;
  const hear = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      setTimeout(() => process.exit(1), within - BEFORE_KILLED).unref();
      resolve(signal);
    } else if (now - first > SAME_PRESS) {
      process.exit(1);
    }
  };
  // SIGHUP: the terminal was closed. By default it would end the process in the middle of its calls.
  process.on('SIGTERM', hear).on('SIGINT', hear).on('SIGHUP', hear);
  if (process.env.npm_lifecycle_event !== undefined) watchParent(process, hear);
  return promise;
}

/** With a shell between npm and the process, the signal that ends both does not arrive here. */
function watchParent(process: NodeJS.Process, hear: (signal: NodeJS.Signals) => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    hear('SIGTERM');
  }, LOOK);
  timer.unref();
}
