import type { HealthCode } from '../../../src/app/health/remedies.ts';
import type { Doubt } from '../../../src/tokens/deployment/deployment.ts';
import type { AdviceFor } from './advice.ts';

/** Why each code of `degraded` appears; the remedy is the bridge's own text. */
export const healthCauses: Readonly<Record<HealthCode, string>> = {
  'no-upstream': 'Neither V1 nor V3 is configured: no call can be served',
  'no-v3': 'Accounts have moved, and no V3 is configured: their calls are refused',
  database: 'The database is down: reads are served from memory for a while, writes are refused',
  'store-locked':
    'Another program has locked the database, so that nothing can be stored, or a table of it, so that calls that need it wait or are refused',
  'store-read-only':
    'The database refuses writes: a read-only file system, a standby, or missing permissions',
  'store-memory': 'The database server has no memory left',
  'store-unwritable': 'The database refuses writes for another reason',
  'disk-full': 'The database’s disk is full: no write is sent to V3 or V2, no token is renewed',
  'disk-low':
    'Less than a tenth, and less than 2 GB, is free on the disk of the database, the deployment file, the spill files or the documents that wait',
  'spool-full':
    'The disk of waiting documents is full, and it is not the database’s: a document of more than 64 KB gets 503 instead of being sent to V3 or V2, and all other calls are served',
  clock: 'This machine’s clock is more than 30 seconds off the database’s or the service’s',
  authority:
    'The authorisation server refused the client or left ten refreshes unanswered; only a probe is sent to it',
  budget: 'The instances cannot share the limit: Redis is down, or an instance cannot reach it',
  workers: 'A worker process ended or hangs, and its replacement is not ready yet',
  consents:
    'An instance has seen newer tokens of some grants than the database has; these grants are not used',
  v1: 'V1 refuses connections or does not answer; calls to it fail at once, without being sent',
  v2: 'V2 refuses connections or does not answer',
  v3: 'V3 refuses connections or does not answer',
  'v3-practice': 'V3 of the practice variant refuses connections or does not answer',
};

const ACKNOWLEDGE =
  'Make sure that no other bridge uses these accounts; `causeway deployment acknowledge --yes`';
const EARLIER =
  'Make sure that no other bridge uses these accounts, and, if the database is an earlier state, close the accounts that have moved or were closed since ([backup](../operate/backup.md)); `causeway deployment acknowledge --yes`';

/** Why a deployment is in doubt (`causeway deployment show`). */
export const doubtAdvice: AdviceFor<Doubt> = {
  backup: { cause: 'A file made by `causeway backup` was copied into place by hand', command: EARLIER },
  restored: { cause: '`causeway restore` installed a backup', command: EARLIER },
  older: {
    cause:
      'The database is older than the deployment file or a running instance: an earlier state was restored',
    command: EARLIER,
  },
  vanished: {
    cause: 'The database is new, but the deployment file shows that another one was in use here',
    command:
      'Restore the database, or correct `CAUSEWAY_DATABASE_URL`. If the database is lost: `causeway accounts import FILE`, then acknowledge',
  },
  copied: {
    cause:
      'The database is not where it was last used: it was copied or moved, or its server was restarted while no bridge ran',
    command: EARLIER,
  },
  awaiting: {
    cause:
      'The database server process has changed, and instances that ran before have not connected to the new one yet',
    command: 'Wait until they have, or make sure that they are not running anywhere, then acknowledge',
  },
  foreign: {
    cause: 'The deployment file belongs to another database',
    command: 'Give each bridge that has its own database its own `CAUSEWAY_DEPLOYMENT_FILE`',
  },
  missing: { cause: 'The deployment file is gone, or this instance never had it', command: ACKNOWLEDGE },
  unusable: {
    cause: 'The deployment file cannot be read or written',
    command: 'Correct its permissions or free space on its disk; the bridge continues by itself',
  },
};
