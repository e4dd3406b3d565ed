import type { HealthCode } from '../../../src/app/health/remedies.ts';
import type { Doubt } from '../../../src/tokens/deployment/deployment.ts';
import type { AdviceFor } from './advice.ts';

/** Why each code of `degraded` appears; the remedy is the bridge's own text. */
export const healthCauses: Readonly<Record<HealthCode, string>> = {
  'no-upstream': 'Neither V1 nor V3 is configured: no call can be served',
  'no-v3': 'Accounts have moved, and no V3 is configured: their calls are refused',
  database: 'The database does not answer: reads go on from memory for a while, writes are refused',
  'store-locked': 'Another program holds the lock of the database: nothing can be stored',
  'store-read-only': 'The database takes no writes: a read-only file system, a standby, or missing rights',
  'store-memory': 'The database server has no memory left',
  'store-unwritable': 'The database refuses writes for another reason',
  'disk-full': 'The disk of the database is full: no write goes to V3 or V2, nothing is renewed',
  'disk-low':
    'Less than a tenth, and less than 2 GB, is free where database, deployment file or spilled tokens lie',
  clock: 'This machine’s clock is more than 30 seconds off the database’s or the service’s',
  authority:
    'The authorisation server refused the client or left ten refreshes unanswered; it only gets a probe',
  budget: 'The instances cannot share the limit: Redis is away, or one of them does not reach it',
  workers: 'A worker process ended and its replacement does not serve yet',
  consents: 'Grants of which an instance has seen more than the database has are withheld',
  v1: 'V1 refuses connections or answers nobody; calls to it fail at once, without being sent',
  v2: 'V2 refuses connections or answers nobody',
  v3: 'V3 refuses connections or answers nobody',
  'v3-practice': 'V3 of the practice variant refuses connections or answers nobody',
};

const ACKNOWLEDGE =
  'Make sure that no other bridge uses these accounts; `causeway deployment acknowledge --yes`';

/** Why a deployment is in doubt (`causeway deployment show`). */
export const doubtAdvice: AdviceFor<Doubt> = {
  backup: { cause: 'A file that `causeway backup` made was put in place by hand', command: ACKNOWLEDGE },
  restored: { cause: '`causeway restore` put a backup in place', command: ACKNOWLEDGE },
  older: {
    cause:
      'The database is older than the deployment file or a running instance: an earlier state was put back',
    command: ACKNOWLEDGE,
  },
  vanished: {
    cause: 'The database is new, but the file says that another one was in use here',
    command:
      'Put the database back or correct `CAUSEWAY_DATABASE_URL`. If it is gone: `causeway accounts import FILE`, then acknowledge',
  },
  copied: {
    cause: 'The database is not where it was last in use: copied, moved, or its server was restarted unseen',
    command: ACKNOWLEDGE,
  },
  awaiting: {
    cause:
      'Another server process runs the database, and instances that ran before have not connected to it yet',
    command: 'Wait until they have, or make sure that they run nowhere and acknowledge',
  },
  foreign: {
    cause: 'The deployment file belongs to another database',
    command: 'Give each bridge with a database of its own a `CAUSEWAY_DEPLOYMENT_FILE`',
  },
  missing: { cause: 'The deployment file is gone, or this instance never had it', command: ACKNOWLEDGE },
  unusable: {
    cause: 'The deployment file cannot be read or written',
    command: 'Correct its rights or its disk; the bridge goes on by itself',
  },
};
