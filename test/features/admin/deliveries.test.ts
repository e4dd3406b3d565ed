import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import type { Store } from '../../../src/app/store.ts';
import { AdminDeliveries } from '../../../src/features/admin/deliveries.ts';
import { HandClock } from '../../support/clock.ts';
import { openMemoryStore } from '../../support/store.ts';

describe('sending events again', () => {
  let store: Store;
  beforeAll(async () => {
    store = await openMemoryStore();
  });
  afterAll(async () => {
    await store.close();
  });

  it('is refused where nothing receives them, with every setting that could name a receiver', async () => {
    const { deliveries, audit } = store;
    const parts = { deliveries, audit, clock: new HandClock(), configured: { events: false } };
    await expect(new AdminDeliveries(parts).allAgain('Ada')).rejects.toThrow(
      'no events are sent: none of CAUSEWAY_EVENTS_URL, CAUSEWAY_SLACK_URL and CAUSEWAY_TEAMS_URL is set',
    );
  });
});
