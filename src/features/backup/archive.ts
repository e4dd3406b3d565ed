/** The facts about a backup or a database. */
export interface ArchiveFacts {
  /** Undefined: it was created before databases had one. */
  readonly deployment: string | undefined;
  /** Version of its schema. */
  readonly schema: number;
  readonly accounts: number;
  readonly grants: number;
  /** Ids of the required encryption keys, that of its mark first. */
  readonly keyIds: readonly string[];
  /** The time of its content as far as known, in milliseconds since the epoch. */
  readonly at: number | undefined;
  readonly bytes: number;
}

/** The result of a backup. */
export interface BackupReport extends ArchiveFacts {
  readonly file: string;
}

/** What a restore loses or brings back. */
export interface RestoreLosses {
  /** Names of accounts added since. */
  readonly added: readonly string[];
  /** Names of accounts with later events: a consent, a move, a message. */
  readonly changed: readonly string[];
  /** Accounts whose tokens were refreshed since: the service will refuse those in the backup. */
  readonly renewed: readonly string[];
  /** Undefined: the database is another one than that of the backup, or older, and nothing is taken over from it. */
  readonly lasting: LastingChanges | undefined;
}

/** Changes since the backup that cannot be undone and are taken over from the database that is replaced. */
export interface LastingChanges {
  /** Names of accounts that had moved or consented again, or lost their connection. */
  readonly moved: readonly string[];
  /** Names of accounts that were closed. */
  readonly closed: readonly string[];
  /** Names of accounts that were erased: they come back, but closed. */
  readonly erased: readonly string[];
  /** How many numbers were assigned to new records. */
  readonly numbers: number;
  /** How many addresses refused e-mail or unsubscribed. */
  readonly suppressed: number;
}

/** A backup in place. */
export interface PutRestore {
  /** Where the old database was kept; undefined if there was none. */
  readonly kept: string | undefined;
  /** What could not be read of the old database and taken over, because it is damaged. */
  readonly unread: readonly string[];
}

/** A checked copy of a backup, ready beside the database. */
export interface StagedRestore {
  readonly facts: ArchiveFacts;
  /** Undefined: there is no database yet, or it cannot be read. */
  readonly losses: RestoreLosses | undefined;
  /** There is a database, but it cannot be read, at least in part. */
  readonly isDamaged: boolean;
  /** Replaces the database. Throws `ArchiveRefusal`, with nothing changed. */
  put(now: number): Promise<PutRestore>;
  /** Removes the staged copy without putting it in place. */
  discard(): Promise<void>;
}

/** Backups of one database, whether it is in use or not. */
export interface Archive {
  /**
   * Writes a verified copy, which gets its name once it is whole and on disk. `force`: may replace a file. Throws
   * `ArchiveRefusal`.
   */
  backup(file: string, options: { readonly force: boolean; readonly now: number }): Promise<BackupReport>;
  /** Throws `ArchiveRefusal` if the backup cannot be put in place. */
  stage(file: string): Promise<StagedRestore>;
}

/** A backup or restore is not possible; the text is for the operator. */
export class ArchiveRefusal extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'ArchiveRefusal';
  }
}
