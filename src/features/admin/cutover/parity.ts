/**
 * The proof before the move, for operators: its state, a new comparison, the values of differences, and acceptances.
 */
import type { Account } from '../../accounts/account.ts';
import { causes, causeWords, type Cause } from '../../cutover/parity/difference.ts';
import { parityHtml } from '../../cutover/parity/html.ts';
import {
  AcceptanceRefused,
  type DifferenceExample,
  type GivenAcceptance,
  type JudgedGroup,
  type ParityProof,
  type ParityReport,
} from '../../cutover/parity/model.ts';
import { auditAccount, type AuditParts } from '../audit.ts';
import { AdminRefusal } from '../refusal.ts';

/** Differences with one cause. */
export interface CauseDifferences {
  readonly cause: Cause;
  readonly words: string;
  /** Single differences. */
  readonly count: number;
  /** The most frequent first. */
  readonly differences: readonly JudgedGroup[];
}

/** The parts of the service. */
export interface AdminParityParts extends AuditParts {
  readonly parity: ParityProof;
}

/** The differences of a report by their cause, in the order of the causes. */
export const byCause = ({ groups }: ParityReport): readonly CauseDifferences[] =>
  causes.flatMap((cause) => {
    const differences = groups.filter((group) => group.cause === cause);
    const count = differences.reduce((sum, one) => sum + one.count, 0);
    return differences.length === 0 ? [] : [{ cause, words: causeWords(cause), count, differences }];
  });

/** The admin service for the proof before the move. */
export class AdminParity {
  readonly #parts: AdminParityParts;

  constructor(parts: AdminParityParts) {
    this.#parts = parts;
  }

  /** Returns the stored state; nothing is compared. */
  show(account: Account): Promise<ParityReport> {
    return this.#parts.parity.report(account);
  }

  /** Starts a comparison, or joins one in progress. Throws `AdminRefusal` before the customer has consented. */
  async start(account: Account, who: string): Promise<ParityReport> {
    if (!('binding' in account.life))
      throw new AdminRefusal('conflict', `nobody has consented for ${account.name}: V3 cannot be asked`);
    await auditAccount(this.#parts, account, { who, action: 'parity.compare', detail: 'started' });
    return this.#parts.parity.start(account);
  }

  /** Like `start`, but waits for the result. */
  compare(account: Account): Promise<ParityReport> {
    return this.#parts.parity.compare(account);
  }

  /** A page of its own, to print and to hand to the customer, without any value. */
  async html(account: Account): Promise<string> {
    return parityHtml(await this.show(account));
  }

  /** Returns how many differences were accepted. Throws `AdminRefusal`. */
  async accept(account: Account, given: GivenAcceptance, who: string): Promise<number> {
    let accepted: number;
    try {
      accepted = await this.#parts.parity.accept(account, given);
    } catch (error) {
      throw error instanceof AcceptanceRefused ? new AdminRefusal('unusable', error.message) : error;
    }
    const where = given.forAll ? ', for all accounts' : '';
    const words = `${accepted} differences by ${given.name.trim()}${where}: ${given.reason.trim()}`;
    await auditAccount(this.#parts, account, { who, action: 'parity.accept', detail: words });
    return accepted;
  }

  /** Values of the customer's records; recorded in the audit log before they are shown. */
  async values(account: Account, who: string): Promise<readonly DifferenceExample[]> {
    await auditAccount(this.#parts, account, {
      who,
      action: 'parity.values',
      detail: 'looked at the values of its differences',
    });
    return this.#parts.parity.examples(account);
  }
}
