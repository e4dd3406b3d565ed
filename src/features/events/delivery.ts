/** The events that are sent to the configured address. */
export const outgoingEvents = [
  'account.invited',
  'account.consented',
  'account.refused',
  'account.lost',
  'account.recovered',
  'account.migrated',
  'consent.awaiting',
  'consent.confirmed',
  'consent.refused',
  'write.unknown',
  'write.settled',
] as const;
/** What may be sent to `CAUSEWAY_EVENTS_URL`. */
export type OutgoingEvent = (typeof outgoingEvents)[number];

export const deliveryStates = ['waiting', 'delivered', 'given-up'] as const;
/** Whether an event waits, has been delivered, or was given up. */
export type DeliveryState = (typeof deliveryStates)[number];

/** One event on its way to the configured address: at least once, in no promised order. */
export interface Delivery {
  /** Of the event; the receiver tells repetitions by it. */
  readonly id: string;
  readonly type: OutgoingEvent;
  readonly accountId: string;
  /** The body, exactly as it is signed and sent each time. */
  readonly payload: string;
  readonly createdAt: number;
  readonly attempts: number;
  readonly state: DeliveryState;
  /** When it is due, while `waiting`. */
  readonly nextAt: number;
  /** What the last attempt met, in words for the operator; empty before the first. */
  readonly note: string;
}

export type NewDelivery = Pick<Delivery, 'id' | 'type' | 'accountId' | 'payload' | 'createdAt'>;

/** One attempt that has ended. */
export interface DeliveryAttempt extends Sent {
  readonly at: number;
}

/** A delivery with what each attempt met, the oldest first; an attempt that a crash cut short is not among them. */
export interface DeliveryStory {
  readonly delivery: Delivery;
  readonly attempts: readonly DeliveryAttempt[];
}

export interface DeliveryPage {
  readonly limit: number;
  /** All, unless said. */
  readonly state?: DeliveryState | undefined;
  /** Id of the last one of the page before. */
  readonly before?: string | undefined;
}

/** Stores outgoing events; a claim belongs to one process until it runs out. */
export interface DeliveryRepository {
  /**
   * Adds what is not there yet, and remembers `upTo` (a number of the feed) in the same transaction: who reads the
   * feed from `readTo` makes each event once, whatever happens in between.
   */
  add(deliveries: readonly NewDelivery[], upTo: number): Promise<void>;
  /** How far the feed has been read; undefined where nobody ever did. */
  readTo(): Promise<number | undefined>;
  /**
   * Those that are due, the oldest first, counted as attempted and kept from other processes for `hold` milliseconds:
   * after a crash they are due again.
   */
  take(now: number, hold: number, limit: number): Promise<readonly Delivery[]>;
  /** `at`: when the attempt ended. */
  delivered(id: string, note: string, at: number): Promise<void>;
  /** `nextAt` undefined: never again by itself. */
  failed(id: string, nextAt: number | undefined, note: string, at: number): Promise<void>;
  /** Due at once, and the schedule begins again, whatever became of it. Undefined where there is none. */
  again(id: string, now: number): Promise<Delivery | undefined>;
  /** The same for every one that was given up; how many. */
  allAgain(now: number): Promise<number>;
  find(id: string): Promise<DeliveryStory | undefined>;
  /** The newest first. */
  list(page: DeliveryPage): Promise<readonly Delivery[]>;
  counts(): Promise<Readonly<Record<DeliveryState, number>>>;
  /** Takes out what ended (delivered or given up) and was made before. */
  forget(before: number): Promise<void>;
}

/** What became of one attempt, in words for the operator: never an address or a secret. */
export interface Sent {
  readonly outcome: 'delivered' | 'failed';
  readonly note: string;
}

/** Signs an event and hands it to the configured address. Never rejects; bounded in time by itself. */
export interface EventSender {
  send(delivery: Delivery, now: number): Promise<Sent>;
}
