/**
 * Addresses of hosts by name, for connections of which many may be opened at once.
 *
 * Node resolves names on a few threads that all names share. If the name server of one name does not answer, each
 * connection to it would take a thread for ten seconds or more, and hosts of other names could not be reached either. So
 * each name is resolved once at a time, for all connections that wait for it. While that takes long, or fails for the
 * moment, they use the addresses that were found last (as RFC 8767 has it for name servers).
 */
import { lookup, type LookupAddress, type LookupAllOptions, type LookupOptions } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { HOUR, SECOND } from '../time/clock.ts';
import { systemTimer, type Timer } from '../time/timer.ts';

type Found = (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void;

export interface HostLookupParts {
  /** Asks the system. */
  readonly resolve?: ((host: string, options: LookupAllOptions, found: Found) => void) | undefined;
  readonly timer?: Timer | undefined;
  /** Milliseconds of a clock that only runs forwards. */
  readonly now?: (() => number) | undefined;
}

interface Name {
  /** When the system was asked, and who waits for what it says; undefined: it is not being asked. */
  asked: { readonly at: number; readonly waiting: Set<Found> } | undefined;
  last: { readonly at: number; readonly addresses: LookupAddress[] } | undefined;
}

/** In milliseconds: how long a new answer is waited for if there is an old one. */
const PATIENCE = SECOND;
/** In milliseconds: the age of the oldest addresses that are used. */
const KEPT = HOUR;
/** The name does not exist: its old addresses are not its own any more. */
const NO_SUCH_NAME = 'ENOTFOUND';

/** Resolves the names of a few configured hosts. */
export class HostLookup {
  readonly #resolve: NonNullable<HostLookupParts['resolve']>;
  readonly #timer: Timer;
  readonly #now: () => number;
  readonly #names = new Map<string, Name>();

  constructor({
    resolve = lookup,
    timer = systemTimer,
    now = () => performance.now(),
  }: HostLookupParts = {}) {
    this.#resolve = resolve;
    this.#timer = timer;
    this.#now = now;
  }

  /** In place of Node's own, for sockets. */
  readonly lookup: LookupFunction = (host, options, done) => {
    this.#find(host, options, (error, addresses) => {
      const [first] = addresses;
      if (error !== null || first === undefined) done(error ?? notFound(host), []);
      else if (options.all === true) done(null, addresses);
      else done(null, first.address, first.family);
    });
  };

  #find(host: string, options: LookupOptions, found: Found): void {
    const key = `${host} ${options.family ?? 0}`;
    let name = this.#names.get(key);
    if (name === undefined) this.#names.set(key, (name = { asked: undefined, last: undefined }));
    const { at, waiting } = (name.asked ??= this.#ask(name, host, options));
    waiting.add(found);
    const { last } = name;
    const now = this.#now();
    if (last === undefined || now - last.at > KEPT) return;
    this.#timer(Math.max(0, PATIENCE - (now - at)), () => {
      if (waiting.delete(found)) found(null, last.addresses);
    });
  }

  #ask(name: Name, host: string, options: LookupOptions): NonNullable<Name['asked']> {
    const asked = { at: this.#now(), waiting: new Set<Found>() };
    this.#resolve(host, { ...options, all: true }, (error, addresses) => {
      name.asked = undefined;
      if (error === null) name.last = { at: this.#now(), addresses };
      else if (error.code === NO_SUCH_NAME) name.last = undefined;
      const isKnown = name.last !== undefined && this.#now() - name.last.at <= KEPT;
      for (const found of asked.waiting)
        if (isKnown) found(null, name.last?.addresses ?? []);
        else found(error, []);
      asked.waiting.clear();
    });
    return asked;
  }
}

const notFound = (host: string): NodeJS.ErrnoException =>
  Object.assign(new Error(`no address of ${host}`), { code: NO_SUCH_NAME });
