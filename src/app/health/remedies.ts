const waits = 'nothing while it is down, calls go there again by themselves; else check';

/** What an operator does about a degraded health, by its code. The address of a root is the setting of that name. */
const remedies: Readonly<Record<string, string>> = {
  'no-upstream': 'set CAUSEWAY_V1_BASE_URL, or CAUSEWAY_V3_BASE_URL with what it needs, and restart',
  'no-v3': 'set CAUSEWAY_V3_BASE_URL with what it needs, and restart',
  database: 'bring the database back; the bridge connects again by itself',
  'store-locked': 'end the program that holds the lock of the database',
  'store-read-only': 'make the database writable: its file and folder, or the primary of PostgreSQL',
  'store-memory': 'give the database server more memory',
  'store-unwritable': 'look into the log of the database',
  'disk-full': 'free space on that disk',
  'disk-low': 'free space on that disk',
  clock: 'set the clock of this machine, best by NTP',
  authority: `${waits} CAUSEWAY_AUTH_URL and the network`,
  budget: 'bring Redis back (CAUSEWAY_REDIS_URL); the instances share the limit again by themselves',
  consents: 'see causeway deployment, and acknowledge it if no other copy of the database is in use',
  v1: `${waits} CAUSEWAY_V1_BASE_URL and the network`,
  v2: `${waits} CAUSEWAY_V2_BASE_URL and the network`,
  v3: `${waits} CAUSEWAY_V3_BASE_URL and the network`,
  'v3-practice': `${waits} CAUSEWAY_V3_PRACTICE_BASE_URL and the network`,
};

/** What to do; undefined for a code that has no advice. */
export const remedyOf = (code: string): string | undefined => remedies[code];
