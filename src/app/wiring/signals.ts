/** npm passes on a key press that the terminal has sent to everybody already: the second within this is the same. */
const SAME_PRESS = 1_000;
/** What supervisors wait, in milliseconds. */
const USUAL_STOP = 30_000;
/** Whatever hangs, the process is gone by itself before somebody kills it, in milliseconds. */
const BEFORE_KILLED = 1_000;

/** How often a process that npm started looks whether npm is still there. */
const LOOK = 250;

/** Resolves at the first SIGTERM or SIGINT, or when npm, which started the process, is gone. The next signal ends the process at once, and so does a stop that hangs. `within`: milliseconds until the process would be killed. */
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
  process.on('SIGTERM', hear).on('SIGINT', hear);
  if (process.env.npm_lifecycle_event !== undefined) watchParent(process, hear);
  return promise;
}

/** Where a shell stands between npm and the process, the signal that ends both does not arrive here. */
function watchParent(process: NodeJS.Process, hear: (signal: NodeJS.Signals) => void): void {
  const parent = process.ppid;
  const timer = setInterval(() => {
    if (process.ppid === parent) return;
    clearInterval(timer);
    hear('SIGTERM');
  }, LOOK);
  timer.unref();
}
