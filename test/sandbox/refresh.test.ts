import { afterEach, describe, expect, it } from '@jest/globals';
import type { OracleEntry } from '../../src/sandbox/oauth/tokens/oracle.ts';
import type { ProtocolChange } from '../../src/sandbox/protocol.ts';
import { basic, Playground, tokensOf, type Answer } from './playground.ts';

const MINUTE = 60;
const DAY = 86_400;
const models = ['sibling', 'same', 'latest'] as const;

let playground: Playground | undefined;

async function open(protocol: ProtocolChange = {}): Promise<Playground> {
  playground = await Playground.open({ protocol });
  return playground;
}

afterEach(async () => {
  await playground?.close();
  playground = undefined;
});

function refused(answer: Answer): string {
  expect(answer.status).toBe(400);
  expect(answer.json.error).toBe('invalid_grant');
  return String(answer.json.error_description);
}

async function oracleOf(at: Playground): Promise<OracleEntry> {
  const [entry] = (await at.control('oracle')) as OracleEntry[];
  if (entry === undefined) throw new Error('the oracle knows nothing');
  return entry;
}

describe('a refresh in the sandbox', () => {
  it('returns a new pair and works before and after the access token expired', async () => {
    const at = await open();
    const first = await at.connect();
    const second = tokensOf(await at.refresh(first.refresh));
    expect(second.refresh).not.toBe(first.refresh);
    expect(second.access).not.toBe(first.access);
    await at.advance(31 * MINUTE);
    expect((await at.v3(second.access)).status).toBe(401);
    const third = tokensOf(await at.refresh(second.refresh));
    expect((await at.v3(third.access)).status).toBe(200);
  });

  it('is refused if it asks for a scope that was not granted, and leaves the token usable', async () => {
    const at = await open();
    const { refresh } = await at.connect();
    const ask = (scope: string): Promise<Answer> =>
      at.form(
        '/connect/token',
        Object.entries({ grant_type: 'refresh_token', refresh_token: refresh, scope }),
        { authorization: basic('client-1', 'old secret') },
      );
    const wider = await ask('openid practice');
    expect([wider.status, wider.json]).toEqual([
      400,
      { error: 'invalid_scope', error_description: 'scope was not granted: practice' },
    ]);
    expect((await ask('openid offline_access')).status).toBe(200);
  });

  it.each(['application/json', 'text/plain;charset=UTF-8', 'multipart/form-data'])(
    'is refused with the Content-Type %s, and leaves the token usable',
    async (type) => {
      const at = await open();
      const { refresh } = await at.connect();
      const answer = await at.form(
        '/connect/token',
        Object.entries({ grant_type: 'refresh_token', refresh_token: refresh }),
        { authorization: basic('client-1', 'old secret'), 'content-type': type },
      );
      expect([answer.status, answer.json]).toEqual([
        400,
        {
          error: 'invalid_request',
          error_description: 'the Content-Type must be application/x-www-form-urlencoded',
        },
      ]);
      expect((await at.refresh(refresh)).status).toBe(200);
    },
  );

  it('restarts the 60 days', async () => {
    const at = await open();
    const first = await at.connect();
    await at.advance(59 * DAY);
    const second = tokensOf(await at.refresh(first.refresh));
    await at.advance(59 * DAY);
    expect((await at.refresh(second.refresh)).status).toBe(200);
  });

  it('is refused after 61 days, and the oracle says age', async () => {
    const at = await open();
    const { refresh } = await at.connect();
    await at.advance(61 * DAY);
    expect(refused(await at.refresh(refresh))).toBe('refresh token has expired');
    const entry = await oracleOf(at);
    expect(entry.revoked).toEqual({ at: '2026-05-01T10:00:00.000Z', by: 'age' });
    expect(entry.generations[0]?.state).toBe('expired');
  });

  it('is refused for an unknown token, and for one of another application', async () => {
    const at = await open();
    const { refresh } = await at.connect();
    expect(refused(await at.refresh('nonsense'))).toBe('refresh token is invalid');
    const foreign = await at.form('/connect/token', [
      ['grant_type', 'refresh_token'],
      ['refresh_token', refresh],
      ['client_id', 'client-2'],
      ['client_secret', 'hush'],
    ]);
    expect(refused(foreign)).toBe('refresh token is invalid');
    expect((await at.refresh(refresh)).status).toBe(200);
  });
});

