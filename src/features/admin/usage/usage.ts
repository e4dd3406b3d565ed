/**
 * The use of methods and elements by an account's programs, for operators: reading it, naming programs, switching it on
 * and off.
 *
 * Also works out from it what accounts would miss after a change of route.
 */
import { setImmediate as turn } from 'node:timers/promises';
import type { Account } from '../../accounts/account.ts';
import { auditAccount, type AuditParts } from '../audit.ts';
import type { ApiVersion } from '../../../mapping/routes/routes.ts';
import { dayText } from '../../accounts/history.ts';
import type { AccountUse, Met, MethodUse, Names } from '../../usage/names/account-use.ts';
import type { UsageStore } from '../../usage/usage-store.ts';
import type { ApiReadiness, Readiness, ReadinessRules } from '../../usage/readiness/readiness.ts';
import { AdminRefusal } from '../refusal.ts';

/** A name with its count, and the first and last days on which it was seen, as `2026-11-20`. */
export interface UsedName {
  readonly name: string;
  readonly count: number;
  readonly first: string;
  readonly last: string;
}

/** How one program uses one method. Times in milliseconds since the epoch. */
export interface UsedMethod extends Pick<MethodUse, 'calls' | 'failed' | 'requests' | 'replies'> {
  readonly method: string;
  readonly since: number;
  readonly until: number;
  readonly sources: Readonly<Record<string, number>>;
  readonly parameters: readonly UsedName[];
  readonly sent: readonly UsedName[];
  readonly received: readonly UsedName[];
}

/** One program of an account. */
export interface UsedProgram {
  readonly key: string;
  /** The operator's name for it; undefined if it has none yet. */
  readonly name: string | undefined;
  /** The product name that it gives itself; empty if it gives none. */
  readonly agent: string;
  readonly calls: number;
  readonly since: number;
  readonly until: number;
  /** The most used first. */
  readonly methods: readonly UsedMethod[];
}

/** All counts of an account. */
export interface AccountUsage {
  readonly account: Account;
  /** Whether calls are counted: `CAUSEWAY_USAGE`, and for this account. */
  readonly isOn: boolean;
  /** Methods of the mapping. */
  readonly known: number;
  /** Undefined if no call was counted yet. */
  readonly readiness: Readiness | undefined;
  /** The most used first. */
  readonly programs: readonly UsedProgram[];
}

/** What accounts would miss if an API served some methods. */
export interface MissedByUse {
  /** Accounts that use one of the methods. */
  readonly using: number;
  /** Those that would miss something. */
  readonly missing: number;
  /** Accounts with too few calls to tell. */
  readonly unseen: number;
  /** The most frequent first. */
  readonly what: readonly { readonly what: string; readonly accounts: number; readonly seen: number }[];
}

/** The parts of the service. */
export interface AdminUsageParts extends AuditParts {
  readonly usage: UsageStore;
  readonly rules: () => ReadinessRules;
  /** `CAUSEWAY_USAGE`. */
  readonly isCounted: boolean;
}

const LONGEST_NAME = 100;
/** Accounts whose readiness is read at once: calls wait while it is parsed. */
const READ_AT_ONCE = 100;

/** The admin service for usage. */
export class AdminUsage {
  readonly #parts: AdminUsageParts;

  constructor(parts: AdminUsageParts) {
    this.#parts = parts;
  }

  /** All counts of one account, including the calls that this process has just served. */
  async show(account: Account): Promise<AccountUsage> {
    const { usage, rules, isCounted, clock } = this.#parts;
    await usage.recorder.flush(account.id);
    const use = await usage.stored.find(account.id);
    const named = await usage.stored.programs(account.id);
    const names = new Map(named.map(({ program, name }) => [program, name]));
    const isOn = isCounted && (await usage.stored.isOn(account.id));
    return {
      ...{ account, isOn, known: rules().count },
      readiness: rules().judge(use, account.product, isOn ? clock.now() : undefined),
      programs: programsIn(use, names, rules()),
    };
  }

