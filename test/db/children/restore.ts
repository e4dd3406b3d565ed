import { stageSqlite } from '../../../src/features/backup/sqlite-restore.ts';
import { KeyRing } from '../../../src/tokens/sealing/keyring.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';

/** Restores a backup and dies at a step of it: `restore.ts DATABASE FILE KEYS STEP`. */
const [database = '', file = '', keys = '', step = ''] = process.argv.slice(2);
const staged = stageSqlite(database, file, KeyRing.parse(new Secret(keys)), (done) => {
  if (done === step) process.kill(process.pid, 'SIGKILL');
});
await staged.put(Date.now());
console.log(JSON.stringify('done'));
