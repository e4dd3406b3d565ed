export default {
  testEnvironment: '<rootDir>/scripts/testing/plain-environment.ts',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Node loads the modules itself, as it does for the product.
  testRunner: '<rootDir>/scripts/testing/native-runner.ts',
  transform: {},
  testSequencer: '<rootDir>/scripts/testing/long-first.ts',
  reporters: [
    'default',
    '<rootDir>/scripts/testing/progress-reporter.ts',
    '<rootDir>/scripts/testing/title-reporter.ts',
    '<rootDir>/scripts/testing/skip-reporter.ts',
  ],
  // Not how long a test takes, but after how long it hangs: the machine may be slow, and busy with something else.
  testTimeout: 180_000,
  // The machines this runs on have two cores; the suites of minutes, which come first, wait most of the time. With six the
  // whole took longer: each worker compiles what it loads for itself.
  maxWorkers: 4,
};
