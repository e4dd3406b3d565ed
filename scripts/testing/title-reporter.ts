import { relative } from 'node:path';
import { titleFaults } from './titles.ts';

/** The part of what jest tells that is looked at. */
interface SuiteResult {
  readonly testFilePath: string;
  readonly testResults: readonly { readonly ancestorTitles: readonly string[]; readonly title: string }[];
}

/** A reporter of jest (`reporters` in jest.config.js): a run fails in which the name of a test is no sentence. */
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

  /** What jest asks at the end to know whether it failed. */
  getLastError(): Error | undefined {
    const { length } = this.#faults;
    return length === 0 ? undefined : new Error(`${length} names of tests are no sentences`);
  }
}
