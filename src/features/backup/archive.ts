/** What a backup, or a database, says about itself. */
export interface ArchiveFacts {
  /** Undefined: created before databases had one. */
  readonly deployment: string | undefined;
  /** Version of its schema. */
  readonly schema: number;
  readonly accounts: number;
  readonly grants: number;
  /** Ids of the encryption keys without which it cannot be used, that of its mark first. */
  readonly keyIds: readonly string[];
  /** The time of its content as far as known, in milliseconds since the epoch. */
  readonly at: number | undefined;
  readonly bytes: number;
}

/** What a backup has written. */
export interface BackupReport extends ArchiveFacts {
  readonly file: string;
}

/** What the current database has and the backup lacks. */
export interface RestoreLosses {
  /** Names of accounts added since. */
  readonly added: readonly string[];
  /** Names of accounts to which something has happened since: a consent, a move, a message. */
  readonly changed: readonly string[];
  /** Accounts whose tokens were refreshed since: the service will refuse those in the backup. */
  readonly renewed: readonly string[];
}

/** A checked backup that lies ready beside the database. */
export interface StagedRestore {
  readonly facts: ArchiveFacts;
  /** Undefined: there is no database yet, or it cannot be read. */
  readonly losses: RestoreLosses | undefined;
  /**
   * Replaces the database. Returns where the old one was kept; undefined: there was none. Throws
   * `ArchiveRefusal`; then nothing was changed.
   */
  put(now: number): Promise<{ readonly kept: string | undefined }>;
  /** Removes the staged copy without putting it in place. */
  discard(): Promise<void>;
}

/** Backups of one database, whether it is in use or not. */
export interface Archive {
  /**
   * Writes a verified copy, which gets its name when it is whole and on disk. `force`: may replace a file.
   * Throws `ArchiveRefusal`.
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
