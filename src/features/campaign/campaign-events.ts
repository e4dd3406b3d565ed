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

type Telling = readonly [kind: 'invited' | 'noticed' | 'reminded', detail: (to: string) => string];

const remindedOf = (to: string): string => `a reminder to ${to} was queued`;
const tellings: Readonly<Record<MessageKind, Telling>> = {
  invitation: ['invited', (to) => `an invitation to ${to} was queued`],
  lost: ['invited', (to) => `a message about the lost connection to ${to} was queued`],
  fresh: ['invited', (to) => `a new link was requested; a message to ${to} was queued`],
  unconfirmed: [
    'invited',
    (to) => `a message to ${to} that the approval was refused, with a new link, was queued`,
  ],
  notice: ['noticed', (to) => `a notice to ${to} of who approved was queued`],
  disconnected: ['noticed', (to) => `a notice to ${to} that the connection was ended was queued`],
  receipt: ['noticed', (to) => `a receipt to ${to}, who approved, was queued`],
  reminder: ['reminded', remindedOf],
  'lost-reminder': ['reminded', remindedOf],
};

/** A message was queued. */
export function told(message: MessageKind, to: string): { readonly kind: string; readonly detail: string } {
  const [kind, detail] = tellings[message];
  return { kind, detail: detail(to) };
}

/** An operator withdrew the invitation. */
export const withdrawn = (at: number, actor: string): NonNullable<Entry['event']> => ({
  at,
  actor,
  kind: 'withdrawn',
  detail: 'the invitation was withdrawn: its links no longer work',
});

/** An invitation was withdrawn before it left; `hasOther`: the customer has another link that works. */
export const unsentWithdrawn = (
  at: number,
  actor: string,
  hasOther: boolean,
): NonNullable<Entry['event']> => ({
  at,
  actor,
  kind: 'withdrawn',
  detail: `the invitation of its wave was withdrawn before it was sent${hasOther ? '; another link of the customer still works' : ''}`,
});

/** The address was changed, which withdraws what was mailed to the former one. */
export const formerEnded = (at: number, actor: string): NonNullable<Entry['event']> => ({
  at,
  actor,
  kind: 'withdrawn',
  detail: 'the address was changed: links that were mailed to the former one no longer work',
});
