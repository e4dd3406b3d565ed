/** Waves for operators: planned, started, stopped and let go on by a person, and the plan backwards from V1's end. */
import { startFault } from '../../campaign/schedule/start.ts';
import { usualBrake, type Wave, type WaveWithMembers } from '../../campaign/waves/model.ts';
import { paceOf, type Pace } from '../../campaign/waves/pace.ts';
import type { StoredWaves } from '../../campaign/waves/stored-waves.ts';
import { filterIn, filterText, unknownIn } from '../../status/report/filter-text.ts';
import type { Status } from '../../status/status.ts';
import { auditDeed, type AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';
import { nameForm } from './groups.ts';

/** What the service works with. */
export interface AdminWavesParts extends AuditParts {
  readonly waves: Pick<StoredWaves, 'list' | 'save' | 'remove' | 'enter' | 'answers'>;
  readonly status: Pick<Status, 'statusReport'>;
  /** Sends a planned wave out now; returns how many accounts. */
  readonly sendWave: (wave: Wave, reason: string) => Promise<number | undefined>;
  /** IANA name of the zone of the installation. */
  readonly zone: string;
  /** Whom it would invite now. */
  readonly waveMembers: (wave: Wave) => Promise<readonly string[]>;
}

/** A wave as an operator gives it; what of its brake is undefined is as usual. */
export interface GivenWave {
  readonly name: string;
  readonly query: string;
  readonly most?: number | undefined;
  readonly start?: string | undefined;
  readonly holdHours?: number | undefined;
  readonly mostErrorPercent?: number | undefined;
  readonly mostTroubledPercent?: number | undefined;
}

/** What a person can do with a wave: from which state into which, and how the reason begins. */
const waveDeeds = {
  start: { from: 'planned', to: 'sent', words: 'started by' },
  stop: { from: 'sent', to: 'stopped', words: 'stopped by' },
  'go-on': { from: 'stopped', to: 'good', words: 'let go on by' },
} as const;
/** One of them. */
export type WaveDeed = keyof typeof waveDeeds;
/** Their names, as commands and addresses have them. */
export const waveDeedNames = Object.keys(waveDeeds) as readonly WaveDeed[];

const isPercent = (value: number): boolean => Number.isInteger(value) && value >= 0 && value <= 100;

/** The admin service for waves. */
export class AdminWaves {
  readonly #parts: AdminWavesParts;

  /** Shared by console, API and command line. */
  constructor(parts: AdminWavesParts) {
    this.#parts = parts;
  }

  /** In the order in which they go out. */
  list(): Promise<readonly WaveWithMembers[]> {
    return this.#parts.waves.list();
  }

  /** Invitations a day, or how many accounts miss V1's end. */
  async pace(): Promise<Pace> {
    const { waves, status, clock } = this.#parts;
    const { accounts, progress } = await status.statusReport();
    const uninvited = accounts.filter(
      ({ stage, invitation }) => stage === 'legacy' && invitation.state === 'none',
    ).length;
    return paceOf({ answers: await waves.answers(), uninvited, v1End: progress.v1End?.day }, clock.now());
  }

  /** Replaces a planned wave of the same name. Throws `AdminRefusal` unusable or conflict. */
  async save(given: GivenWave, who: string): Promise<void> {
    const { waves, clock, zone } = this.#parts;
    const { start } = given;
    const all = await waves.list();
    const before = all.find(({ name }) => name === given.name);
    const wave: Wave = {
      ...checked(given, start === undefined ? undefined : startFault(zone, start, clock.now())),
      position: before?.position ?? Math.max(0, ...all.map(({ position }) => position)) + 1,
      state: 'planned',
      since: clock.now(),
      reason: `planned by ${who}`,
    };
    if (!(await waves.save(wave)))
      throw new AdminRefusal('conflict', `${wave.name} has gone out and cannot be changed`);
    const detail = `${wave.name}: ${wave.query}`;
    await auditDeed(this.#parts, { who, action: 'waves.save', detail });
  }

  /** Its accounts stay as they are. Throws `AdminRefusal` unknown. */
  async remove(name: string, who: string): Promise<void> {
    if (!(await this.#parts.waves.remove(name)))
      throw new AdminRefusal('unknown', `there is no wave ${name}`);
    await auditDeed(this.#parts, { who, action: 'waves.remove', detail: name });
  }

  /** One wave, and how many accounts it would invite if it went out now. Throws `AdminRefusal` unknown. */
  async show(name: string): Promise<{ readonly wave: WaveWithMembers; readonly would: number }> {
    const wave = await this.#found(name);
    return { wave, would: (await this.#parts.waveMembers(wave)).length };
  }

  /** A person decides instead of the brake. Throws `AdminRefusal` unknown or conflict. */
  async act(name: string, deed: WaveDeed, who: string): Promise<void> {
    const { waves, clock, sendWave } = this.#parts;
    const wave = await this.#found(name);
    const { from, to, words } = waveDeeds[deed];
    const reason = `${words} ${who}`;
    await auditDeed(this.#parts, { who, action: `waves.${deed}`, detail: name });
    const isDone =
      wave.state === from &&
      (deed === 'start'
        ? (await sendWave(wave, reason)) !== undefined
        : await waves.enter(name, { from, to, at: clock.now(), reason }));
    if (!isDone)
      throw new AdminRefusal(
        'conflict',
        `${name} is ${wave.state}; only one that is ${from} can be ${words.split(' ')[0] ?? ''}`,
      );
  }

  async #found(name: string): Promise<WaveWithMembers> {
    const wave = (await this.#parts.waves.list()).find((one) => one.name === name);
    if (wave === undefined) throw new AdminRefusal('unknown', `there is no wave ${name}`);
    return wave;
  }
}

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
    [!nameForm.test(name), 'the name of a wave has 1 to 60 letters, digits, spaces or .-_'],
    [unknown !== undefined, `there is no filter ${unknown ?? ''}`],
    [
      filter === '' && most === undefined,
      'say who belongs to it: filters such as tag=wave-2, or how many at most',
    ],
    [
      most !== undefined && !(Number.isInteger(most) && most > 0),
      'how many at most must be a whole number from 1 on',
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
