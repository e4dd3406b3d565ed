/** What a backup, or a database, says of itself. */
export interface ArchiveFacts {
  /** Undefined: made before databases had one. */
  readonly deployment: string | undefined;
  /** Version of its schema. */
  readonly schema: number;
  readonly accounts: number;
  readonly grants: number;
  /** Ids of the encryption keys without which it cannot be used, the one of its mark first. */
  readonly keyIds: readonly string[];
  /** When its content was as it is, as well as it can be told; milliseconds since the epoch. */
  readonly at: number | undefined;
  readonly bytes: number;
}

/** What a backup has written. */
export interface BackupReport extends ArchiveFacts {
  readonly file: string;
}

/** What is in the present database and not in the backup. */
export interface RestoreLosses {
  /** Names of accounts that were added since. */
  readonly added: readonly string[];
  /** Names of accounts to which something happened since: a consent, a move, a message. */
  readonly changed: readonly string[];
  /** Accounts whose tokens were renewed since: the service will refuse those of the backup. */
  readonly renewed: readonly string[];
}

/** A backup that was looked at, and lies ready beside the database. */
export interface StagedRestore {
  readonly facts: ArchiveFacts;
  /** Undefined: there is no database yet, or none that can be read. */
  readonly losses: RestoreLosses | undefined;
  /**
   * Takes the database's place. Answers where the replaced one was kept; undefined: there was none. Throws
   * `ArchiveRefusal`; then nothing was changed.
   */
  put(now: number): Promise<{ readonly kept: string | undefined }>;
  /** Puts nothing in place, and tidies up. */
  discard(): Promise<void>;
}

/** Backups of one database, running or not. */
export interface Archive {
  /**
   * A verified copy, under its name when it is whole and on disk. `force`: may replace a file. Throws
   * `ArchiveRefusal`.
   */
  backup(file: string, options: { readonly force: boolean; readonly now: number }): Promise<BackupReport>;
  /** Throws `ArchiveRefusal` for what cannot be put in place. */
  stage(file: string): Promise<StagedRestore>;
}

/** A backup or a restore that cannot be done; the words are for the operator. */
export class ArchiveRefusal extends Error {
  constructor(words: string) {
    super(words);
    this.name = 'ArchiveRefusal';
  }
}
