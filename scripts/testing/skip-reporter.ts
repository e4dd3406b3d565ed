import { relative } from 'node:path';

/** The part of jest's results that is used. */
interface SuiteResult {
  readonly testFilePath: string;
  readonly testResults: readonly { readonly ancestorTitles: readonly string[]; readonly status: string }[];
}

/** A reporter of jest (`reporters` in jest.config.js): names the suites skipped because a program is missing. */
export default class SkipReporter {
  readonly #root: string;
  readonly #skipped = new Set<string>();

  constructor({ rootDir }: { readonly rootDir: string }) {
    this.#root = rootDir;
  }

  onTestResult(_test: unknown, { testFilePath, testResults }: SuiteResult): void {
    const suite = relative(this.#root, testFilePath);
    for (const { ancestorTitles, status } of testResults)
      if (status === 'pending') this.#skipped.add([suite, ...ancestorTitles.slice(0, 1)].join(' › '));
  }

  onRunComplete(): void {
    if (process.env.CAUSEWAY_TEST_LACKS !== 'yes') return;
    for (const name of this.#skipped) console.log(`skipped: ${name}`);
  }
}
