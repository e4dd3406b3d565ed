/**
 * The operator's view of the ledger of writes: list, show, and settle those that cannot be decided automatically.
 *
 * The values that were sent are personal data: `list` never opens them, `find` opens them for one write. Of a write that
 * counts as not done, both open the steps, which are in its row: they say whether only the reply is missing. `check` says
 * whether a write can be settled in a given way, and changes nothing; `settle` is final and is recorded in the audit
 * log before and after. A number is required exactly for methods that create a record, so that no two writes can be
 * settled with the same one.
 */
import type { AccountRepository } from '../accounts/model.ts';
import { PAGE_LASTS, type ListRows } from '../../lib/text/list-order.ts';
import { DAY, type Clock } from '../../lib/time/clock.ts';
import type { Seal } from '../../lib/secret/seal.ts';
import { sealedAs } from '../../tokens/sealing/sealed.ts';
import type { Write, WriteFacts, WritePage, WriteRepository } from '../writes/model.ts';
import { readableSteps } from '../writes/rows/sealed-steps.ts';
import { partDone, type WriteStep } from '../writes/steps.ts';
import { adviceOf, writeWords } from '../writes/words.ts';
import type { AuditRepository } from './audit.ts';
import { TEXT_NUMBER } from '../../mapping/compile/model.ts';
import { idKey, type Crosswalk } from '../../mapping/crosswalk/identifier.ts';
import { AdminRefusal } from './refusal.ts';

/** A write in the ledger, with all sent values still sealed. */
export interface ListedWrite extends Write {
  /** Name of the account. */
  readonly account: string;
  /** Its state, for people. */
  readonly stateWords: string;
}

/** One write with the values sent: personal data of the customer's customers. */
export interface ShownWrite {
  readonly write: ListedWrite;
  /** Undefined: no key of this bridge opens it. */
  readonly facts: WriteFacts | undefined;
  /** Set if the write takes several calls to the service. */
  readonly steps: readonly WriteStep[];
  readonly advice: string;
  /** It creates a record, so `done` comes with a number. */
  readonly isNumbered: boolean;
}

/** A write that can be settled as an operator wants. */
export interface CheckedWrite extends ShownWrite {
  /** What speaks against the number, as a sentence without its full stop. */
  readonly doubt: string | undefined;
}

/** The operator's finding about a write. */
export type Finding =
  { readonly settlement: 'done'; readonly made?: string | undefined } | { readonly settlement: 'not-done' };

export interface AdminWritesParts {
  readonly writes: Pick<WriteRepository, 'list' | 'find' | 'settle'>;
  readonly repository: Pick<AccountRepository, 'byId'>;
  readonly seal: Pick<Seal, 'open'>;
  readonly crosswalk: Pick<Crosswalk, 'uuids'>;
  /** The kind of record that a call creates, as the ledger names it; undefined if it creates none. */
  readonly madeBy: (method: string, facts: WriteFacts | undefined) => string | undefined;
  /** How long a write whose outcome is known is kept, in days. */
  readonly writesDays: number;
  readonly audit: Pick<AuditRepository, 'write'>;
  readonly clock: Clock;
}

/** The format in which the service, or the bridge, numbers records. */
const NUMBER = /^[A-Za-z0-9][A-Za-z0-9._/-]{0,63}$/;
const INTEGER = /^[1-9]\d{0,9}$/;
const BY_HAND = 'a person looked';
/** They identify the caller and do not belong to the values sent. */
const KEYS = new Set(['apikey', 'accountkey']);

/** The writes (calls that create, change or delete) and their outcomes. */
export class AdminWrites {
  readonly #parts: AdminWritesParts;

  constructor(parts: AdminWritesParts) {
    this.#parts = parts;
  }

  /** The rows of the list. */
  get rows(): ListRows<Write> {
    const { clock, writesDays } = this.#parts;
    const keptSince = clock.now() - writesDays * DAY + PAGE_LASTS;
    // An open write that nobody carries out is deleted at any age.
    const isKept = ({ state, createdAt }: Write): boolean => state !== 'open' && createdAt >= keptSince;
    return { idOf: ({ id }) => id, isKept };
  }

