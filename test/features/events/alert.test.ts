import { describe, expect, it } from '@jest/globals';
import type { Account } from '../../../src/features/accounts/account.ts';
import type { FeedEvent } from '../../../src/features/accounts/history.ts';
import { alertOf } from '../../../src/features/events/alert.ts';
import { outgoingEvents } from '../../../src/features/events/delivery.ts';
import { outgoing } from '../../../src/features/events/outgoing-event.ts';
import { DAY } from '../../../src/lib/time/clock.ts';

const NOW = Date.UTC(2026, 10, 20, 9);
const account: Account = {
  id: 'a1',
  name: 'Harbour *Lane* [x](https://evil.example)\n@all',
  product: 'standard',
  application: 'default',
  origin: 'added',
  life: { stage: 'legacy' },
} as Account;

const entry = (kind: string, detail: string, at = NOW): FeedEvent => ({
  ...{ seq: 1, accountId: 'a1', at, kind, detail },
  actor: 'Ada Lovelace <ada@example.com>',
  transition: { from: 'consented', to: 'lost' },
});

const options = { kinds: new Set(outgoingEvents), console: 'https://bridge.example/_causeway/console' };
const teams = (event: FeedEvent, now = NOW) => alertOf('teams', event, account, options, now);

describe('a message for people', () => {
  it.each([
    ['lost', 'the connection was lost: revoked', /^: the connection is lost \(revoked\)/, '/accounts/a1'],
    [
      'consentRefused',
      'noPrivilege',
      /^: somebody tried to approve the connection, but nothing was connected: The person lacks/,
      '/accounts/a1',
    ],
    [
      'consent.awaiting',
      'Org approved by Eve (eve@x.example)',
      /^: an approval is waiting for you/,
      '/consents',
    ],
    [
      'write unknown',
      'job.add w17',
      /^: it is unknown whether a write was carried out \(job\.add\)/,
      '/writes/w17',
    ],
  ])('says what it is about and where to look: %s', (kind, detail, words, path) => {
    const sent = teams(entry(kind, detail));
    const { attachments } = JSON.parse(sent?.payload ?? '') as {
      attachments: { content: { body: { inlines: { text: string }[] }[]; actions: { url: string }[] } }[];
    };
    const [card] = attachments;
    const [name, sentence] = card?.content.body[0]?.inlines ?? [];
    expect(name?.text).toBe('Harbour *Lane* [x](https://evil.example) @all');
    expect(sentence?.text).toMatch(words);
    expect(card?.content.actions[0]?.url).toBe(`${options.console}${path}`);
    // Neither who acted nor who approved is in it.
    expect(sent?.payload).not.toMatch(/ada@|eve@|Lovelace|Org approved/);
  });

  it('is not written for unwanted, empty or outdated events', () => {
    expect(teams(entry('noted', 'words'))).toBeUndefined();
    expect(teams(entry('lost', 'x: revoked', NOW - 2 * DAY))).toBeUndefined();
    const few = { ...options, kinds: new Set(['account.lost'] as const) };
    expect(alertOf('slack', entry('consentRefused', 'denied'), account, few, NOW)).toBeUndefined();
  });

  it('has an id separate from that of the event', () => {
    const event = entry('lost', 'x: revoked');
    const slack = alertOf('slack', event, account, options, NOW);
    expect(slack?.id).toMatch(/^slack_[0-9a-f]{32}$/);
    expect(teams(event)?.id).toBe(slack?.id.replace('slack', 'teams'));
  });
});

describe('an event for a receiver', () => {
  it.each([
    'invited',
    'migrated',
    'grant.exported',
    'consent.confirmed',
    'consent.refused',
    'write settled',
    'watch.cleared',
    'watch.dismissed',
    'drift.acknowledged',
  ])('names the person who acted, without the address: %s', (kind) => {
    const sent = outgoing(entry(kind, 'job.add w17: done'), account);
    const { data } = JSON.parse(sent?.payload ?? '{}') as { readonly data: { readonly by: string } };
    expect(data.by).toBe('Ada Lovelace');
    expect(sent?.payload).not.toContain('@example.com');
  });

  it.each([
    ['ada@example.com <ada@example.com>', 'ada'],
    ['ada@example.com', 'ada'],
    ['Ada (ada@example.com)', 'Ada (ada)'],
    ['nightly', 'nightly'],
    ['@nightly', '@nightly'],
    ['Ada <L> Lovelace', 'Ada <L> Lovelace'],
    ['operator', 'operator'],
  ])('names %s as %s', (actor, by) => {
    const sent = outgoing({ ...entry('invited', ''), actor }, account);
    expect(JSON.parse(sent?.payload ?? '{}')).toMatchObject({ data: { by } });
  });
});
