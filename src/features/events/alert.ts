/**
 * Messages for people in Slack and Teams: one sentence for each kind of event, and a link into the console.
 *
 * A message names the account and nothing else that a customer or a person has entered: no organisation, address,
 * value or key, and not the actor. Only the message about a stopped wave also names the wave. Names become plain text: none
 * of them can format, mention or link anything.
 */
import { DAY } from '../../lib/time/clock.ts';
import type { Account } from '../accounts/account.ts';
import type { FeedEvent } from '../accounts/history.ts';
import { deliveryId } from './channel.ts';
import type { ChannelName, NewDelivery, OutgoingEvent } from './delivery.ts';
import { tellingOf, type Told } from './outgoing-event.ts';

/** The receivers that get messages for people. */
export type AlertChannel = Exclude<ChannelName, 'evt'>;

/** Which messages are sent, and where their links lead. */
export interface AlertOptions {
  readonly kinds: ReadonlySet<OutgoingEvent>;
  /** Root of the console, without a trailing slash. */
  readonly console: string;
}

/** The events that somebody should look at; the others report progress. */
export const usualAlerts = [
  'account.refused',
  'account.lost',
  'account.flagged',
  'consent.awaiting',
  'route.returned',
  'wave.stopped',
  'drift.raised',
  'write.unknown',
] as const satisfies readonly OutgoingEvent[];

/** In milliseconds. Older events are not announced, so that a channel that comes back after a while is not flooded. */
const NEWS = DAY;

const text = (data: Told['data'], name: string): string => {
  const value = data[name];
  return typeof value === 'string' ? value : 'unknown';
};

/** The event in words, to follow the name of the account. */
const sentences: Readonly<Record<OutgoingEvent, (data: Told['data']) => string>> = {
  'account.invited': () => 'was asked to approve the connection.',
  'account.refused': (data) =>
    `somebody tried to approve the connection, but nothing was connected: ${text(data, 'words')}.`,
  'account.consented': () => 'has approved the connection.',
  'account.migrated': () => 'has moved: V1 no longer serves it.',
  'account.flagged': (data) => `something has changed since the move: ${text(data, 'findings')}.`,
  'account.unflagged': () => 'is as it was before the move again, or somebody has dismissed the changes.',
  'account.lost': (data) =>
    `the connection is lost (${text(data, 'reason')}). Somebody has to approve it again.`,
  'account.exported': () => 'its tokens were exported: another program now holds its connection.',
  'account.recovered': () => 'is connected again.',
  'wave.stopped': (data) =>
    `a wave of invitations was stopped automatically, mainly because of this account: ${text(data, 'reason')}.`,
  'drift.raised': (data) =>
    `the service’s replies have changed, and this account is one of those affected: ${text(data, 'words')}.`,
  'drift.ended': (data) =>
    `the service’s replies are as before again, or somebody has acknowledged the change: ${text(data, 'words')}.`,
  'consent.awaiting': () =>
    'an approval is waiting for you: nothing proves that the organisation is the account’s. Confirm or refuse it.',
  'consent.confirmed': () => 'its approval was confirmed.',
  'consent.refused': () => 'its approval was refused.',
  'route.kept': () => 'keeps the route that was on trial.',
  'route.returned': () =>
    'the route that was on trial was taken back: more calls failed or lost something than before.',
  'write.unknown': (data) =>
    `it is unknown whether a write was carried out (${text(data, 'method')}). The bridge looks it up; only if that cannot tell, do it yourself and settle it.`,
  'write.settled': (data) => `a write whose outcome was unknown is settled (${text(data, 'method')}).`,
};

/** The message for one entry of the feed; undefined: its kind is not wanted, or it is too old. */
export function alertOf(
  channel: AlertChannel,
  event: FeedEvent,
  account: Account,
  { kinds, console: root }: AlertOptions,
  now: number,
): NewDelivery | undefined {
  const told = tellingOf(event, account);
  if (told === undefined || !kinds.has(told.type) || event.at < now - NEWS) return undefined;
  const alert = {
    name: oneLine(account.name),
    sentence: oneLine(sentences[told.type](told.data)),
    link: `${root}${pathOf(told, account)}`,
  };
  return {
    id: deliveryId(channel, event),
    type: told.type,
    accountId: account.id,
    payload: JSON.stringify(bodies[channel](alert)),
    createdAt: event.at,
  };
}

function pathOf({ type, data }: Told, { id }: Account): string {
  if (type === 'consent.awaiting') return '/consents';
  if (type.startsWith('drift.')) return '/routes/drift';
  if (type.startsWith('write.') && typeof data.write === 'string')
    return `/writes/${encodeURIComponent(data.write)}`;
  return `/accounts/${id}`;
}

interface Alert {
  readonly name: string;
  readonly sentence: string;
  readonly link: string;
}

const OPEN = 'Open in the console';

const bodies: Readonly<Record<AlertChannel, (alert: Alert) => object>> = {
  // https://docs.slack.dev/messaging/sending-messages-using-incoming-webhooks; `text` is for notifications.
  slack: ({ name, sentence, link }) => ({
    text: slackEscaped(`${name}: ${sentence}`),
    blocks: [
      { type: 'section', text: { type: 'plain_text', text: `${name}: ${sentence}`, emoji: false } },
      {
        type: 'actions',
        elements: [{ type: 'button', text: { type: 'plain_text', text: OPEN }, url: link }],
      },
    ],
  }),
  // An Adaptive Card, as a Teams workflow accepts it; a rich text block does not interpret Markdown.
  teams: ({ name, sentence, link }) => ({
    type: 'message',
    attachments: [
      {
        contentType: 'application/vnd.microsoft.card.adaptive',
        contentUrl: null,
        content: {
          $schema: 'http://adaptivecards.io/schemas/adaptive-card.json',
          type: 'AdaptiveCard',
          version: '1.4',
          body: [
            {
              type: 'RichTextBlock',
              inlines: [
                { type: 'TextRun', text: name, weight: 'Bolder' },
                { type: 'TextRun', text: `: ${sentence}` },
              ],
            },
          ],
          actions: [{ type: 'Action.OpenUrl', title: OPEN, url: link }],
        },
      },
    ],
  }),
};

/** Keeps `<!channel>` in a name from alerting anybody. */
const slackEscaped = (line: string): string =>
  line.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

const LONGEST = 600;

const oneLine = (words: string): string => {
  const line = words.replace(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').trim();
  return line.length > LONGEST ? `${line.slice(0, LONGEST - 1)}…` : line;
};
