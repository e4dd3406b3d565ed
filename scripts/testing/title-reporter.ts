import { relative } from 'node:path';
import { titleFaults } from './titles.ts';

/** The part of jest's results that is used. */
interface SuiteResult {
  readonly testFilePath: string;
  readonly testResults: readonly { readonly ancestorTitles: readonly string[]; readonly title: string }[];
}

/** A reporter of jest (`reporters` in jest.config.js): fails a run in which the name of a test is not a sentence. */
export default class TitleReporter {
  readonly #root: string;
  readonly #faults: string[] = [];

  constructor({ rootDir }: { readonly rootDir: string }) {
    this.#root = rootDir;
  }

  onTestResult(_test: unknown, { testFilePath, testResults }: SuiteResult): void {
    const titles = testResults.map(({ ancestorTitles, title }) => [...ancestorTitles, title]);
    const suite = relative(this.#root, testFilePath);
    this.#faults.push(...titleFaults(titles).map((fault) => `${suite}: ${fault}`));
  }

  onRunComplete(): void {
    for (const fault of this.#faults) console.log(fault);
  }

  /** Called by jest at the end to find out whether the reporter failed. */
  getLastError(): Error | undefined {
    const { length } = this.#faults;
    return length === 0 ? undefined : new Error(`${length} names of tests are no sentences`);
  }
}
