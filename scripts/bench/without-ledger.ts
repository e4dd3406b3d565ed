import { WriteLedger } from '../../src/features/writes/ledger.ts';

// Given to the bridge with --import: the same process, whose writes go where they go without being written down, nor is a
// mark made in the place of their row.

WriteLedger.prototype.perform = (call, send) => {
  call.leaving.storedAt = performance.now();
  return send();
};
