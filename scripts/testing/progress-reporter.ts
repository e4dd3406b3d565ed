/** The part of jest's results that is used. */
interface Run {
  readonly numTotalTestSuites: number;
}

/** A count in the output for every so many suites. */
const STEP = 20;

/** After some of the suites: `120 of 344 suites`. On a terminal jest counts them itself. */
export const progressWords = (done: number, all: number, onTerminal: boolean): string | undefined =>
  onTerminal || done % STEP !== 0 || done === all ? undefined : `${done} of ${all} suites`;

/** A reporter of jest (`reporters` in jest.config.js): counts the finished suites in the output of a long run. */
export default class ProgressReporter {
  #done = 0;

  onTestResult(_test: unknown, _suite: unknown, { numTotalTestSuites: all }: Run): void {
    this.#done += 1;
    const words = progressWords(this.#done, all, process.stderr.isTTY);
    if (words !== undefined) console.error(words);
  }
}
