import type { MessageKind } from '../outbox.ts';
import type { LeaveReason } from './leave-reason.ts';

/** The outcome for one account, or its forecast. */
export type CampaignAnswer =
  | {
      readonly outcome: 'queued';
      readonly kind: MessageKind;
      readonly to: string;
      /** When it leaves; undefined: at once. */
      readonly at?: number | undefined;
    }
  | { readonly outcome: 'withdrawn' }
  | { readonly outcome: 'left'; readonly reason: LeaveReason };
