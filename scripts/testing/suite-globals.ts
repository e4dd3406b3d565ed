import { suiteGlobals } from './native-runner.ts';

/** What a suite imports from `@jest/globals`; loaded anew for each. Mocks and timers come from `node:test`. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } = suiteGlobals();
