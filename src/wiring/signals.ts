/** npm passes on a key press that the terminal has sent to everybody already: the second within this is the same. */
const SAME_PRESS = 1_000;
/** Whatever hangs, the process is gone after this. */
const LONGEST_STOP = 29_000;

/** Resolves at the first SIGTERM or SIGINT. The next one ends the process at once, and so does a stop that hangs. */
export function stopSignal(process: NodeJS.Process): Promise<NodeJS.Signals> {
  const { promise, resolve } = Promise.withResolvers<NodeJS.Signals>();
  let first: number | undefined;
  const hear = (signal: NodeJS.Signals): void => {
    const now = performance.now();
    if (first === undefined) {
      first = now;
      setTimeout(() => process.exit(1), LONGEST_STOP).unref();
      resolve(signal);
    } else if (now - first > SAME_PRESS) {
      process.exit(1);
    }
  };
  process.on('SIGTERM', hear).on('SIGINT', hear);
  return promise;
}
