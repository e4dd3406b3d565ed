const waits = 'if it is down, wait: calls resume automatically; otherwise check';

/** What an operator does about degraded health, by its code. The address of a root is in the setting of that name. */
export const remedies = {
  'no-upstream': 'set CAUSEWAY_V1_BASE_URL, or CAUSEWAY_V3_BASE_URL with what it needs, and restart',
  'no-v3': 'set CAUSEWAY_V3_BASE_URL with what it needs, and restart',
  database: 'bring the database back; the bridge reconnects automatically',
  'store-locked': 'end the program that holds the database lock',
  'store-read-only': 'make the database writable: its file and folder, or the primary of PostgreSQL',
  'store-memory': 'give the database server more memory',
  'store-unwritable': 'check the database’s log',
  'disk-full': 'free space on that disk',
  'disk-low': 'free space on that disk',
  'spool-full': 'free space on the disk of CAUSEWAY_SPOOL_FOLDER',
  clock: 'set this machine’s clock, preferably with NTP',
  authority: `${waits} CAUSEWAY_AUTH_URL and the network`,
  budget: 'bring Redis back (CAUSEWAY_REDIS_URL); the instances then share the limit again',
  workers: 'none is needed: a worker that has ended is replaced; the log says why it ended (worker.ended)',
  consents: 'see causeway deployment, and acknowledge it if no other copy of the database is in use',
  v1: `${waits} CAUSEWAY_V1_BASE_URL and the network; if V1 has ended for good, remove CAUSEWAY_V1_BASE_URL and restart`,
  v2: `${waits} CAUSEWAY_V2_BASE_URL and the network`,
  v3: `${waits} CAUSEWAY_V3_BASE_URL and the network`,
  'v3-practice': `${waits} CAUSEWAY_V3_PRACTICE_BASE_URL and the network`,
} as const;

/** A code of `degraded`. */
export type HealthCode = keyof typeof remedies;

/** The remedy; undefined for a code without one. */
export const remedyOf = (code: string): string | undefined =>
  Object.hasOwn(remedies, code) ? remedies[code as HealthCode] : undefined;
