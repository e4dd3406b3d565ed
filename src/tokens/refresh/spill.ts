/**
 * Keeps token pairs that the service has issued and the database could not store, as files in a folder.
 *
 * Without it such a pair would be lost, and with it the grant, because every refresh ends the previous token (V2
 * specification, "Tokens", rule 4). Pairs are sealed as in the database. A file is complete or absent: it is written
 * under another name, synced, and renamed. The sweeper moves pairs into the database when it is back; until then nobody
 * uses them. Any number of processes may share the folder.
 */
import { randomUUID } from 'node:crypto';
import { constants } from 'node:fs';
import { mkdir, open, readdir, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Lease, SealedPair } from '../grant.ts';

/** A pair the service has issued and the store could not accept, with everything needed to store it later. */
export interface Spilled {
  readonly id: string;
  /** The lease of the refresh: while it lasts, the pair is stored as if nothing had happened. */
  readonly lease: Lease;
  /** Keyed hash of the refresh token it is the answer to. */
  readonly parent: string;
  readonly tokens: SealedPair;
  readonly confirmAt: number | undefined;
  /** When the answer came, in milliseconds since the epoch. */
  readonly at: number;
}

/** A place for pairs outside the store. Every method rejects if the place itself fails. */
export interface Spill {
  /** On disk before it resolves. */
  put(spilled: Spilled): Promise<void>;
  /** `unreadable`: how many files contain something else. */
  all(): Promise<{ readonly pairs: readonly Spilled[]; readonly unreadable: number }>;
  remove(id: string): Promise<void>;
}

const SUFFIX = '.pair.json';

/** The place as a folder: one file per pair, readable only by its owner. */
export class SpillFolder implements Spill {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async put(spilled: Spilled): Promise<void> {
    await mkdir(this.#folder, { recursive: true, mode: 0o700 });
    const unfinished = join(this.#folder, `${spilled.id}.${randomUUID()}.unfinished`);
    try {
      const file = await open(unfinished, 'wx', 0o600);
      try {
        await file.writeFile(JSON.stringify(spilled));
        await file.sync();
      } finally {
        await file.close();
      }
      await rename(unfinished, this.#path(spilled.id));
    } catch (error) {
      await rm(unfinished, { force: true });
      throw error;
    }
    await this.#sync();
  }

  async all(): Promise<{ readonly pairs: readonly Spilled[]; readonly unreadable: number }> {
    const names = await this.#names();
    const read = await Promise.all(names.map((name) => this.#read(name)));
    const pairs = read.filter((one) => typeof one === 'object');
    return { pairs, unreadable: read.filter((one) => one === 'unreadable').length };
  }

  async remove(id: string): Promise<void> {
    await rm(this.#path(id), { force: true });
    await this.#sync();
  }

  #path(id: string): string {
    return join(this.#folder, `${id}${SUFFIX}`);
  }

  /** There is no folder until the first pair is spilled. */
  async #names(): Promise<readonly string[]> {
    try {
      return (await readdir(this.#folder)).filter((name) => name.endsWith(SUFFIX)).sort();
    } catch (error) {
      if (isMissing(error)) return [];
      throw error;
    }
  }

  /**
   * What cannot be read (a folder, a pipe, somebody else's file) must not prevent the others from being
   * stored.
   */
  async #read(name: string): Promise<Spilled | 'unreadable' | 'gone'> {
    try {
      const spilled = spilledIn(await textOf(join(this.#folder, name)));
      // Under another pair's name, storing it would delete that pair's file.
      return spilled !== undefined && `${spilled.id}${SUFFIX}` === name ? spilled : 'unreadable';
    } catch (error) {
      // Another process has stored it meanwhile.
      return isMissing(error) ? 'gone' : 'unreadable';
    }
  }

  /** A new name is durable once its folder is synced. */
  async #sync(): Promise<void> {
    const folder = await open(this.#folder, 'r');
    try {
      await folder.sync();
    } finally {
      await folder.close();
    }
  }
}

/** In bytes: a pair is a few kilobytes. */
const LONGEST = 64 * 1024;
/** Follows no link, and does not wait for the writer of a pipe. */
const PLAINLY = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK;

/** Empty for anything but one of our files. */
async function textOf(path: string): Promise<string> {
  const file = await open(path, PLAINLY);
  try {
    const found = await file.stat();
    return found.isFile() && found.size <= LONGEST ? await file.readFile('utf8') : '';
  } finally {
    await file.close();
  }
}

const isMissing = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && Reflect.get(error, 'code') === 'ENOENT';

function spilledIn(text: string): Spilled | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined; // the error quotes the text
  }
  return isSpilled(value) ? value : undefined;
}

type Kind = 'string' | 'number' | 'object';

const hasShape = (value: unknown, shape: Readonly<Record<string, Kind>>): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(shape).every(([name, kind]) => {
    const field: unknown = Reflect.get(value, name);
    return typeof field === kind && field !== null;
  });

const isSpilled = (value: unknown): value is Spilled =>
  hasShape(value, { id: 'string', lease: 'object', parent: 'string', tokens: 'object', at: 'number' }) &&
  /^[\w-]+$/.test((value as Spilled).id) &&
  hasShape((value as Spilled).lease, { grantId: 'string', holder: 'string', fence: 'number' }) &&
  hasShape((value as Spilled).tokens, {
    generation: 'number',
    accessToken: 'string',
    accessExpiresAt: 'number',
    refreshToken: 'string',
  }) &&
  ['number', 'undefined'].includes(typeof (value as Spilled).confirmAt);
