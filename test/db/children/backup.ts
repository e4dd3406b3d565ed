import { backupSqlite } from '../../../src/features/backup/sqlite-backup.ts';

/** Makes a backup and dies at a step of it: `backup.ts DATABASE FILE STEP`. */
const [database = '', file = '', step = ''] = process.argv.slice(2);
backupSqlite(database, file, {
  force: true,
  now: Date.now(),
  told: (done) => {
    if (done === step) process.kill(process.pid, 'SIGKILL');
  },
});
console.log(JSON.stringify('done'));
