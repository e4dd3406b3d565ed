/**
 * Which running bridge a database belongs to (docs/decisions/tokens/0009-copies-and-failovers.md).
 *
 * A refresh token that is presented by two bridges, or again by an old copy of the database, counts as stolen, and the
 * service revokes the whole family (V2 specification, "Tokens", rule 5). So a deployment has an id and an epoch, in the
 * store and in a file outside it, and presents nothing while they differ. This file has the model: `doubtOf` decides,
 * from what the store and the file say and what this process has seen, whether this is the one deployment; if not, an
 * operator has to acknowledge it.
 */
import type { Whereabouts } from '../../db/place.ts';
import type { Trx } from '../../db/tables.ts';

/** The identity of a deployment, kept in the store and outside it. */
export interface DeploymentMark {
  readonly id: string;
  /**
   * Only ever increases: before the first refresh token of each minute is presented, it is raised to the
   * current time (milliseconds since the epoch) or by one, whichever is more.
   */
  readonly epoch: number;
}

/** The mark outside the store: a small file. */
export type Outside =
  /** None is kept: the database is in memory. */
  | { readonly state: 'none' }
  /** `neighbour`: the mark of another database in the same folder. */
  | { readonly state: 'missing'; readonly path: string; readonly neighbour?: string | undefined }
  | { readonly state: 'unusable'; readonly path: string; readonly words: string }
  | ({ readonly state: 'there'; readonly path: string } & DeploymentMark);

/** Doubts that are stored, and last until an operator acknowledges them, wherever the store is by then. */
export const writtenDoubts = ['backup', 'restored', 'older', 'vanished'] as const;
/** A doubt that one process has found and every other respects. */
export type WrittenDoubt = (typeof writtenDoubts)[number];

/** What this process, while running, has itself seen committed in the database. */
export type Memory =
  /** The process started where the database is now. */
  | 'none'
  /** The database has moved, and nothing is missing: a failover, not a copy. */
  | 'held'
  /** Something is missing. */
  | 'older'
  /** The process had switched to another server, and is back at the one it left. */
  | 'left';

/** What the store, its surroundings and the mark outside say. */
export interface DeploymentView extends DeploymentMark {
  readonly lies: Whereabouts;
  readonly memory: Memory;
  /**
   * The database has moved, and has not been compared yet with what this process has seen
   * (`DeploymentRepository.compare`).
   */
  readonly uncompared: boolean;
  /** The highest epoch that anybody has seen. */
  readonly seenEpoch: number;
  /** Instances that worked with the database before it moved and have not been seen where it is now. */
  readonly awaited: readonly string[];
  /** Grants of which an instance has seen more than the database has. They present nothing. */
  readonly withheld: number;
  readonly outside: Outside;
  /** Whether a mark was ever written outside for this store. */
  readonly marked: boolean;
  /** Whether the store has any token that could be presented. */
  readonly grants: boolean;
  readonly accounts: boolean;
  readonly written: { readonly why: WrittenDoubt; readonly at: number } | undefined;
}

/** All doubts; each process finds those after the stored ones for itself. */
export const doubts = [...writtenDoubts, 'copied', 'awaiting', 'foreign', 'missing', 'unusable'] as const;
/** Why it is in doubt that this is the one deployment of its tokens. */
export type Doubt = (typeof doubts)[number];

/** Why no refresh token is presented, as a text for the operator. */
export interface DeploymentDoubt {
  readonly why: Doubt;
  readonly words: string;
}

/**
 * Whether accounts that existed before may be missing from the database. Then an unknown account may have
 * moved, and must not be taken for one that V1 still serves.
 */
export const mayLackAccounts = (why: Doubt): boolean => why !== 'missing' && why !== 'unusable';

/** Whether the database may be an earlier state, and lack numbers that were assigned to records since. */
export const mayLackNumbers = (why: Doubt): boolean => why !== 'awaiting' && why !== 'unusable';

/**
 * Leaves out numbers that the state before may have assigned and this one lacks. `unlessSince`: unless that was done
 * after this time.
 */
export type SkipNumbers = (trx: Trx, now: number, unlessSince?: number) => Promise<void>;

/** The command that ends a doubt. */
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

/** Why nothing may be presented; undefined: this is the one deployment that works with this database. */
export function doubtOf(view: DeploymentView): DeploymentDoubt | undefined {
  const why = reasonOf(view);
  return why && { why, words: wordsFor[why](view) };
}

function reasonOf(view: DeploymentView): Doubt | undefined {
  const { memory, grants, written } = view;
  if (written !== undefined) return written.why;
  if (memory === 'older' && grants) return 'older';
  if (memory === 'left') return 'copied';
  return reasonOfPlace(view) ?? reasonOfMark(view);
}

/**
 * A running process that has lost nothing of what it saw carries the deployment over, together with all
 * others that were running: one that stayed behind would present the same tokens. One that has just started
 * knows nothing: it takes a server that was started since for the same one only if the mark outside says so
 * and the address is the same. A restored database always lies in another place than the one that was saved: the
 * mark tells whether it is an earlier state, too.
 */
