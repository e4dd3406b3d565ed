export default {
  testEnvironment: 'node',
  roots: ['<rootDir>/test'],
  testMatch: ['**/*.test.ts'],
  extensionsToTreatAsEsm: ['.ts'],
  transform: { '\\.ts$': 'babel-jest' },
  testTimeout: 30_000,
  // The machines this runs on have two cores; many tests wait for processes of their own.
  maxWorkers: 2,
};