describe.each(models)('a retry within the grace period, model %s', (successor) => {
  it('works 29 minutes after the first use and not after 31', async () => {
    const at = await open({ successor });
    const { refresh } = await at.connect();
    expect((await at.refresh(refresh)).status).toBe(200);
    await at.advance(29 * MINUTE);
    expect((await at.refresh(refresh)).status).toBe(200);
    await at.advance(2 * MINUTE);
    expect(refused(await at.refresh(refresh))).toBe('refresh token is invalid');
  });

  it('does not restart the 30 minutes', async () => {
    const at = await open({ successor });
    const { refresh } = await at.connect();
    for (let retries = 0; retries < 3; retries += 1) {
      expect((await at.refresh(refresh)).status).toBe(200);
      await at.advance(10 * MINUTE);
    }
    expect(refused(await at.refresh(refresh))).toBe('refresh token is invalid');
  });

  it('leaves the current token to a family whose grace period ended unused', async () => {
    const at = await open({ successor });
    const { refresh } = await at.connect();
    const second = tokensOf(await at.refresh(refresh));
    await at.advance(31 * MINUTE);
    refused(await at.refresh(refresh));
    expect((await at.refresh(second.refresh)).status).toBe(200);
  });

  it('revokes the family if the successor was used, at any time', async () => {
    const at = await open({ successor });
    const first = await at.connect();
    const second = tokensOf(await at.refresh(first.refresh));
    const third = tokensOf(await at.refresh(second.refresh));
    expect(refused(await at.refresh(first.refresh))).toBe('Refresh token reuse detected');
    expect(refused(await at.refresh(third.refresh))).toBe('refresh token is invalid');
    expect(refused(await at.refresh(second.refresh))).toBe('refresh token is invalid');
    expect((await oracleOf(at)).revoked).toEqual({ at: '2026-03-02T10:00:00.000Z', by: 'reuse' });
  });

  it('revokes the whole chain if its oldest token is presented long after', async () => {
    const at = await open({ successor });
    let current = await at.connect();
    const oldest = current;
    for (let generation = 0; generation < 5; generation += 1) {
      await at.advance(DAY);
      current = tokensOf(await at.refresh(current.refresh));
    }
    expect(refused(await at.refresh(oldest.refresh))).toBe('Refresh token reuse detected');
    refused(await at.refresh(current.refresh));
  });

  it('handles 50 simultaneous presentations: all are answered, one chain continues', async () => {
    const at = await open({ successor });
    const { refresh } = await at.connect();
    const answers = await Promise.all(Array.from({ length: 50 }, () => at.refresh(refresh)));
    expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([200]));
    const given = answers.map((answer) => tokensOf(answer).refresh);
    expect(new Set(given).size).toBe(successor === 'same' ? 1 : 50);
    const { generations } = await oracleOf(at);
    expect(generations).toHaveLength(successor === 'same' ? 2 : 51);
    const current = generations.filter((generation) => generation.state === 'current');
    expect(current).toHaveLength(successor === 'sibling' ? 50 : 1);
    const next = await Promise.all([...new Set(given)].map((token) => at.refresh(token)));
    expect(next.filter((answer) => answer.status === 200)).toHaveLength(1);
    expect((await oracleOf(at)).revoked).toBeNull();
  });
});

describe('the three models of a grace period', () => {
  it('include same: a retry returns the same pair, byte for byte', async () => {
    const at = await open({ successor: 'same' });
    const { refresh } = await at.connect();
    const first = await at.refresh(refresh);
    await at.advance(10 * MINUTE);
    expect((await at.refresh(refresh)).text).toBe(first.text);
  });

  it('include sibling: each retry returns another valid successor until one is used', async () => {
    const at = await open({ successor: 'sibling' });
    const { refresh } = await at.connect();
    const elder = tokensOf(await at.refresh(refresh));
    const younger = tokensOf(await at.refresh(refresh));
    expect(younger.refresh).not.toBe(elder.refresh);
    expect((await at.refresh(elder.refresh)).status).toBe(200);
    expect(refused(await at.refresh(younger.refresh))).toBe('refresh token is invalid');
    expect((await oracleOf(at)).revoked).toBeNull();
  });

  it('include latest: a retry invalidates the earlier successor, whose presentation does no harm', async () => {
    const at = await open({ successor: 'latest' });
    const { refresh } = await at.connect();
    const earlier = tokensOf(await at.refresh(refresh));
    const later = tokensOf(await at.refresh(refresh));
    expect(refused(await at.refresh(earlier.refresh))).toBe('refresh token is invalid');
    expect((await at.refresh(later.refresh)).status).toBe(200);
    expect((await oracleOf(at)).generations.map(({ n, parent, state }) => [n, parent, state])).toEqual([
      [1, null, 'superseded'],
      [2, 1, 'replaced'],
      [3, 1, 'superseded'],
      [4, 3, 'current'],
    ]);
  });

  it('include latest: after the refusal of an invalid successor its predecessor still works in the grace period', async () => {
    const at = await open({ successor: 'latest' });
    const { refresh } = await at.connect();
    const stored = tokensOf(await at.refresh(refresh));
    await at.refresh(refresh); // handled late, its answer never arrived
    await at.advance(20 * MINUTE);
    refused(await at.refresh(stored.refresh));
    expect((await at.refresh(refresh)).status).toBe(200);
  });
});

describe('a provider without a grace period (profile b)', () => {
  it('refuses the old token at once, and its reuse ends the family', async () => {
    const at = await open({ profile: 'b', credentials: 'any' });
    const first = await at.connect();
    const second = tokensOf(await at.refresh(first.refresh));
    expect(refused(await at.refresh(first.refresh))).toBe('Refresh token reuse detected');
    refused(await at.refresh(second.refresh));
  });

  it('can be configured without revocation', async () => {
    const at = await open({ durations: { grace: 0 } });
    const first = await at.connect();
    const second = tokensOf(await at.refresh(first.refresh));
    expect(refused(await at.refresh(first.refresh))).toBe('refresh token is invalid');
    expect((await at.refresh(second.refresh)).status).toBe(200);
  });

  it('can be configured with revocation for a late reuse if there is a grace period', async () => {
    const at = await open({ lateReuse: 'revokes' });
    const first = await at.connect();
    const second = tokensOf(await at.refresh(first.refresh));
    await at.advance(31 * MINUTE);
    expect(refused(await at.refresh(first.refresh))).toBe('Refresh token reuse detected');
    refused(await at.refresh(second.refresh));
  });
});

describe('scaled durations', () => {
  it('apply below a second, too', async () => {
    const at = await open({ durations: { access: 0.5, refresh: 2, grace: 0.25 } });
    const first = await at.connect();
    await at.advance(0.4);
    expect((await at.v3(first.access)).status).toBe(200);
    await at.advance(0.1);
    expect((await at.v3(first.access)).status).toBe(401);
    expect((await at.refresh(first.refresh)).status).toBe(200);
    await at.advance(0.2);
    expect((await at.refresh(first.refresh)).status).toBe(200);
    await at.advance(0.05);
    refused(await at.refresh(first.refresh));
  });
});
