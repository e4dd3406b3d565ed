import { WriteLedger } from '../../src/features/writes/ledger.ts';

// Given to the bridge with --import: the same process, whose writes go where they go without being written down.

WriteLedger.prototype.perform = (_call, send) => send();
