/** The address of a SQLite database is `sqlite:PATH`. */
const SQLITE = 'sqlite:';

/** A database that lives and dies with its process. */
export const IN_MEMORY = `${SQLITE}:memory:`;

/** Whether an address names a SQLite database, in a file or in memory. */
export const isSqlite = (url: string): boolean => url.startsWith(SQLITE);

/** The path in the address of a SQLite database. */
export const sqlitePath = (url: string): string => url.slice(SQLITE.length);
