import { given, optional } from '../row.ts';
import { text, wholeNumber } from '../types.ts';
import { databaseAddress, postgresAddress, redisAddress } from './types.ts';

/** The places of data that outlives a call. */
export const storageRows = {
  CAUSEWAY_DATABASE_URL: given(databaseAddress, 'sqlite:var/causeway.db', {
    meaning: 'The database: sqlite:PATH or postgres://…',
    secret: true,
  }),
  CAUSEWAY_DATABASE_DIRECT_URL: optional(postgresAddress, {
    meaning:
      'Address of the PostgreSQL server itself if CAUSEWAY_DATABASE_URL is PgBouncer’s; used for operations that need a session (docs/deploy/postgresql.md)',
    without: 'CAUSEWAY_DATABASE_URL',
    example: 'postgres://causeway:PASSWORD@db.example.com/causeway?sslmode=verify-full',
    secret: true,
  }),
  CAUSEWAY_DEPLOYMENT_FILE: optional(text, {
    meaning:
      'File outside the database by which the bridge detects an old backup or a copy before it renews tokens; it must outlive the process. See docs/operate/backup.md',
    without: 'next to the database file; var/causeway.deployment with PostgreSQL',
    example: 'var/causeway.deployment',
  }),
  CAUSEWAY_SPILL_FOLDER: optional(text, {
    meaning:
      'Folder for new tokens, sealed, while the database cannot store them; preferably on a different disk from the database. It must outlive the process (docs/operate/reliability.md)',
    without: 'next to the database file; var/spill with PostgreSQL',
    example: 'var/spill',
  }),
  CAUSEWAY_SPOOL_FOLDER: optional(text, {
    meaning:
      'Folder for documents, sealed, that are being sent to V3 or V2 or may repeat one whose outcome is unknown (docs/support/writes.md); its contents do not outlive the process',
    without: 'next to the database file; var/spool with PostgreSQL',
    example: 'var/spool',
  }),
  CAUSEWAY_SPOOL_MB: given(wholeNumber(0, 1_000_000), '512', {
    meaning:
      'Megabytes of such documents that each process may hold at once; further documents get 503. All but the oldest of an account leave as much free for others as it has',
  }),
  CAUSEWAY_REDIS_URL: optional(redisAddress, {
    meaning:
      'Redis through which several instances share the rate limit; needs PostgreSQL. All data in it is also stored elsewhere. A single server, redis+sentinel://… or redis+cluster://…; rediss… for TLS (docs/deploy/instances.md#addresses-of-redis)',
    without: 'one instance',
    example: 'redis://127.0.0.1:6379',
    secret: true,
  }),
} as const;