function reasonOfPlace(view: DeploymentView): Doubt | undefined {
  const { lies, memory, outside, awaited } = view;
  if (lies !== 'moved' && lies !== 'restarted') return undefined;
  if (memory === 'held') return awaited.length > 0 ? 'awaiting' : undefined;
  if (lies !== 'moved' && outside.state === 'there') return undefined;
  return reasonOfMark(view) === 'older' ? 'older' : 'copied';
}

function reasonOfMark({
  id,
  epoch,
  lies,
  memory,
  outside,
  marked,
  grants,
  accounts,
}: DeploymentView): Doubt | undefined {
  switch (outside.state) {
    case 'none':
      return undefined;
    case 'unusable':
      return 'unusable';
    case 'missing':
      // A letter missing from the address makes a new database beside the old one.
      if (outside.neighbour !== undefined && !marked && !grants && !accounts) return 'vanished';
      return marked && lies !== 'running' && memory !== 'held' ? 'missing' : undefined;
    case 'there':
      // A new store in an old place has nothing to present, and does not know the accounts that have moved.
      if (outside.id !== id) return marked || grants ? 'foreign' : 'vanished';
      return outside.epoch > epoch && grants ? 'older' : undefined;
  }
}

const SHARED =
  'bridges with different databases share this file: give each a CAUSEWAY_DEPLOYMENT_FILE of its own';

const moment = (at: number): string => new Date(at).toISOString();

const fileOf = ({ outside }: DeploymentView): string =>
  'path' in outside ? outside.path : 'the file of the deployment';

/** The time at which the copy was made, if known; begins with a space. */
const writtenAt = ({ written }: DeploymentView): string =>
  written === undefined ? '' : ` at ${moment(written.at)}`;

const wordsFor: Readonly<Record<Doubt, (view: DeploymentView) => string>> = {
  backup: (view) => `the database is the backup that was made${writtenAt(view)}, put in place as it is`,
  restored: (view) => `a backup was restored${writtenAt(view)}`,
  older: ({ epoch, seenEpoch, outside }) => {
    const last = Math.max(seenEpoch, outside.state === 'there' ? outside.epoch : 0);
    const known = last > epoch ? `, this deployment at ${moment(last)}` : '';
    return `an older state of the database was put back: it was last in use at ${moment(epoch)}${known}`;
  },
  vanished: (view) => {
    if (view.outside.state === 'missing')
      return `the database is a new one, and ${view.outside.neighbour ?? 'a file in its folder'} belongs to another: CAUSEWAY_DATABASE_URL names the wrong one, or several bridges use this folder`;
    const known = view.outside.state === 'there' ? ` at ${moment(view.outside.epoch)}` : '';
    return `the database is a new one, and ${fileOf(view)} says that another was in use here${known}: that one was lost or emptied, or CAUSEWAY_DATABASE_URL names the wrong one, or ${SHARED}`;
  },
  copied: (view) =>
    view.lies === 'restarted'
      ? `the database server was restarted while no bridge was running, so nobody can tell that it is not a copy: there is no ${fileOf(view)}`
      : 'the database was copied or moved: it does not lie where it was last in use',
  awaiting: ({ awaited }) =>
    `the database is run by another server process, and ${awaited.length === 1 ? 'an instance' : `${awaited.length} instances`} that worked with it before may be working with the old one still: ${awaited.join(', ')}`,
  foreign: (view) =>
    `the database and ${fileOf(view)} belong to different deployments: another database was put in place, or ${SHARED}`,
  missing: (view) => `${fileOf(view)} is not there: it says which deployment works with this database`,
  unusable: ({ outside }) =>
    outside.state === 'unusable' ? `${outside.path} cannot be used: ${outside.words}` : '',
};

/** The identity of the store, and the mark outside. */
export interface DeploymentRepository {
  look(): Promise<DeploymentView>;
  /**
   * Whether the last look left no doubt and store and mark are unchanged since, apart from this process's own
   * increments.
   */
  isUnchanged(): Promise<boolean>;
  /**
   * Raises the epoch, in the store and then outside. Resolves when both are on disk. Throws `StoreFault`,
   * `MarkUnwritable`; a token may not be presented then.
   */
  raise(now: number): Promise<void>;
  /**
   * Compares the database where it is now with what this process has seen: a grant that lacks a fence is
   * withheld, by every instance.
   */
  compare(): Promise<void>;
  /** Records where the database is from now on. False: there is a doubt by now. Throws like `raise`. */
  carry(now: number): Promise<boolean>;
  /** A sign of life of this instance, for the others. */
  present(): Promise<void>;
  /** The last sign of life: this instance stops. */
  leave(): Promise<void>;
  /** Updates the mark outside to the store's, if another process has raised that. Throws like `raise`. */
  follow(): Promise<void>;
  /** Stores a doubt for every process with this store. One that is already stored stays. */
  doubt(why: WrittenDoubt, now: number): Promise<void>;
  /**
   * Leaves out numbers that this state of the database may lack, unless that was done since it was in use, by whichever
   * process.
   */
  skipNumbers(now: number): Promise<void>;
  /**
   * From now on this store, where it is, is the deployment: stores a higher epoch than anybody has seen, in
   * both places. Throws like `raise`, and has acknowledged nothing then.
   */
  acknowledge(now: number): Promise<void>;
}
