/**
 * Changes of the service's answers, for operators: reading them, and acknowledging them as the normal form from now on.
 */
import { subjectOf } from '../../usage/drift/model.ts';
import type { DriftWithAccounts } from '../../usage/drift/shown.ts';
import type { StoredDrift } from '../../usage/drift/stored-drift.ts';
import { driftSentence } from '../../usage/drift/words.ts';
import { auditDeed, type AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

/** The parts of the service. */
export interface AdminDriftParts extends AuditParts {
  readonly drift: Pick<StoredDrift, 'alarms' | 'departed' | 'close'>;
  readonly repository: { list(): Promise<readonly { readonly id: string; readonly name: string }[]> };
}

/** The person who accepts a change as normal, and the reason. */
export interface DriftAcknowledgement {
  readonly name: string;
  readonly reason: string;
}

const LONGEST_NAME = 100;
const LONGEST_REASON = 500;

/** The admin service for drift. */
export class AdminDrift {
  readonly #parts: AdminDriftParts;

  constructor(parts: AdminDriftParts) {
    this.#parts = parts;
  }

  /** Milliseconds since the epoch; relative times refer to it. */
  now(): number {
    return this.#parts.clock.now();
  }

  /** Open ones first, with the accounts that are currently shown them. */
  async list(): Promise<readonly DriftWithAccounts[]> {
    const { drift, repository } = this.#parts;
    const alarms = await drift.alarms();
    if (!alarms.some(({ state }) => state === 'open'))
      return alarms.map((alarm) => ({ ...alarm, shownTo: [] }));
    const showing = new Map<string, Set<string>>();
    for (const { departures, ...of } of await drift.departed())
      for (const departure of departures) {
        const { id } = subjectOf(of, departure);
        showing.set(id, (showing.get(id) ?? new Set()).add(of.accountId));
      }
    const accounts = await repository.list();
    return alarms.map((alarm) => {
      const ids = alarm.state === 'open' ? showing.get(alarm.id) : undefined;
      const shownTo = accounts
        .filter(({ id }) => ids?.has(id) === true)
        .map(({ id, name }) => ({ id, name }));
      return { ...alarm, shownTo };
    });
  }

  /**
   * Makes the change the normal form from now on. Throws `AdminRefusal` without name or reason, or if it is not open.
   */
  async acknowledge(id: string, given: DriftAcknowledgement, who: string): Promise<void> {
    const { drift, audit, clock } = this.#parts;
    const [by, reason] = [given.name.trim(), given.reason.trim()];
    if (by === '' || by.length > LONGEST_NAME)
      throw new AdminRefusal('unusable', `say who acknowledges it, in at most ${LONGEST_NAME} characters`);
    if (reason === '' || reason.length > LONGEST_REASON)
      throw new AdminRefusal('unusable', `say why, in at most ${LONGEST_REASON} characters`);
    const alarm = (await this.list()).find((one) => one.id === id);
    if (alarm === undefined)
      throw new AdminRefusal('unknown', 'there is no such change in the service’s replies');
    const at = clock.now();
    const [first] = alarm.shownTo;
    const entry = first && { accountId: first.id, detail: driftSentence(alarm, at) };
    if (!(await drift.close(id, { at, acknowledged: { by, reason } }, entry)))
      throw new AdminRefusal('conflict', `it is ${alarm.state === 'open' ? 'over' : alarm.state} already`);
    const detail = `${driftSentence(alarm, at)}; by ${by}: ${reason}`;
    await auditDeed({ audit, clock }, { who, action: 'drift.acknowledge', detail });
  }
}
