import type { UpstreamAnswer } from './model.ts';
import { discard } from './transport/outcome.ts';

const MOST_REMEMBERED = 10_000;

/**
 * V2 platforms spell the same collection differently (`job-status`, `job-statuses`), and only trying tells
 * which spelling an organisation's platform has. Working spellings are cached; the oldest is dropped first.
 */
export class Spellings {
  /** For each spelling of a collection with several: all of them, the documented one first. */
  readonly groups: ReadonlyMap<string, readonly string[]>;
  readonly #most: number;
  readonly #known = new Map<string, string>();

  constructor(groups: readonly (readonly string[])[], most = MOST_REMEMBERED) {
    this.groups = new Map(groups.flatMap((group) => group.map((spelling) => [spelling, group])));
    this.#most = most;
  }

  /** The spellings to try, in order: the one that worked, otherwise the given one, then the others. */
  of(organisationId: string, given: string): readonly [string, ...string[]] {
    const first = this.#known.get(keyOf(organisationId, given)) ?? given;
    return [first, ...(this.groups.get(given) ?? []).filter((spelling) => spelling !== first)];
  }

  /** Sends under one spelling after another until one exists. */
  async tried(
    organisationId: string,
    [given = '', ...rest]: readonly string[],
    isSafe: boolean,
    send: (segments: readonly string[]) => Promise<UpstreamAnswer>,
  ): Promise<UpstreamAnswer> {
    const [first, ...others] = this.#worthTrying(organisationId, given, rest.length > 0, isSafe);
    let spelling = first;
    let answer = await send([spelling, ...rest]);
    for (const other of others) {
      if (!leadsElsewhere(answer)) break;
      const next = await send([other, ...rest]);
      // "The record does not exist" says more than "nothing can be read under this spelling".
      const saysLess = next.status === 405 && answer.status === 404;
      discard(saysLess ? next : answer);
      if (!saysLess) [spelling, answer] = [other, next];
    }
    if (answer.status >= 200 && answer.status < 300) this.remember(organisationId, given, spelling);
    return answer;
  }

  /** `given` was requested, and `spelling` was answered. */
  remember(organisationId: string, given: string, spelling: string): void {
    if (!this.groups.has(given)) return;
    const key = keyOf(organisationId, given);
    this.#known.delete(key);
    this.#known.set(key, spelling);
    const oldest = this.#known.keys().next();
    if (this.#known.size > this.#most && oldest.done !== true) this.#known.delete(oldest.value);
  }

  /**
   * A write is sent once, whatever the answer. For a whole collection 404 can only mean the spelling; for a
   * record it means the record, once the spelling has been seen to work.
   */
  #worthTrying(
    organisationId: string,
    given: string,
    isRecord: boolean,
    isSafe: boolean,
  ): readonly [string, ...string[]] {
    const all = this.of(organisationId, given);
    const isSettled = isRecord && this.#known.has(keyOf(organisationId, given));
    return isSafe && !isSettled ? all : [all[0]];
  }
}

/** 405: the collection is read under one spelling and written under another, as staff are. */
const leadsElsewhere = ({ status }: UpstreamAnswer): boolean => status === 404 || status === 405;

const keyOf = (organisationId: string, given: string): string => `${organisationId}\n${given}`;
