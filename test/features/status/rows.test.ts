import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { close, consent, lose, migrate } from '../../../src/features/accounts/account.ts';
import type { StatusRows } from '../../../src/features/status/report-rows.ts';
import { DAY, HOUR, MINUTE, SECOND } from '../../../src/lib/time/clock.ts';
import { openStore, type Store } from '../../../src/app/store.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { NOW, bindingTo, callRecord, event, newAccount, newGrant } from '../../db/records.ts';

interface Village {
  readonly closed: string;
  readonly invited: string;
  readonly waiting: string;
  readonly lost: string;
}

/** One account of each fate, with what can hang on it. */
async function settle(store: Store): Promise<Village> {
  const [closed, invited, waiting, lost] = [newAccount(), newAccount(), newAccount(), newAccount()];
  for (const account of [closed, invited, waiting, lost]) await store.accounts.add(account);
  await store.accounts.change(closed.id, close, event('closed'));
  await invite(store, invited.id);
  const bound = bindingTo((await newGrant(store)).id);
  await store.accounts.change(waiting.id, (life) => consent(life, bound), event('consented'));
  await store.accounts.note(waiting.id, event('cutover.waiting', NOW + 1));
  await store.crosswalk.numbers(waiting.id, [{ kind: 'client', uuid: randomUUID() }]);
  const gone = bindingTo((await newGrant(store)).id);
  await store.accounts.change(
    lost.id,
    (life) => migrate(consent(life, gone)),
    event('migrated', NOW + SECOND),
  );
  await store.accounts.change(lost.id, (life) => lose(life, 'refused'), event('lost', NOW + MINUTE));
  called(store, lost.id);
  await store.usage.stored.switch(waiting.id, true);
  await store.usage.stored.judge([{ accountId: waiting.id, version: 1, ...judged }], {
    judged_by: 'a mapping',
    judged_at: NOW,
  });
  return { closed: closed.id, invited: invited.id, waiting: waiting.id, lost: lost.id };
}

const missing = 'it would miss Client/DateOfBirth of client.get, seen 214 times';
const verdict = {
  v3: { state: 'ready', missed: 0, words: null, assumed: 0 },
  v2: { state: 'not-ready', missed: 2, words: missing, assumed: 2 },
} as const;
const judged = { readiness: '{}', verdict: JSON.stringify(verdict) };

async function invite(store: Store, accountId: string): Promise<void> {
  const [id, invitationId] = [randomUUID(), randomUUID()];
  const message = { id, invitationId, kind: 'invitation', to: 'a@example.com' } as const;
  await store.campaign.decide(accountId, () => ({
    now: NOW,
    invitation: { id: invitationId, linkIndex: randomUUID(), expiresAt: NOW + DAY },
    message: { ...message, messageId: '<x@example.com>', linkSealed: 'sealed', reminder: undefined },
    run: { accountId, cause: 'invited', beganAt: NOW, reminders: 1, state: 'running', nextAt: NOW + HOUR },
    event: event('invited'),
  }));
}

function called(store: Store, accountId: string): void {
  const made = [
    { source: 'v1', failed: true },
    { source: 'v1' },
    { source: 'bridge', failed: true },
    { source: 'v3' },
    { source: 'bridge', failed: true, at: NOW + HOUR },
  ] as const;
  for (const call of made) store.calls.record(callRecord(accountId, call));
}

/** Those lines of `rows` that are this account's. */
function only(rows: StatusRows, accountId: string): StatusRows {
  const own = <Line extends { readonly accountId: string }>(lines: readonly Line[]): readonly Line[] =>
    lines.filter((line) => line.accountId === accountId);
  const accounts = rows.accounts.filter(({ id }) => id === accountId);
  const unlearned = rows.unlearned.get(accountId);
  return {
    accounts,
    invitations: own(rows.invitations),
    grants: rows.grants.filter(({ id }) => id === accounts[0]?.grantId),
    runs: own(rows.runs),
    messages: own(rows.messages),
    calls: own(rows.calls),
    hindrances: own(rows.hindrances),
    v1Refused: new Map([...rows.v1Refused].filter(([id]) => id === accountId)),
    approvedElsewhere: new Map([...rows.approvedElsewhere].filter(([id]) => id === accountId)),
    unlearned: unlearned === undefined ? new Map() : new Map([[accountId, unlearned]]),
    identified: new Set([...rows.identified].filter((id) => id === accountId)),
    verdicts: new Map([...rows.verdicts].filter(([id]) => id === accountId)),
    forecasts: new Map([...rows.forecasts].filter(([id]) => id === accountId)),
    watches: new Map([...rows.watches].filter(([id]) => id === accountId)),
    parities: new Map([...rows.parities].filter(([id]) => id === accountId)),
    days: [],
    waves: [],
    moves: [],
  };
}

describeOnBoth('the data of the status report', (bench) => {
  it('is read completely, with the same result for each account alone', async () => {
    const writer = await openStore(bench.url());
    const village = await settle(writer);
    await writer.close();
    const store = await bench.store();
    const fates = [village.closed, village.invited, village.waiting, village.lost];
    const rows = await store.statusReport.read(NOW + HOUR);
    const stages = new Map(rows.accounts.map(({ id, stage }) => [id, stage]));
    expect(fates.map((id) => stages.get(id))).toEqual(['closed', 'legacy', 'consented', 'lost']);
    expect(only(rows, village.invited)).toMatchObject({
      invitations: [{ state: 'issued', expiresAt: NOW + DAY }],
      runs: [{ reminders: 1, nextAt: NOW + HOUR, stopped: undefined }],
      messages: [{ state: 'queued' }],
    });
    expect(only(rows, village.waiting)).toMatchObject({
      hindrances: [{ kind: 'checks', at: NOW + 1 }],
      grants: [{ state: 'held' }],
      unlearned: new Map([[village.waiting, 1]]),
      verdicts: new Map([[village.waiting, verdict]]),
    });
    expect(only(rows, village.lost)).toMatchObject({
      accounts: [{ lostReason: 'refused' }],
      calls: [
        {
          ...{ calls: 5, errors: 3, v1Calls: 2, v1Hour: NOW - (NOW % HOUR) },
          // In the hour in which it moved, V1 and the bridge may have answered before.
          sinceStage: { calls: 2, errors: 1 },
        },
      ],
    });
    expect(rows.moves.map(({ change }) => change).sort()).toEqual([-1, 1]);
    for (const id of fates) expect(await store.statusReport.readOne(id, NOW + HOUR)).toEqual(only(rows, id));
    expect((await store.statusReport.readOne('nobody', NOW)).accounts).toEqual([]);
  });
});
