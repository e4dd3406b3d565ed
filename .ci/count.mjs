import { existsSync, readFileSync } from 'node:fs';

/** Adds up jest's results and the check: `count.mjs RESULTS TESTS-EXIT-CODE CHECK-EXIT-CODE`. */
const [file, testsCode, checkCode] = process.argv.slice(2);
const results = existsSync(file)
  ? JSON.parse(readFileSync(file, 'utf8'))
  : { numPassedTests: 0, numFailedTests: 0, numPendingTests: 0, numRuntimeErrorTestSuites: 0 };

const checkFailed = checkCode === '0' ? 0 : 1;
// A test file that could not be run at all has no tests to count; a run that failed without a failure counts as one.
const counted = results.numFailedTests + results.numRuntimeErrorTestSuites;
const failed = (testsCode === '0' ? counted : Math.max(counted, 1)) + checkFailed;
const passed = results.numPassedTests + (1 - checkFailed);
const skipped = results.numPendingTests;

console.log(`${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`);
process.exitCode = failed === 0 ? 0 : 1;
