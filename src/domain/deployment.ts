/**
 * Which running bridge a database belongs to. A refresh token that is presented by two bridges, or again by an old copy
 * of the database, is taken for stolen, and the service revokes the whole family (000_ef2b8fc3580d6af3.txt, Tokens,
 * rule 5). So a deployment has an id and an epoch, in the store and outside of it, and presents nothing while they
 * differ.
 */
export interface DeploymentMark {
  readonly id: string;
  /**
   * Only ever grows: raised before the first refresh token of each minute is presented, to the moment of it
   * (milliseconds since the epoch) or by one, whichever is more.
   */
  readonly epoch: number;
}

/** The mark outside of the store: a small file. */
export type Outside =
  /** None is kept: the database lies in memory, or on a server and no place was named. */
  | { readonly state: 'none' }
  | { readonly state: 'missing'; readonly path: string }
  | { readonly state: 'unusable'; readonly path: string; readonly words: string }
  | ({ readonly state: 'there'; readonly path: string } & DeploymentMark);

/** Written into the store itself, by whoever knows: until an operator acknowledges, wherever the store turns up. */
export const writtenDoubts = ['backup', 'restored', 'older', 'vanished'] as const;
export type WrittenDoubt = (typeof writtenDoubts)[number];

/** What the store, its surroundings and the mark outside say. */
export interface DeploymentView extends DeploymentMark {
  /** The database does not lie where it was last used. */
  readonly moved: boolean;
  readonly outside: Outside;
  /** Whether a mark was ever written outside for this store. */
  readonly marked: boolean;
  /** Whether the store holds any token that could be presented. */
  readonly grants: boolean;
  readonly written: { readonly why: WrittenDoubt; readonly at: number } | undefined;
}

export const doubts = [...writtenDoubts, 'copied', 'foreign', 'missing', 'unusable'] as const;
export type Doubt = (typeof doubts)[number];

/** Why no refresh token is presented, in words for the operator. */
export interface DeploymentDoubt {
  readonly why: Doubt;
  readonly words: string;
}

/**
 * Whether accounts may be missing in the database that were there before: then one that is not in it may have moved, and
 * must not be taken for one that V1 still serves.
 */
export const mayLackAccounts = (why: Doubt): boolean => why !== 'missing' && why !== 'unusable';

/** What the operator does about it. */
export const ACKNOWLEDGE = 'causeway deployment acknowledge';

/** The mark outside cannot be written: nothing may be presented, because nobody could tell afterwards. */
export class MarkUnwritable extends Error {
  readonly words: string;

  constructor(path: string, reason: string) {
    const words = `${path} cannot be written: ${reason}`;
    super(words);
    this.name = 'MarkUnwritable';
    this.words = words;
  }
}

/** Undefined: this is the one deployment that works with this database. */
export function doubtOf(view: DeploymentView): DeploymentDoubt | undefined {
  const why = reasonOf(view);
  return why && { why, words: wordsOf(why, view) };
}

function reasonOf({ id, epoch, moved, outside, marked, grants, written }: DeploymentView): Doubt | undefined {
  if (written !== undefined) return written.why;
  if (moved) return 'copied';
  switch (outside.state) {
    case 'none':
      return undefined;
    case 'unusable':
      return 'unusable';
    case 'missing':
      return marked ? 'missing' : undefined;
    case 'there':
      // A new store in an old place has nothing to present, and knows nobody of those who have moved.
      if (outside.id !== id) return marked || grants ? 'foreign' : 'vanished';
      return outside.epoch > epoch && grants ? 'older' : undefined;
  }
}

function wordsOf(why: Doubt, { epoch, outside, written }: DeploymentView): string {
  const file = 'path' in outside ? outside.path : 'the file of the deployment';
  const at = written === undefined ? '' : ` at ${moment(written.at)}`;
  switch (why) {
    case 'backup':
      return `the database is the backup that was made${at}, put in place as it is`;
    case 'restored':
      return `a backup was restored${at}`;
    case 'older': {
      const known = outside.state === 'there' ? `, this deployment at ${moment(outside.epoch)}` : '';
      return `an older state of the database was put back: it was last in use at ${moment(epoch)}${known}`;
    }
    case 'vanished': {
      const known = outside.state === 'there' ? ` at ${moment(outside.epoch)}` : '';
      return `the database is a new one, and ${file} says that another was in use here${known}: that one was lost or emptied, or CAUSEWAY_DATABASE_URL names the wrong one`;
    }
    case 'copied':
      return 'the database was copied or moved: it does not lie where it was last in use';
    case 'foreign':
      return `the database and ${file} belong to different deployments`;
    case 'missing':
      return `${file} is not there: it says which deployment works with this database`;
    case 'unusable':
      return outside.state === 'unusable' ? `${file} cannot be used: ${outside.words}` : file;
  }
}

const moment = (at: number): string => new Date(at).toISOString();

/** The identity of the store, and the mark outside. */
export interface DeploymentBook {
  look(): Promise<DeploymentView>;
  /**
   * A higher epoch, in the store and then outside. Resolves when both are on disk. Throws `StoreFault`,
   * `MarkUnwritable`; a token may not be presented then.
   */
  raise(now: number): Promise<void>;
  /** Brings the mark outside up to the store's, where another process has raised it. Throws as `raise` does. */
  follow(): Promise<void>;
  /** For every process that has this store. What is written already stays. */
  doubt(why: WrittenDoubt, now: number): Promise<void>;
  /**
   * This store, where it lies, is the deployment from now on: a higher epoch than anybody has seen, in both places.
   * Throws as `raise` does, and has acknowledged nothing then.
   */
  acknowledge(now: number): Promise<void>;
}
