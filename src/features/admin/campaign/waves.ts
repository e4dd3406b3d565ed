/** Waves for operators: planning, starting, stopping, resuming and continuing them, and the plan backwards from V1's end. */
import { startFault } from '../../campaign/schedule/start.ts';
import {
  CONTINUED,
  usualBrake,
  type Wave,
  type WaveState,
  type WaveWithMembers,
} from '../../campaign/waves/model.ts';
import type { ShownWave } from '../../campaign/waves/shown.ts';
import { paceOf, type Pace } from '../../campaign/waves/pace.ts';
import type { CampaignRepository } from '../../campaign/model.ts';
import { withdrawUnsent } from '../../campaign/waves/unsent.ts';
import type { StoredWaves } from '../../campaign/waves/stored-waves.ts';
import { waveStateWords } from '../../status/code-words.ts';
import { filterIn, filterText, unknownIn, unmetWords } from '../../status/report/filter-text.ts';
import { isUninvited } from '../../status/report/invite-ready.ts';
import type { Status } from '../../status/status.ts';
import { counted } from '../../../lib/text/counted.ts';
import { auditDeed, type AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';
import { nameForm } from './groups.ts';

/** The parts of the service. */
export interface AdminWavesParts extends AuditParts {
  readonly waves: Pick<StoredWaves, 'list' | 'add' | 'change' | 'remove' | 'enter' | 'answers'>;
  readonly status: Pick<Status, 'statusReport' | 'shownWaves' | 'wouldInvite' | 'nobodyWords'>;
  /** Marks a planned wave as sent; returns the number of its accounts. Undefined: it was out already, or has changed. */
  readonly sendWave: (wave: Wave, reason: string) => Promise<number | undefined>;
  readonly messages: Pick<CampaignRepository, 'decide'>;
  /** IANA name of the zone of the installation. */
  readonly zone: string;
}

/** A wave as an operator gives it; undefined settings of its brake take their defaults. */
export interface GivenWave {
  readonly name: string;
  readonly query: string;
  readonly most?: number | undefined;
  readonly start?: string | undefined;
  readonly holdHours?: number | undefined;
  readonly mostErrorPercent?: number | undefined;
  readonly mostTroubledPercent?: number | undefined;
  /** Whether it replaces the whole planned wave of its name. Without it an existing name is refused. */
  readonly replace?: boolean | undefined;
}

/** The operator's actions on a wave: the states before, the state after, and the beginning of the reason. */
const waveDeeds = {
  start: { from: ['planned'], to: 'sent', words: 'started by' },
  stop: { from: ['sent', 'good'], to: 'stopped', words: 'stopped by' },
  // The next run judges it as a wave that is out: what stopped it stops it again, unless it has been corrected.
  resume: { from: ['stopped'], to: 'sent', words: 'resumed by' },
  'go-on': { from: ['stopped'], to: 'good', words: CONTINUED },
} as const satisfies Readonly<Record<string, { from: readonly WaveState[]; to: WaveState; words: string }>>;
/** A key of `waveDeeds`. */
export type WaveDeed = keyof typeof waveDeeds;
/** Their names, as used in commands and addresses. */
export const waveDeedNames = Object.keys(waveDeeds) as readonly WaveDeed[];

/** Whether an operator can do this to a wave in this state. Any wave can be removed. */
export const isPossible = (deed: WaveDeed | 'remove', state: WaveState): boolean =>
  deed === 'remove' || waveDeeds[deed].from.some((one) => one === state);

const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 100;

/** The admin service for waves. */
export class AdminWaves {
  readonly #parts: AdminWavesParts;

  /** Shared by console, API and command line. */
  constructor(parts: AdminWavesParts) {
    this.#parts = parts;
  }

  /** In the order in which they are sent. */
  async list(): Promise<readonly ShownWave[]> {
    return this.#parts.status.shownWaves(await this.#parts.waves.list());
  }

  /** Invitations a day, or how many accounts will miss V1's end. */
  async pace(): Promise<Pace> {
    const { waves, status, clock } = this.#parts;
    const { accounts, progress } = await status.statusReport();
    const uninvited = accounts.filter(isUninvited).length;
    return paceOf({ answers: await waves.answers(), uninvited, v1End: progress.v1End?.day }, clock.now());
  }

  /** Plans a wave, or changes a planned one. Throws `AdminRefusal` unusable, unknown or conflict. */
  async save(given: GivenWave, who: string): Promise<void> {
    const { waves, status, clock, zone } = this.#parts;
    const { start, replace = false } = given;
    const wanted = checked(given, start === undefined ? undefined : startFault(zone, start, clock.now()));
    const unmet = unmetWords(wanted.query, (await status.statusReport()).accounts);
    if (unmet !== undefined) throw new AdminRefusal('unusable', unmet);
    const all = await waves.list();
    const before = all.find(({ name }) => name === wanted.name);
    if (replace && before === undefined) throw new AdminRefusal('unknown', `there is no wave ${wanted.name}`);
    const wave: Wave = {
      ...wanted,
      position: before?.position ?? Math.max(0, ...all.map(({ position }) => position)) + 1,
      state: 'planned',
      since: clock.now(),
      reason: `${replace ? 'changed' : 'planned'} by ${who}`,
    };
    if (!(await (replace ? waves.change(wave) : waves.add(wave))))
      throw new AdminRefusal('conflict', takenWords(wave.name, before?.state));
    const detail = `${wave.name}: ${wave.query}`;
    await auditDeed(this.#parts, { who, action: 'waves.save', detail });
  }

  /**
   * Deletes it and withdraws its invitations that have not left; returns how many. It is stopped first: if the process
   * dies half way, the remaining invitations are held back. Throws `AdminRefusal` unknown.
   */
  async remove(name: string, who: string): Promise<number> {
    const { waves, messages, clock } = this.#parts;
    await this.#found(name);
    // From then on the running bridge queues none of its invitations. A wave that is out becomes good, never the reverse.
    for (const from of ['sent', 'good'] as const)
      await waves.enter(name, { from, to: 'stopped', at: clock.now(), reason: `removed by ${who}` });
    const queued = (await this.#found(name)).members.filter(({ isQueued }) => isQueued);
    const removal = { now: clock.now(), actor: who, reason: 'its wave was removed' };
    let count = 0;
    for (const { accountId } of queued) if (await withdrawUnsent(messages, accountId, removal)) count += 1;
    if (!(await waves.remove(name))) throw new AdminRefusal('conflict', changedWords(name));
    const withdrawn = count === 0 ? '' : `, ${counted(count, 'invitation')} withdrawn`;
    await auditDeed(this.#parts, { who, action: 'waves.remove', detail: `${name}${withdrawn}` });
    return count;
  }

  /**
   * One wave, how many accounts it would invite if it were sent now, and until when their e-mails would then wait: its
   * start, unless that has passed. Throws `AdminRefusal` unknown.
   */
  async show(name: string): Promise<{
    readonly wave: WaveWithMembers;
    readonly would: number;
    /** Why it would invite nobody. */
    readonly nobody: string | undefined;
    readonly waits: string | undefined;
  }> {
    const wave = await this.#found(name);
    const { clock, zone } = this.#parts;
    const { start } = wave;
    const isAhead = start !== undefined && startFault(zone, start, clock.now()) === undefined;
    return {
      wave,
      ...(await this.#audience(wave)),
      waits: isAhead ? start.replace('T', ' ') : undefined,
    };
  }

  /**
   * Overrides the brake with a person's decision; returns how many of its invitations are written and have not left.
   * Throws `AdminRefusal` unknown or conflict.
   */
  async act(name: string, deed: WaveDeed, who: string): Promise<number> {
    const { waves, clock, sendWave } = this.#parts;
    const wave = await this.#found(name);
    // A wave without accounts would count as good at once and let the next one go out.
    const isFirst = deed === 'start' && wave.state === 'planned';
    const nobody = isFirst ? (await this.#audience(wave)).nobody : undefined;
    if (nobody !== undefined)
      throw new AdminRefusal('conflict', `the wave ${name} would invite nobody: ${nobody}`);
    const { from, to, words } = waveDeeds[deed];
    const reason = `${words} ${who}`;
    const before = from.find((state) => state === wave.state);
    const isDone =
      before !== undefined &&
      (deed === 'start'
        ? (await sendWave(wave, reason)) !== undefined
        : await waves.enter(name, { from: before, to, at: clock.now(), reason }));
    if (!isDone)
      throw new AdminRefusal(
        'conflict',
        before === undefined
          ? `the wave ${name} is ${waveStateWords(wave.state)}; only one that is ${from.map(waveStateWords).join(' or ')} can be ${words.split(' ')[0] ?? ''}`
          : changedWords(name),
      );
    await auditDeed(this.#parts, { who, action: `waves.${deed}`, detail: name });
    return (await this.#found(name)).members.filter(({ isQueued }) => isQueued).length;
  }

  /** How many accounts a planned wave would invite now, or why it would invite nobody. */
  async #audience(
    wave: WaveWithMembers,
  ): Promise<{ readonly would: number; readonly nobody: string | undefined }> {
    const { status, waves } = this.#parts;
    const all = await waves.list();
    const would = (await status.wouldInvite(wave, all)).length;
    return { would, nobody: would > 0 ? undefined : await status.nobodyWords(wave, all) };
  }

  async #found(name: string): Promise<WaveWithMembers> {
    const wave = (await this.#parts.waves.list()).find((one) => one.name === name);
    if (wave === undefined) throw new AdminRefusal('unknown', `there is no wave ${name}`);
    return wave;
  }
}

const changedWords = (name: string): string => `the wave ${name} has changed meanwhile: look at it again`;

/** Why the name is taken: a wave has it, or has been sent meanwhile. */
const takenWords = (name: string, state: WaveState | undefined): string =>
  state === undefined || state === 'planned'
    ? `the wave ${name} already exists: choose another name, or change that wave (Change, --replace)`
    : `the wave ${name} has gone out and cannot be changed`;

/** Throws `AdminRefusal` unusable. */
function checked(
  {
    name,
    query,
    most,
    start,
    holdHours = usualBrake.holdHours,
    mostErrorPercent = usualBrake.mostErrorPercent,
    mostTroubledPercent = usualBrake.mostTroubledPercent,
  }: GivenWave,
  wrongStart: string | undefined,
): Pick<Wave, 'name' | 'query' | 'most' | 'start' | 'brake'> {
  const wanted = new URLSearchParams(query);
  const unknown = unknownIn(wanted);
  const filter = filterText(filterIn(wanted));
  const faults = [
    [!nameForm.test(name), 'the name of a wave must be 1 to 60 letters, digits, spaces or .-_'],
    [wanted.has('wave'), 'the accounts of a wave cannot be chosen by their wave'],
    [unknown !== undefined, `there is no filter ${unknown ?? ''}`],
    [
      filter === '' && most === undefined,
      'say who belongs to it: give filters such as tag=wave-2, or a maximum number',
    ],
    [
      most !== undefined && !(Number.isInteger(most) && most > 0),
      'the maximum number must be a whole number from 1',
    ],
    [wrongStart !== undefined, wrongStart ?? ''],
    [
      !(Number.isInteger(holdHours) && holdHours >= 0 && holdHours <= 2_000),
      'the hours must be a whole number from 0 to 2,000',
    ],
    [
      !isPercent(mostErrorPercent) || !isPercent(mostTroubledPercent),
      'a share must be a whole number from 0 to 100',
    ],
  ] as const;
  const fault = faults.find(([isWrong]) => isWrong);
  if (fault !== undefined) throw new AdminRefusal('unusable', fault[1]);
  return { name, query: filter, most, start, brake: { holdHours, mostErrorPercent, mostTroubledPercent } };
}
