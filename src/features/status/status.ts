import type { StatusReport, ReportedAccount } from './model.ts';
import type { StatusRowReader } from './report-rows.ts';
import type { Wave, WaveWithMembers } from '../campaign/waves/model.ts';
import { waveShown, type ShownWave } from '../campaign/waves/shown.ts';
import type { Kind } from '../../mapping/crosswalk/identifier.ts';
import type { Clock } from '../../lib/time/clock.ts';
import { nextTurn } from '../../lib/time/turn.ts';
import { UnknownGroup, type GroupRepository } from './groups.ts';
import { viewOf, type StatusReportFilter } from './report/view.ts';
import type { InvitationGuard } from '../campaign/asking/invitation-guard.ts';
import { filterIn, type Narrowing } from './report/filter-text.ts';
import { beforeWaves, plannedWave, sentWave, withWaves, type Filled } from './report/in-wave.ts';
import { nobodyWords, wouldInvite } from './report/invite-ready.ts';
import { isUnnamed, skippedIn, type Ended, type SkippedReason } from './report/skipped.ts';
import { statusReport, type StatusReportOptions } from './report/report.ts';

export interface StatusParts {
  readonly rows: StatusRowReader;
  readonly groups: Pick<GroupRepository, 'find'>;
  /** Returns the ids of the accounts with these words in contact, address or notes, ignoring case. */
  readonly search: (words: string) => Promise<ReadonlySet<string>>;
  /** The kinds of which V1 has numbers that programs may hold. */
  readonly kinds: () => readonly Kind[];
  readonly clock: Clock;
  readonly options: Omit<StatusReportOptions, 'now'>;
}

/** A restriction of the list of accounts: filters, a saved group, or both. */
export interface WantedView extends StatusReportFilter {
  readonly group?: string | undefined;
}

/** The state of the migration: for the command line, the console and the API alike. */
export class Status {
  readonly #parts: StatusParts;
  #flight: Promise<Read> | undefined;

  constructor(parts: StatusParts) {
    this.#parts = parts;
  }

