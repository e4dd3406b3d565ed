import { WriteLedger } from '../../src/features/writes/ledger.ts';

// Loaded into the bridge with --import: the same process, but its writes are neither recorded nor marked in the ledger.

WriteLedger.prototype.perform = (call, send) => {
  call.leaving.storedAt = performance.now();
  return send();
};
