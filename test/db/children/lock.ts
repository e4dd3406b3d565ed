import { lockForBridge } from '../../../src/db/sqlite/bridge-lock.ts';

/** Holds the lock of the one bridge on a database file: `lock.ts URL`. */
const [url = ''] = process.argv.slice(2);
console.log(JSON.stringify(lockForBridge(url) === undefined ? 'needless' : 'locked'));
setInterval(() => undefined, 60_000);
