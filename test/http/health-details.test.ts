import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { Office } from './api-harness.ts';

let office: Office;
beforeAll(async () => {
  office = await Office.open({
    CAUSEWAY_V1_BASE_URL: '',
    CAUSEWAY_V3_BASE_URL: '',
    CAUSEWAY_AUTH_URL: '',
    CAUSEWAY_CONNECTIONS_URL: '',
    CAUSEWAY_CLIENT_ID: '',
    CAUSEWAY_CLIENT_SECRET: '',
  });
});
afterAll(() => office.stop());

describe('a degraded health', () => {
  const words = 'neither V1 nor V3 is configured: no call can be served';

  it('is shown in full to API readers: what exactly, since when, and what to do', async () => {
    const { json } = await office.call('/health', { token: office.read });
    expect(json.degraded).toEqual([
      {
        code: 'no-upstream',
        words,
        since: new Date(office.clock.now()).toISOString(),
        remedy: expect.stringContaining('set CAUSEWAY_V1_BASE_URL'),
      },
    ]);
  });

  it('is shown to others as a fixed text only', async () => {
    const answer = await fetch(`${office.bridge.url}/_causeway/health/ready`);
    expect(answer.status).toBe(503);
    expect(await answer.json()).toMatchObject({
      degraded: { 'no-upstream': 'no upstream is configured: no call can be served' },
    });
    expect((await fetch(`${office.bridge.url}/_causeway/api/health`)).status).toBe(401);
  });
});
