export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Node loads the modules itself, as it does for the product.
  testRunner: '<rootDir>/scripts/testing/native-runner.ts',
  transform: {},
  testSequencer: '<rootDir>/scripts/testing/long-first.ts',
  reporters: [
    'default',
    '<rootDir>/scripts/testing/title-reporter.ts',
    '<rootDir>/scripts/testing/skip-reporter.ts',
  ],
  // Not how long a test takes, but after how long it hangs: the machine may be slow, and busy with something else.
  testTimeout: 180_000,
  // More than the two cores of the machines this runs on: a suite waits as long as it computes on the whole, and those of
  // minutes, which come first, wait most of the time.
  maxWorkers: 6,
};
