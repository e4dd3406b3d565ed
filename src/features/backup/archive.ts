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

/** What was revoked, stopped or changed by an operator since. */
export interface StoppedSince {
  /** Names of tokens that were revoked: they stay revoked. */
  readonly tokens: readonly string[];
  /** Names of people who were blocked: they stay blocked. */
  readonly people: readonly string[];
  /** Names of people who were blocked and can sign in again, because the backup is of a release that knew no people. */
  readonly admitted: readonly string[];
  /** Brown-outs that were stopped, and would take place if they are not over. */
  readonly brownouts: readonly { readonly id: string; readonly from: number; readonly to: number }[];
  /** Names of waves that were stopped or removed, and would go on. */
  readonly waves: readonly string[];
  /** Methods and accounts whose route was chosen or taken back. */
  readonly routes: readonly string[];
  /** Names of accounts with a trial of a route that has ended and would go on. */
  readonly trials: readonly string[];
}

/** What a restore loses or brings back. */
export interface RestoreLosses {
  /** Names of accounts added since. */
  readonly added: readonly string[];
  /** Names of accounts with later events: a consent, a move, a message. */
  readonly changed: readonly string[];
  /** Accounts whose tokens were refreshed since: the service will refuse those in the backup. */
  readonly renewed: readonly string[];
  /** Names of accounts that moved or were closed since, and would be served by V1 again. */
  readonly reverted: readonly string[];
  /** Names of accounts whose connection has ended since, and would be used again. */
  readonly ended: readonly string[];
  /** Names of accounts that were erased since, and would be served and written to again. */
  readonly returning: readonly string[];
  /** Number of addresses that refused e-mail or unsubscribed since. They get none after the restore either. */
  readonly suppressed: number;
  /** Names of accounts that got an invitation since: its link will not work, and they will not count as invited. */
  readonly invited: readonly string[];
  /** Number of writes since whose outcome is not known: nothing will look it up, or show them. */
  readonly unsettled: number;
  readonly stopped: StoppedSince;
}

/** A checked copy of a backup, ready beside the database. */
export interface StagedRestore {
  readonly facts: ArchiveFacts;
  /** Undefined: there is no database yet, or it cannot be read. */
  readonly losses: RestoreLosses | undefined;
  /**
   * Replaces the database. Returns where the old one was kept; undefined if there was none. Throws `ArchiveRefusal`,
   * with nothing changed.
   */
  put(now: number): Promise<{ readonly kept: string | undefined }>;
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