  /** Names a program; an empty name removes it. Throws `AdminRefusal` unknown or unusable. */
  async name(account: Account, program: string, given: string, who: string): Promise<void> {
    const { usage, clock } = this.#parts;
    const name = given.trim();
    if (name.length > LONGEST_NAME || /\p{Cc}/u.test(name))
      throw new AdminRefusal('unusable', `a name must be one line of at most ${LONGEST_NAME} characters`);
    await usage.recorder.flush(account.id);
    const { programs } = await usage.stored.find(account.id);
    const keys = [...programs.keys()].filter((key) => key === program);
    if (keys.length === 0) throw new AdminRefusal('unknown', `${account.name} has no program ${program}`);
    await usage.stored.name(account.id, { program, name }, { at: clock.now(), actor: who });
    await auditAccount(this.#parts, account, {
      who,
      action: 'usage.name',
      detail: `${program}: ${name === '' ? 'no name' : name}`,
    });
  }

  /** Whether calls of the account are counted. */
  async switch(account: Account, isOn: boolean, who: string): Promise<void> {
    await this.#parts.usage.stored.switch(account.id, isOn);
    await auditAccount(this.#parts, account, { who, action: 'usage.switch', detail: isOn ? 'on' : 'off' });
  }

  /** What the accounts would miss if `api` served the methods, judged by their use. */
  async missed(
    methods: readonly string[],
    api: ApiVersion,
    accounts: readonly Pick<Account, 'id' | 'product'>[],
  ): Promise<MissedByUse> {
    const wanted = new Set(methods);
    const what = new Map<string, { accounts: number; seen: number }>();
    let [using, missing, unseen] = [0, 0, 0];
    for await (const readiness of this.#readinessOf(accounts)) {
      const reasons = readiness?.[api].reasons.filter(({ method }) => wanted.has(method)) ?? [];
      const missed = reasons.filter(({ isMissed }) => isMissed);
      if (readiness?.used.some((id) => wanted.has(id)) === true) using += 1;
      if (missed.length > 0) missing += 1;
      else if (readiness === undefined || isShort(readiness[api])) unseen += 1;
      for (const reason of missed) {
        const known = what.get(reason.what) ?? { accounts: 0, seen: 0 };
        what.set(reason.what, { accounts: known.accounts + 1, seen: known.seen + reason.seen });
      }
    }
    const sorted = Array.from(what, ([name, counts]) => ({ what: name, ...counts }));
    return { using, missing, unseen, what: sorted.sort((a, b) => b.seen - a.seen) };
  }

  /** For one account the present readiness, for many the last one worked out. */
  async *#readinessOf(
    accounts: readonly Pick<Account, 'id' | 'product'>[],
  ): AsyncGenerator<Readiness | undefined> {
    const { usage, rules, isCounted, clock } = this.#parts;
    const [one, ...others] = accounts;
    if (one !== undefined && others.length === 0) {
      await usage.recorder.flush(one.id);
      const isOn = isCounted && (await usage.stored.isOn(one.id));
      yield rules().judge(await usage.stored.find(one.id), one.product, isOn ? clock.now() : undefined);
      return;
    }
    for (let from = 0; from < accounts.length; from += READ_AT_ONCE) {
      const some = accounts.slice(from, from + READ_AT_ONCE);
      const stored = await usage.stored.readiness(some.map(({ id }) => id));
      for (const { id } of some) yield readinessIn(stored.get(id));
      await turn();
    }
  }
}

const isShort = ({ state }: ApiReadiness): boolean => state === 'not-enough-seen';

/** The stored readiness; undefined if none was worked out. */
export const readinessIn = (text: string | undefined): Readiness | undefined =>
  text === undefined || text === '' ? undefined : (JSON.parse(text) as Readiness);

function programsIn(
  { programs }: AccountUse,
  names: ReadonlyMap<string, string>,
  rules: ReadinessRules,
): readonly UsedProgram[] {
  return Array.from(programs, ([key, { agent, methods }]): UsedProgram => {
    const used = Array.from(methods, ([id, use]) => usedMethod(id, use, rules)).sort(byCalls);
    return {
      key,
      name: names.get(key),
      agent,
      calls: used.reduce((sum, { calls }) => sum + calls, 0),
      since: used.reduce((first, { since }) => Math.min(first, since), Infinity),
      until: used.reduce((last, { until }) => Math.max(last, until), 0),
      methods: used,
    };
  }).sort(byCalls);
}

const byCalls = (a: { readonly calls: number }, b: { readonly calls: number }): number => b.calls - a.calls;

const usedMethod = (method: string, use: MethodUse, rules: ReadinessRules): UsedMethod => ({
  method,
  calls: use.calls,
  failed: use.failed,
  requests: use.requests,
  replies: use.replies,
  since: use.first,
  until: use.last,
  sources: Object.fromEntries(use.sources),
  parameters: usedNames(use.parameters),
  sent: usedNames(use.sent, (path) => rules.elementName(method, 'sent', path)),
  received: usedNames(use.received, (path) => rules.elementName(method, 'received', path)),
});

/** The most frequent first; merges names of the same element. */
function usedNames(names: Names, nameOf = (name: string): string => name): readonly UsedName[] {
  const together = new Map<string, Met>();
  for (const [name, met] of names) {
    const known = together.get(nameOf(name)) ?? { ...met, count: 0 };
    const [first, last] = [Math.min(known.first, met.first), Math.max(known.last, met.last)];
    together.set(nameOf(name), { count: known.count + met.count, first, last });
  }
  return Array.from(together, ([name, { count, first, last }]) => ({
    ...{ name, count, first: dayText(first), last: dayText(last) },
  })).sort((a, b) => b.count - a.count || (a.name < b.name ? -1 : 1));
}
