/** Brown-outs for operators: the preview of the plan, the announcement, the button that stops one, and its results. */
import { createHash } from 'node:crypto';
import type { RandomSource } from '../../../lib/secret/random.ts';
import { instantIn, isLocal, isSkipped } from '../../../lib/time/local.ts';
import { MINUTE } from '../../../lib/time/clock.ts';
import { stateOf, windowFault, type Brownout, type Window } from '../../campaign/brownouts/brownout.ts';
import type { StoredBrownouts } from '../../campaign/brownouts/stored-brownouts.ts';
import type { MailState } from '../../status/codes.ts';
import type { ReportedAccount } from '../../status/model.ts';
import { filterText, unmetWords } from '../../status/report/filter-text.ts';
import type { Status } from '../../status/status.ts';
import { auditDeed, type AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';
import { filterOf } from './groups.ts';

/** The parts of the service. */
export interface AdminBrownoutsParts extends AuditParts {
  readonly brownouts: Pick<StoredBrownouts, 'plan' | 'candidates' | 'stop' | 'list'>;
  readonly status: Pick<Status, 'view' | 'statusReport'>;
  readonly random: Pick<RandomSource, 'id'>;
  /** IANA name of the zone in which operators enter times. */
  readonly zone: string;
}

/** A brown-out as an operator gives it. */
export interface GivenBrownout {
  /** Filters of the list of accounts: `tag=developers`. */
  readonly query: string;
  /** `2026-11-30T09:00` in the zone of the installation. */
  readonly start: string;
  readonly minutes: number;
}

/** The effect of a planned brown-out. */
export interface BrownoutPlan extends Window {
  readonly query: string;
  /** Accounts whose reads would be refused: those that still use V1 and have no other brown-out ahead. */
  readonly accounts: number;
  /** A hash of which accounts these are. */
  readonly accountsHash: string;
  /** Calls of these that V1 answered in the last 24 hours. */
  readonly calls24h: number;
  /** Those of these accounts that no e-mail reaches: only their programs get the announcement. */
  readonly untold: number;
  /** The others that match the filter: they have consented, were never on V1, or have another one ahead. */
  readonly leftAlone: number;
}

const takenAll = (): AdminRefusal =>
  new AdminRefusal(
    'conflict',
    'each of these accounts on V1 already has a brown-out ahead; stop that one first',
  );

/** The states of an account that no e-mail reaches. */
const UNREACHED: ReadonlySet<string> = new Set<MailState>(['no-address', 'dead', 'unsubscribed']);

function hashOf(accounts: readonly ReportedAccount[]): string {
  const ids = accounts.map(({ id }) => id).toSorted();
  return createHash('sha256').update(ids.join(' ')).digest('hex');
}

/** The admin service for brown-outs. */
export class AdminBrownouts {
  readonly #parts: AdminBrownoutsParts;

  constructor(parts: AdminBrownoutsParts) {
    this.#parts = parts;
  }

  /** Newest first. */
  async list(): Promise<readonly Brownout[]> {
    const { brownouts, clock } = this.#parts;
    const now = clock.now();
    return (await brownouts.list()).map((one) => ({ ...one, state: stateOf(one, now) }));
  }

  /** What `plan` would do. Throws `AdminRefusal` unusable or conflict. */
  async preview(given: GivenBrownout): Promise<BrownoutPlan> {
    const [plan] = await this.#planned(given);
    return plan;
  }

  /** Announces it. Throws `AdminRefusal` unusable, or conflict if none of the accounts can be in it. */
  async plan(given: GivenBrownout, who: string): Promise<BrownoutPlan> {
    const { brownouts, random, clock } = this.#parts;
    const [plan, accounts] = await this.#planned(given);
    const { query, from, to } = plan;
    const detail = `${new Date(from).toISOString()}, ${given.minutes} minutes: ${query}`;
    const marked = await brownouts.plan(
      { id: random.id(), query, from, to, plannedAt: clock.now(), who },
      accounts.map(({ id }) => id),
    );
    if (marked === 0) throw takenAll();
    await auditDeed(this.#parts, { who, action: 'brownouts.plan', detail });
    return { ...plan, accounts: marked };
  }

  /** Takes effect at once, in every bridge. Throws `AdminRefusal` conflict. */
  async stop(id: string, who: string): Promise<void> {
    if (!(await this.#parts.brownouts.stop(id, this.#parts.clock.now(), who)))
      throw new AdminRefusal('conflict', 'no such brown-out is ahead or under way');
    await auditDeed(this.#parts, { who, action: 'brownouts.stop', detail: id });
  }

  async #planned(given: GivenBrownout): Promise<readonly [BrownoutPlan, readonly ReportedAccount[]]> {
    const { status, brownouts, clock } = this.#parts;
    const window = this.#windowOf(given);
    const filter = filterOf(new URLSearchParams(given.query));
    const query = filterText(filter);
    if (query === '')
      throw new AdminRefusal('unusable', 'say whose reads to refuse: give filters such as tag=developers');
    // Asked for together, they are read once.
    const [all, report] = await Promise.all([status.statusReport(), status.view(filter)]);
    const unmet = unmetWords(query, all.accounts);
    if (unmet !== undefined) throw new AdminRefusal('conflict', unmet);
    const { free, someAhead } = await brownouts.candidates(
      report.accounts.map(({ id }) => id),
      clock.now(),
    );
    if (free.size === 0)
      throw someAhead
        ? takenAll()
        : new AdminRefusal('conflict', 'none of these accounts uses V1: no read would be refused');
    const accounts = report.accounts.filter(({ id }) => free.has(id));
    const plan = {
      ...{ query, ...window, accounts: accounts.length },
      accountsHash: hashOf(accounts),
      calls24h: accounts.reduce((sum, { v1Calls24h }) => sum + v1Calls24h, 0),
      untold: accounts.filter(({ mail }) => UNREACHED.has(mail)).length,
      leftAlone: report.accounts.length - accounts.length,
    };
    return [plan, accounts];
  }

  #windowOf({ start, minutes }: GivenBrownout): Window {
    const { zone, clock } = this.#parts;
    if (!isLocal(start)) throw new AdminRefusal('unusable', 'the start must be a time like 2026-11-30T09:00');
    if (isSkipped(zone, start))
      throw new AdminRefusal(
        'unusable',
        `${start.replace('T', ' ')} is skipped in ${zone}: the clocks go forward`,
      );
    const from = instantIn(zone, start);
    const window = { from, to: from + minutes * MINUTE };
    const fault = windowFault(window, clock.now());
    if (fault !== undefined) throw new AdminRefusal('unusable', fault);
    return window;
  }
}
