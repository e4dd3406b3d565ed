import { given, optional } from '../row.ts';
import { text, wholeNumber } from '../types.ts';
import { databaseAddress, postgresAddress, redisAddress } from './types.ts';

/** The places of data that outlives a call. */
export const storageRows = {
  CAUSEWAY_DATABASE_URL: given(databaseAddress, 'sqlite:var/causeway.db', {
    meaning: 'Where everything is kept: sqlite:PATH or postgres://…',
    secret: true,
  }),
  CAUSEWAY_DATABASE_DIRECT_URL: optional(postgresAddress, {
    meaning:
      'The server itself, if PgBouncer answers at CAUSEWAY_DATABASE_URL: for what needs a session (docs/deploy/postgresql.md)',
    without: 'CAUSEWAY_DATABASE_URL',
    example: 'postgres://causeway:PASSWORD@db.example.com/causeway?sslmode=verify-full',
    secret: true,
  }),
  CAUSEWAY_DEPLOYMENT_FILE: optional(text, {
    meaning:
      'File outside the database that reveals an old backup, or a copy, before it renews tokens; it must outlive the process. See docs/operate/backup.md',
    without: 'beside the database file; var/causeway.deployment with PostgreSQL',
    example: 'var/causeway.deployment',
  }),
  CAUSEWAY_SPILL_FOLDER: optional(text, {
    meaning:
      'Folder that keeps new tokens, sealed, while the database cannot store them; best on another disk than the database, and it must outlive the process (docs/operate/reliability.md)',
    without: 'beside the database file; var/spill with PostgreSQL',
    example: 'var/spill',
  }),
  CAUSEWAY_SPOOL_FOLDER: optional(text, {
    meaning:
      'Folder for documents, sealed, that go to V3 or V2 or may be repeats of one whose outcome is unknown (docs/support/writes.md); nothing in it outlives the process',
    without: 'beside the database file; var/spool with PostgreSQL',
    example: 'var/spool',
  }),
  CAUSEWAY_SPOOL_MB: given(wholeNumber(0, 1_000_000), '512', {
    meaning: 'Megabytes of such documents at once in each process; beyond them they are answered 503',
  }),
  CAUSEWAY_REDIS_URL: optional(redisAddress, {
    meaning:
      'Redis in which several instances share the rate limit; needs PostgreSQL, and holds nothing that is not stored elsewhere too. One server, redis+sentinel://… or redis+cluster://…; with TLS rediss… (docs/deploy/instances.md#addresses-of-redis)',
    without: 'one instance',
    example: 'redis://127.0.0.1:6379',
    secret: true,
  }),
} as const;
