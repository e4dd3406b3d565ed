/**
 * Whether two locations of a database file (`sqlite/sqlite.ts`) are the same file. The creation time, in
 * nanoseconds, decides: some file systems mounted into containers report a different inode each time.
 */
export function samePlace(one: string, other: string): boolean {
  const [kind, inode, born = ''] = one.split(':');
  const [otherKind, otherInode, otherBorn = ''] = other.split(':');
  if (kind !== otherKind) return false;
  if (kind === 'file' && born !== '' && otherBorn !== '') return born === otherBorn;
  return kind === 'file' ? inode === otherInode : one === other;
}

/**
 * The location of a database on a server. `started`: when its server process started, to the microsecond; a
 * physical copy shares everything else with its original, but runs in another process. `system`: the server's
 * own identifier, and `timeline`, which a promotion changes; both empty if the server does not reveal them.
 * `database` and `table`: their OIDs, which change when they are created again, as by a restored dump.
 * `address`: the one used to connect.
 */
export interface ServerPlace {
  readonly system: string;
  readonly timeline: string;
  readonly database: string;
  readonly table: string;
  readonly started: string;
  readonly address: string;
}

const SERVER = 'server';

function serverPlace(word: string): ServerPlace | undefined {
  const [kind, system = '', timeline = '', database = '', table = '', started = '', address = ''] =
    word.split(' ');
  return kind === SERVER ? { system, timeline, database, table, started, address } : undefined;
}

/** When the server process at a location started; undefined for a file. */
export const startOf = (word: string): string | undefined => serverPlace(word)?.started;

/** Compares the database's location with where it was last in use. */
export function whereabouts(last: string | null, found: string | undefined): Whereabouts {
  if (last === null || found === undefined) return 'unknown';
  const [was, is] = [serverPlace(last), serverPlace(found)];
  if (was === undefined || is === undefined) return samePlace(last, found) ? 'same' : 'moved';
  return betweenServers(was, is);
}

function betweenServers(was: ServerPlace, is: ServerPlace): Whereabouts {
  const told = (one: string, other: string): boolean => one === '' || other === '' || one === other;
  const same = told(was.system, is.system) && was.database === is.database && was.table === is.table;
  if (!same) return 'moved';
  if (was.started === is.started) return 'running';
  return told(was.timeline, is.timeline) && was.address === is.address ? 'restarted' : 'moved';
}

/** The database's location compared with where it was last in use. */
export type Whereabouts =
  /** It has not been in use yet, or its location cannot be determined. */
  | 'unknown'
  /** The same file. */
  | 'same'
  /** The same server process, so not a copy. */
  | 'running'
  /** A server at the same address that was started later: the same one, or a physical copy in its place. */
  | 'restarted'
  | 'moved';
