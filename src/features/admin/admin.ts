import type { AuditBook, AuditRow } from './audit.ts';
import type { AwaitingConsent } from '../consent/model.ts';
import type { AwaitingConsents } from '../consent/awaiting.ts';
import type { Board } from '../status/model.ts';
import type { Sending } from '../campaign/campaign.ts';
import type { Census, CensusTaker } from '../status/census.ts';
import type { DeploymentDoubt } from '../../tokens/deployment/deployment.ts';
import type { FeedEvent, HistoryBook } from '../accounts/history.ts';
import type { OutboxBook } from '../campaign/campaign.ts';
import type { ConsoleToken } from './token.ts';
import { DeskAccounts, type DeskAccountsParts } from './accounts.ts';
import { DeskActions, type DeskActionsParts, type Performance, type Preview } from './actions.ts';
import { DeskDeliveries, type DeskDeliveriesParts } from './deliveries.ts';
import { DeskImport, type DeskImportParts } from './import.ts';
import { DeskLetters, type DeskLettersParts } from './messages.ts';
import { DeskRefusal } from './refusal.ts';
import { DeskRoutes, type DeskRoutesParts } from './routes.ts';
import { DeskUpkeep, type DeskUpkeepParts } from './upkeep.ts';
import type { DeskAction } from './words.ts';
import type { Pulse, SourcePulse } from '../usage/recent-health.ts';
import type { Status } from '../status/status.ts';
import type { Tokens } from './tokens.ts';

/** How the bridge itself is doing; counts and moments, no account among them. */
export interface DeskHealth {
  readonly at: number;
  /** Which forms of the service are configured. */
  readonly configured: {
    readonly v1: boolean;
    readonly v2: boolean;
    readonly v3: boolean;
    readonly mail: boolean;
    readonly events: boolean;
  };
  /** How the calls of the last minutes went, by who answered them. */
  readonly sources: readonly SourcePulse[];
  /** Requests that wait for the budget, and organisations something was sent for within the last minute. */
  readonly budget:
    { readonly waiting: number; readonly organisations: number; readonly perMinute: number } | undefined;
  readonly sending: Sending;
  readonly census: Census;
  /** Why no token is renewed; undefined: nothing is the matter. */
  readonly doubt: DeploymentDoubt | undefined;
}

export interface DeskParts
  extends
    DeskActionsParts,
    Omit<DeskAccountsParts, 'accounts' | 'campaign' | 'book' | 'routes' | 'audit' | 'seal'>,
    Omit<DeskImportParts, 'take' | 'seal'>,
    Omit<DeskLettersParts, 'book'>,
    Omit<DeskRoutesParts, 'book' | 'audit' | 'status'>,
    Omit<DeskUpkeepParts, 'audit'> {
  readonly book: DeskAccountsParts['book'];
  readonly awaiting: AwaitingConsents;
  readonly accounts: DeskActionsParts['accounts'] & DeskAccountsParts['accounts'];
  readonly seal: DeskAccountsParts['seal'] & DeskImportParts['seal'];
  readonly letterBook: DeskAccountsParts['campaign'];
  readonly status: Pick<Status, 'board' | 'account'>;
  readonly history: Pick<HistoryBook, 'since' | 'latest'>;
  readonly audit: AuditBook;
  readonly deliveries: DeskDeliveriesParts['deliveries'];
  readonly census: CensusTaker;
  readonly outbox: Pick<OutboxBook, 'sending'>;
  readonly pulse: Pick<Pulse, 'read'>;
  readonly budget: () => DeskHealth['budget'];
  readonly doubt: () => DeskHealth['doubt'];
  readonly configured: DeskHealth['configured'];
  readonly tokens: Tokens;
}

/** Everything an operator does, for console and API alike. */
export class Desk {
  readonly accounts: DeskAccounts;
  readonly imports: DeskImport;
  readonly letters: DeskLetters;
  readonly deliveries: DeskDeliveries;
  readonly routes: DeskRoutes;
  readonly upkeep: DeskUpkeep;
  readonly tokens: Tokens;
  readonly #actions: DeskActions;
  readonly #parts: DeskParts;

  constructor(parts: DeskParts) {
    this.#parts = parts;
    this.#actions = new DeskActions(parts);
    this.accounts = new DeskAccounts({ ...parts, campaign: parts.letterBook });
    this.imports = new DeskImport({
      ...parts,
      take: (lines, dry, who) => this.accounts.import(lines, dry, who),
    });
    this.letters = new DeskLetters(parts);
    this.deliveries = new DeskDeliveries(parts);
    this.routes = new DeskRoutes(parts);
    this.upkeep = new DeskUpkeep(parts);
    this.tokens = parts.tokens;
  }

  /** See `DeskActions.preview`. Throws `DeskRefusal`. */
  preview(action: DeskAction, accountIds: readonly string[]): Promise<Preview> {
    return this.#actions.preview(action, accountIds);
  }

  /** See `DeskActions.perform`; `who` is the name of the token. Throws `DeskRefusal`. */
  perform(action: DeskAction, accountIds: readonly string[], who: string): Promise<Performance> {
    return this.#actions.perform(action, accountIds, who);
  }

  /** Consents that wait for the operator, the oldest first. */
  consents(): Promise<readonly AwaitingConsent[]> {
    return this.#parts.awaiting.list();
  }

  board(): Promise<Board> {
    return this.#parts.status.board();
  }

  /** Lines of all timelines after `seq`, in order. */
  events(seq: number, limit: number, transitionsOnly = false): Promise<readonly FeedEvent[]> {
    return this.#parts.history.since(seq, { limit, transitionsOnly });
  }

  /** The number of the newest line; 0 where nothing has happened. */
  latestEvent(): Promise<number> {
    return this.#parts.history.latest();
  }

  /** The newest first. */
  audit(limit: number, before?: number): Promise<readonly AuditRow[]> {
    return this.#parts.audit.list({ limit, before });
  }

  /** Signing in and out, and whatever else belongs to no single room. */
  async note(who: string, action: string, detail: string): Promise<void> {
    const { audit, clock } = this.#parts;
    await audit.write({ at: clock.now(), who, action, accountIds: [], detail });
  }

  /** By id or name; ends its sessions. Throws `DeskRefusal` unknown. */
  async revokeToken(idOrName: string, who: string): Promise<ConsoleToken> {
    const revoked = await this.tokens.revoke(idOrName, who);
    if (revoked === undefined) throw new DeskRefusal('unknown', 'there is no such token');
    return revoked;
  }

  async health(): Promise<DeskHealth> {
    const { clock, configured, pulse, budget, outbox, census, doubt } = this.#parts;
    const at = clock.now();
    return {
      at,
      configured,
      sources: pulse.read(at),
      budget: budget(),
      sending: await outbox.sending(),
      census: await census.take(at),
      doubt: doubt(),
    };
  }
}
