import type * as Sequencing from '@jest/test-sequencer';
import { createRequire } from 'node:module';
import { relative } from 'node:path';
import { long, release, slow } from './tiers.ts';

const require = createRequire(import.meta.url);
const { default: TestSequencer } = require('@jest/test-sequencer') as typeof Sequencing.default;
type Tests = Parameters<InstanceType<typeof TestSequencer>['sort']>[0];

const order = [...release, ...long, ...slow].map(({ path }) => path);

/** The position of a suite: the longest first, unlisted ones at the end. */
export function placeOf(suite: string): number {
  const place = order.findIndex((one) => (one.endsWith('/') ? suite.startsWith(one) : suite === one));
  return place < 0 ? order.length : place;
}

/**
 * The order of suites (`testSequencer` in jest.config.js): that of the tiers, so that no worker begins a suite of
 * minutes when the others are done. jest itself uses the times of the last run, which a new clone does not have.
 */
export default class LongFirst extends TestSequencer {
  override sort(tests: Tests): Tests {
    const suiteOf = ({ path, context }: Tests[number]): string => relative(context.config.rootDir, path);
    return tests.toSorted((a, b) => placeOf(suiteOf(a)) - placeOf(suiteOf(b)));
  }
}
