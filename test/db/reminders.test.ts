import { expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import { Secret } from '../../src/lib/secret/secret.ts';
import { Campaign } from '../../src/features/campaign/campaign.ts';
import { systemRandom } from '../../src/lib/secret/random.ts';
import type { Store } from '../../src/app/store.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { describeOnBoth } from './engines.ts';
import { newAccount } from './records.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 10, 20, 9);

/** Goes on when as many have arrived as are expected. */
function meeting(expected: number): () => Promise<void> {
  let arrived = 0;
  let open: () => void = () => undefined;
  const all = new Promise<void>((resolve) => (open = resolve));
  return async () => {
    arrived += 1;
    if (arrived === expected) open();
    await all;
  };
}

const breaker = { after: 3, millis: DAY };

describeOnBoth('reminders that several instances find due at once', (bench) => {
  let now = START;
  const seal = KeyRing.parse(new Secret(newKeyLine()));

  const instance = ({ campaign: repository }: Store, met: () => Promise<void>): Campaign =>
    new Campaign({
      // Each has its list before any of them writes.
      repository: {
        facts: (id) => repository.facts(id),
        decide: (id, decide) => repository.decide(id, decide),
        run: (id) => repository.run(id),
        async due(at) {
          const ids = await repository.due(at);
          await met();
          return ids;
        },
        lostWithoutRun: () => repository.lostWithoutRun(),
        message: (id) => repository.message(id),
        messages: (id) => repository.messages(id),
        suppression: (address) => repository.suppression(address),
        suppress: (suppression) => repository.suppress(suppression),
        relent: (address) => repository.relent(address),
      },
      seal,
      clock: { now: () => now },
      random: systemRandom,
      mails: true,
      schedule: { life: 30 * DAY, reminderDays: [3, 7] },
      host: 'causeway.example.com',
    });

  it('are written once, as invitations are', async () => {
    const stores = [await bench.store(), await bench.store(), await bench.store()];
    const [first] = stores;
    if (first === undefined) throw new Error('there are stores');
    const ids = await Promise.all(
      [1, 2, 3, 4].map(async () => {
        const details = {
          contactName: 'Ada',
          email: `${randomUUID()}@example.com`,
          language: 'en',
          zone: undefined,
          phone: undefined,
          expected: { id: undefined, name: undefined },
          notes: undefined,
          tags: undefined,
        };
        return (await first.accounts.add(newAccount({ details, now: START }))).id;
      }),
    );
    const inviting = stores.map((store) => instance(store, meeting(1)));
    for (const id of ids) await Promise.all(inviting.map((one) => one.invite(id, 'operator')));
    for (const id of ids) {
      const messages = await first.campaign.messages(id);
      expect(messages.map(({ kind }) => kind)).toEqual(['invitation']);
      const { id: message } = messages[0] ?? { id: '' };
      const claim = await first.outbox.claim({
        now,
        leaseMs: DAY,
        pace: { perMinute: 1_000, perAddress: 1_000 },
        breaker,
      });
      if (claim.outcome !== 'claimed') throw new Error(`${message} was not claimed`);
      await first.outbox.settle(claim.claimed, { outcome: 'sent' }, now, breaker);
    }
    for (const reminders of [1, 2]) {
      now = START + (reminders === 1 ? 3 : 7) * DAY + 1;
      const met = meeting(stores.length);
      const failed: unknown[] = [];
      await Promise.all(
        stores.map((store) => instance(store, met).job(undefined, (_, error) => failed.push(error))),
      );
      expect(failed).toEqual([]);
      for (const id of ids) {
        const found = (await first.campaign.messages(id)).filter(({ kind }) => kind === 'reminder');
        expect(found.map(({ reminder }) => reminder)).toEqual(reminders === 1 ? [1] : [1, 2]);
        const claim = await first.outbox.claim({
          now,
          leaseMs: DAY,
          pace: { perMinute: 1_000, perAddress: 1_000 },
          breaker,
        });
        if (claim.outcome !== 'claimed') throw new Error(claim.outcome);
        await first.outbox.settle(claim.claimed, { outcome: 'sent' }, now, breaker);
      }
    }
  });
});
