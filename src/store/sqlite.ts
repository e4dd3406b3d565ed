import { DatabaseSync, type SQLInputValue } from 'node:sqlite';
import { Kysely, SqliteDialect, type SqliteDatabase } from 'kysely';

/**
 * kysely over `node:sqlite`: no native addon. WAL and `synchronous=FULL`, never NORMAL: with NORMAL power loss takes
 * acknowledged commits (trust.md, decision 4).
 */
export function openSqlite<Tables>(path: string): Kysely<Tables> {
  const raw = new DatabaseSync(path);
  raw.exec(
    'PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON; PRAGMA busy_timeout = 10000',
  );
  const database: SqliteDatabase = {
    close: () => {
      raw.close();
    },
    prepare(sql) {
      const statement = raw.prepare(sql);
      const values = (parameters: readonly unknown[]): SQLInputValue[] => parameters as SQLInputValue[];
      return {
        reader: statement.columns().length > 0,
        all: (parameters) => statement.all(...values(parameters)),
        run: (parameters) => statement.run(...values(parameters)),
        iterate: (parameters) => statement.iterate(...values(parameters)),
      };
    },
  };
  return new Kysely<Tables>({ dialect: new SqliteDialect({ database }) });
}
