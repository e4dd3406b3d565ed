import type { DeliveryState, OutgoingEvent, Sent } from './delivery.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    deliveries: DeliveryRow;
    delivery_attempts: DeliveryAttemptRow;
  }
}

export interface DeliveryRow {
  id: string;
  type: OutgoingEvent;
  account_id: string;
  payload: string;
  created_at: number;
  attempts: number;
  state: DeliveryState;
  next_at: number;
  note: string;
}

export interface DeliveryAttemptRow {
  delivery_id: string;
  /** From 1, across all schedules. */
  position: number;
  at: number;
  outcome: Sent['outcome'];
  note: string;
}
