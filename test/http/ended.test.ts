import { describe, expect, it } from '@jest/globals';
import { CallMetrics } from '../../src/app/metrics/call-metrics.ts';
import { Instruments } from '../../src/app/metrics/instruments.ts';
import type { CallFigures } from '../../src/http/legacy/call-figures.ts';
import { Failure } from '../../src/lib/failure.ts';
import { eventually } from '../support/clock.ts';
import { KEYS, openTestServer, type TestServer, type Serve } from './harness.ts';

async function asked(
  serve: Serve,
  path = `/client.api/list?${KEYS}&search=VALUE-CANARY`,
): Promise<TestServer> {
  const services = await openTestServer({ serve });
  await fetch(`http://127.0.0.1:${services.port}${path}`).then(
    (answer) => answer.text().catch(() => undefined),
    () => undefined,
  );
  await eventually('its figures', () => services.figures[0]);
  return services;
}

describe('the record of a call', () => {
  it('has its account, method, source and times, and nothing of its content', async () => {
    const { ended } = await asked((_, trace) => {
      trace.accountId = 'a1';
      trace.method = 'client.list';
      trace.upstreamMillis += 7;
      trace.waitedMillis += 8;
      return { body: '<Response>VALUE-CANARY</Response>' };
    });
    expect(ended).toEqual([
      {
        accountId: 'a1',
        requestId: expect.any(String) as unknown,
        at: expect.any(Number) as unknown,
        verb: 'GET',
        method: 'client.list',
        source: 'v3',
        status: 200,
        failed: false,
        lost: false,
        millis: expect.any(Number) as unknown,
        upstreamMillis: 7,
        waitedMillis: 8,
        bytes: 33,
      },
    ]);
    expect(JSON.stringify(ended)).not.toMatch(/SECRET|CANARY/);
  });

  it('counts the bytes of a reply sent in pieces, not its characters', async () => {
    const { ended } = await asked((_, trace) => {
      trace.accountId = 'a1';
      return {
        body: (async function* () {
          yield '<Response>Zoë';
          yield ' Müller</Response>';
        })(),
      };
    });
    expect(ended).toMatchObject([{ status: 200, bytes: 33 }]);
  });

  it.each([
    ['a refusal of the call itself', new Failure('refused'), 200],
    ['a lost consent', new Failure('consentNeeded'), 403],
    ['an upstream that does not answer', new Failure('upstreamTimeout'), 504],
  ])('shows a failure for %s', async (_, failure, status) => {
    const { ended } = await asked((__, trace) => {
      trace.accountId = 'a1';
      throw failure;
    });
    expect(ended).toMatchObject([{ failed: true, status, source: 'bridge', method: 'none' }]);
  });

  it('shows a failure if it was cut off, and if V1 answered with an error', async () => {
    const cut = await asked((_, trace) => {
      trace.accountId = 'a1';
      return {
        body: (async function* () {
          yield '<Response>';
          throw new Error('gone');
        })(),
      };
    });
    expect(cut.ended).toMatchObject([{ failed: true, status: 200 }]);
    const passed = await asked((_, trace) => {
      trace.accountId = 'a1';
      return { status: 500, source: 'v1' };
    });
    expect(passed.ended).toMatchObject([{ failed: true, status: 500, source: 'v1' }]);
  });

  it('shows a failure that V1 reported under 200, as on V3, with the text but no value', async () => {
    const words = 'Client &quot;Ada Byron&quot; (ada@example.com) of 1000000 is unknown';
    const body = `<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="Get"><Status>ERROR</Status><ErrorDescription>${words}</ErrorDescription></Response>`;
    const { ended } = await asked((_, trace) => {
      trace.accountId = 'a1';
      return { status: 200, source: 'v1', body };
    });
    const told = 'Client *** (***) of 1000000 is unknown';
    expect(ended).toMatchObject([{ failed: true, failure: 'refused', status: 200, told }]);
  });

  it('shows the requested method if there is none of that name, with one cause on V1 and V3', async () => {
    const refusal =
      '<Response><Status>ERROR</Status><ErrorDescription>Unknown method</ErrorDescription></Response>';
    const { ended: byV1 } = await asked((_, trace) => {
      Object.assign(trace, { accountId: 'a1', method: 'generic' });
      return { status: 404, source: 'v1', body: refusal };
    }, `/client.api/lst/VALUE-CANARY?${KEYS}`);
    const generic = { method: 'generic', asked: 'client.lst' };
    expect(byV1).toMatchObject([{ ...generic, failure: 'unknownMethod', told: 'Unknown method' }]);
    const { ended: byV3 } = await asked((_, trace) => {
      trace.accountId = 'a1';
      throw new Failure('wrongVerb');
    }, `/client.api/VALUE-CANARY-1?${KEYS}`);
    expect(byV3).toMatchObject([{ method: 'none', failure: 'wrongVerb' }]);
    expect(JSON.stringify([byV1, byV3])).not.toMatch(/CANARY-1|VALUE/);
  });

  it('shows no failure because a record in its reply has the status of an error', async () => {
    const body =
      '<Response><Status>OK</Status><Invoices><Invoice><Status>Error</Status></Invoice></Invoices></Response>';
    const { ended } = await asked((_, trace) => {
      trace.accountId = 'a1';
      return { status: 200, source: 'v1', body };
    });
    expect(ended).toMatchObject([{ failed: false, status: 200 }]);
  });

  it("includes the caller's address if its API key was wrong, and does not count as usage", async () => {
    const { ended, refused } = await asked(() => {
      throw new Failure('keysRefused', { refused: { accountId: 'a1', why: 'wrong-api-key' } });
    });
    expect(ended).toEqual([]);
    const why = { why: 'wrong-api-key', from: '127.0.0.1' };
    expect(refused).toMatchObject([
      { accountId: 'a1', method: 'client.list', status: 401, failed: true, refused: why },
    ]);
    expect(JSON.stringify(refused)).not.toMatch(/SECRET|CANARY/);
  });

  it('counts as limited only if it is the call of an account, not of somebody who tries keys', async () => {
    for (const accountId of ['a1', undefined]) {
      const { figures } = await asked((_, trace) => {
        trace.accountId = accountId;
        throw new Failure('budgetExhausted');
      });
      const instruments = new Instruments();
      new CallMetrics(instruments).record(figures[0] ?? ({} as CallFigures));
      const limited = accountId === undefined ? 0 : 1;
      expect(await instruments.text()).toContain(`causeway_calls_limited_total ${limited}`);
    }
  });

  it('has no account while that is not known', async () => {
    const { ended } = await asked(() => {
      throw new Failure('keysRefused');
    });
    expect(ended).toEqual([]);
  });
});
