import { suiteGlobals } from './native-runner.ts';

/** The exports for imports of `@jest/globals`, loaded again for each suite. Mocks and timers come from `node:test`. */
export const { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } = suiteGlobals();
