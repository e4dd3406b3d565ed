/**
 * Timeline entries for the campaign's decisions: one kind and one text for each. They are written in the same
 * transaction as the decision.
 */
import type { Entry } from './model.ts';
import type { MessageKind } from './outbox.ts';

const reported = {
  notice: 'who approved',
  unconfirmed: 'that the approval was refused',
  disconnected: 'that the connection was ended',
} as const satisfies Partial<Record<MessageKind, string>>;

/** The contact could not be told. */
export const untold = (
  kind: keyof typeof reported,
  why: string,
): { readonly kind: string; readonly detail: string } => ({
  kind: 'notice.unsent',
  detail: `the contact was not told ${reported[kind]}: ${why}. Tell the customer yourself`,
});

/** A message was queued. */
export function told(kind: MessageKind, to: string): { readonly kind: string; readonly detail: string } {
  switch (kind) {
    case 'invitation':
      return { kind: 'invited', detail: `an invitation to ${to} was queued` };
    case 'lost':
      return { kind: 'invited', detail: `a message about the lost connection to ${to} was queued` };
    case 'fresh':
      return { kind: 'invited', detail: `a new link was requested; a message to ${to} was queued` };
    case 'unconfirmed':
      return {
        kind: 'invited',
        detail: `a message to ${to} that the approval was refused, with a new link, was queued`,
      };
    case 'notice':
      return { kind: 'noticed', detail: `a notice to ${to} of who approved was queued` };
    case 'disconnected':
      return { kind: 'noticed', detail: `a notice to ${to} that the connection was ended was queued` };
    case 'receipt':
      return { kind: 'noticed', detail: `a receipt to ${to}, who approved, was queued` };
    case 'reminder':
    case 'lost-reminder':
      return { kind: 'reminded', detail: `a reminder to ${to} was queued` };
  }
}

/** An operator withdrew the invitation. */
export const withdrawn = (at: number, actor: string): NonNullable<Entry['event']> => ({
  at,
  actor,
  kind: 'withdrawn',
  detail: 'the invitation was withdrawn: its links no longer work',
});