  /** Newest first. */
  async list(page: WritePage): Promise<readonly ListedWrite[]> {
    const found = await this.#parts.writes.list(page);
    const names = new Map<string, string>();
    for (const { accountId } of found)
      if (!names.has(accountId)) names.set(accountId, await this.#nameOf(accountId));
    return found.map((write) => this.#listed(write, names.get(write.accountId) ?? write.accountId));
  }

  /** Throws `AdminRefusal` unknown. */
  async find(id: string): Promise<ShownWrite> {
    const write = await this.#find(id);
    const facts = this.#factsOf(write);
    const steps = readableSteps(this.#parts.seal, write);
    return {
      steps,
      write: this.#listed(write, await this.#nameOf(write.accountId)),
      facts,
      advice: adviceOf(write, steps),
      isNumbered: this.#parts.madeBy(write.method, facts) !== undefined,
    };
  }

  /**
   * Like `find`, if the write can be settled like this. Throws `AdminRefusal` unknown or unusable (the
   * number).
   */
  async check(id: string, finding: Finding): Promise<CheckedWrite> {
    const shown = await this.find(id);
    const kind = this.#parts.madeBy(shown.write.method, shown.facts);
    check(shown.write, finding, kind, shown.facts);
    const isKnown = await this.#isKnown(shown.write, finding, kind);
    const doubt = isKnown ? undefined : 'No record with this number is known here: check it in the service';
    return { ...shown, doubt };
  }

  /**
   * Whether a record with the number is known; true where there is nothing to look up. Throws `AdminRefusal` unusable if
   * it was known before the write began.
   */
  async #isKnown(
    { accountId, knownTo }: Write,
    finding: Finding,
    kind: string | undefined,
  ): Promise<boolean> {
    if (finding.settlement !== 'done' || finding.made === undefined) return true;
    if (kind === undefined || kind === TEXT_NUMBER) return true;
    const number = Number(finding.made);
    const known = await this.#parts.crosswalk.uuids(accountId, [{ kind, number }]);
    if (!known.has(idKey(kind, number))) return false;
    if (knownTo !== undefined && number <= knownTo)
      throw new AdminRefusal(
        'unusable',
        `the record ${number} was known before the write began, so another call made it`,
      );
    return true;
  }

  /**
   * Final. The operator's request is recorded before it is carried out. Throws `AdminRefusal` unknown,
   * unusable (the number), or conflict (already settled, or another write created that record).
   */
  async settle(id: string, finding: Finding, who: string): Promise<ListedWrite> {
    const { writes, clock, madeBy, seal } = this.#parts;
    const write = await this.#find(id);
    const facts = this.#factsOf(write);
    const kind = madeBy(write.method, facts);
    check(write, finding, kind, facts);
    await this.#isKnown(write, finding, kind);
    const made = finding.settlement === 'done' ? finding.made : undefined;
    const wanted = `${write.method} ${id}: ${finding.settlement}${made === undefined ? '' : `, ${made}`}`;
    await this.#wrote(write, who, `requested: ${wanted}`);
    const part = finding.settlement === 'not-done' ? partDone(write, readableSteps(seal, write)) : undefined;
    const settling = { settlement: finding.settlement, by: who, made, kind, note: BY_HAND, ...part };
    const settled = await writes.settle(id, { ...settling, now: clock.now() });
    const now = this.#listed(await this.#find(id), await this.#nameOf(write.accountId));
    await this.#wrote(write, who, settled === 'settled' ? `done: ${wanted}` : `left: ${id} is ${settled}`);
    if (settled === 'taken')
      throw new AdminRefusal('conflict', `another write of the account made the record ${made ?? ''}`);
    if (settled === 'over')
      throw new AdminRefusal('conflict', `there is nothing to settle: the write is ${now.stateWords}`);
    return now;
  }

  async #find(id: string): Promise<Write> {
    const write = await this.#parts.writes.find(id);
    if (write === undefined)
      throw new AdminRefusal('unknown', 'there is no such write; writes are known by the id of their call');
    return write;
  }

  #listed(write: Write, account: string): ListedWrite {
    const steps = write.settlement === 'not-done' ? readableSteps(this.#parts.seal, write) : [];
    return { ...write, account, stateWords: writeWords(write, steps) };
  }

  async #nameOf(accountId: string): Promise<string> {
    return (await this.#parts.repository.byId(accountId))?.name ?? accountId;
  }

  #factsOf({ id, factsSealed }: Write): WriteFacts | undefined {
    try {
      const text = this.#parts.seal.open(factsSealed, id, sealedAs.writeFacts).reveal();
      const facts = JSON.parse(text) as WriteFacts;
      return { ...facts, query: facts.query.filter(([name]) => !KEYS.has(name.toLowerCase())) };
    } catch {
      return undefined;
    }
  }

  async #wrote({ accountId }: Write, who: string, detail: string): Promise<void> {
    const { audit, clock } = this.#parts;
    await audit.write({ at: clock.now(), who, action: 'writes.settle', accountIds: [accountId], detail });
  }
}

/** Requires a number if, and only if, a record was created. */
function check(
  { method }: Write,
  finding: Finding,
  kind: string | undefined,
  facts: WriteFacts | undefined,
): void {
  if (finding.settlement !== 'done') return;
  const { made } = finding;
  if (made === undefined && kind !== undefined)
    throw new AdminRefusal('unusable', `${method} creates a record: give its number`);
  // For a call without a row in the mapping, only the sealed path shows what it creates.
  if (made !== undefined && kind === undefined && (facts !== undefined || method !== 'generic'))
    throw new AdminRefusal('unusable', `${method} creates no record: leave out the number`);
  if (made !== undefined) checkForm(made, kind);
}

function checkForm(made: string, kind: string | undefined): void {
  if (!NUMBER.test(made))
    throw new AdminRefusal('unusable', 'a number must be 1 to 64 letters, digits, dots, slashes or hyphens');
  if (kind !== undefined && kind !== TEXT_NUMBER && !INTEGER.test(made))
    throw new AdminRefusal('unusable', `the number of a ${kind} is an integer`);
}
