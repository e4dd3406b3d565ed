export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  // Node loads the modules itself, as it does for the product.
  testRunner: '<rootDir>/scripts/testing/native-runner.ts',
  transform: {},
  // Not how long a test takes, but after how long it hangs: the machine may be slow, and busy with something else.
  testTimeout: 180_000,
  // The machines this runs on have two cores; many tests wait for processes of their own.
  maxWorkers: 2,
};