  /** Simultaneous requests share one answer, because each reads all accounts. */
  async statusReport(): Promise<StatusReport> {
    return (await this.#shared()).report;
  }

  #shared(): Promise<Read> {
    this.#flight ??= this.#read().finally(() => {
      this.#flight = undefined;
    });
    return this.#flight;
  }

  /** The report, restricted to the accounts asked for. Throws `UnknownGroup`. */
  async view({ group, ...filter }: WantedView): Promise<StatusReport> {
    const report = await this.statusReport();
    const saved = await this.#saved(group);
    const narrowed = saved === undefined ? report : viewOf(report, await this.#searched(saved));
    return viewOf(narrowed, await this.#searched(filter));
  }

  /** The accounts that an invitation to those chosen so leaves alone, with the reason. Throws `UnknownGroup`. */
  async skipped({ group, ...filter }: WantedView): Promise<ReadonlyMap<string, SkippedReason>> {
    const { report, ended } = await this.#shared();
    return skippedIn(report.accounts, [filter, (await this.#saved(group)) ?? {}], ended);
  }

  /** What an invitation to those chosen so looks at again for each account. Throws `UnknownGroup`. */
  async guard({ group, ...filter }: WantedView): Promise<Pick<InvitationGuard, 'sparesDeclined'>> {
    return { sparesDeclined: isUnnamed([filter, (await this.#saved(group)) ?? {}], 'declined') };
  }

  async #saved(group: string | undefined): Promise<Narrowing | undefined> {
    if (group === undefined) return undefined;
    const saved = await this.#parts.groups.find(group);
    if (saved === undefined) throw new UnknownGroup(group);
    return saved.filter;
  }

  /**
   * The ids of the accounts that a wave would invite if it were sent now; `waves`: all waves, since an account
   * belongs to one at most.
   */
  async wouldInvite(wave: Wave, waves: readonly WaveWithMembers[]): Promise<readonly string[]> {
    return this.#chosen(await this.statusReport(), wave, waves);
  }

  /** Why a wave would invite nobody now. */
  async nobodyWords(wave: Wave, waves: readonly WaveWithMembers[]): Promise<string> {
    const report = await this.statusReport();
    const filter = await this.#searched(filterIn(new URLSearchParams(wave.query)));
    const meeting = (wanted: StatusReportFilter) =>
      viewOf({ ...report, accounts: report.accounts.map(beforeWaves) }, wanted).accounts;
    const { ready } = filter;
    const unready = ready?.includes('yes') === true ? meeting({ ...filter, ready: undefined }) : [];
    return nobodyWords(meeting(filter), unready, waves);
  }

  /** Waves as they are shown; a planned one has the number of accounts that it would invite now. */
  async shownWaves(waves: readonly WaveWithMembers[]): Promise<readonly ShownWave[]> {
    const report = await this.statusReport();
    return shownIn(await this.#filled(waves, report), report.accounts);
  }

  async #filled(waves: readonly WaveWithMembers[], report: StatusReport) {
    const filled: Filled[] = [];
    for (const wave of waves)
      filled.push(
        wave.state === 'planned'
          ? plannedWave(wave, await this.#chosen(report, wave, waves))
          : sentWave(wave),
      );
    return filled;
  }

  async #chosen(report: StatusReport, wave: Wave, waves: readonly WaveWithMembers[]) {
    const filter = await this.#searched(filterIn(new URLSearchParams(wave.query)));
    const meant = { ...report, accounts: report.accounts.map(beforeWaves) };
    return wouldInvite(viewOf(meant, filter).accounts, wave.most, waves);
  }

  async #searched(filter: StatusReportFilter): Promise<StatusReportFilter> {
    const search = filter.search?.trim() ?? '';
    return search === ''
      ? { ...filter, search: undefined }
      : { ...filter, search, found: await this.#parts.search(search) };
  }

  /** One line of the report, made by the same function; undefined if there is no such account. */
  async account(accountId: string): Promise<ReportedAccount | undefined> {
    const { rows, kinds, clock, options } = this.#parts;
    const now = clock.now();
    const found = await rows.readOne(accountId, now, kinds());
    const report = statusReport(found, { ...options, now });
    const filled = await this.#filled(found.waves, report);
    const first = filled.find(({ ids }) => ids.includes(accountId))?.wave;
    // Only the report of all accounts says whether this one is among those that the wave takes.
    if (first?.state === 'planned' && first.most !== undefined)
      return (await this.statusReport()).accounts.find(({ id }) => id === accountId);
    return withWaves(report.accounts, filled)[0];
  }

  async #read(): Promise<Read> {
    const { rows, kinds, clock, options } = this.#parts;
    const now = clock.now();
    const found = await rows.read(now, kinds());
    // With ten thousand accounts, each of the three steps (reading, judging, formatting) lets other calls run in
    // between.
    await nextTurn();
    const report = statusReport(found, { ...options, now });
    await nextTurn();
    const filled = await this.#filled(found.waves, report);
    return {
      report: {
        ...report,
        accounts: withWaves(report.accounts, filled),
        waves: shownIn(filled, report.accounts),
      },
      ended: new Map(found.runs.map(({ accountId, stopped }) => [accountId, stopped])),
    };
  }
}

/** The report with what only invitations have to know. */
interface Read {
  readonly report: StatusReport;
  readonly ended: Ended;
}

/** For a planned wave, leaves out the accounts that no e-mail reaches. */
function shownIn(filled: readonly Filled[], accounts: readonly ReportedAccount[]): ShownWave[] {
  const unreached = new Set(
    accounts.filter(({ inviteReady }) => inviteReady?.lacks.includes('address')).map(({ id }) => id),
  );
  return filled.map(({ wave, ids }) =>
    waveShown(wave, { accounts: ids.length, unreached: ids.filter((id) => unreached.has(id)).length }),
  );
}
