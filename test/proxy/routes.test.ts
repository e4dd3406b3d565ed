import { afterEach, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { UnknownKeyLimiter } from '../../src/proxy/unknown-key-limiter.ts';
import { loadProfile } from '../../src/app/settings/profiles.ts';
import { Trace, type MovedCall } from '../../src/proxy/call/call.ts';
import { BodyReader } from '../../src/proxy/call/body-reader.ts';
import { ForwardMethod, type ForwardParts } from '../../src/proxy/forward/forward.ts';
import { sameIdentifiers } from '../../src/proxy/identifiers.ts';
import { unchanged } from '../../src/proxy/pass-through.ts';
import type { Profile } from '../../src/upstream/profile.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { type Keys } from '../../src/features/accounts/keys.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { Failure } from '../../src/lib/failure.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import {
  ask,
  callOf,
  closeWorlds,
  legacyOk,
  ok,
  pair,
  pieces,
  refusal,
  textOf,
  uuid,
  world,
  type Played,
  type Setting,
} from './world.ts';

afterEach(closeWorlds);

const pairs = [pair('client', 1, uuid('c1', 1))];
const ARCHIVE = 'PUT client.api/archive';
const archive = '<Client><ID>1</ID></Client>';
const v1Says = (inner: string): Played => ({ body: `<Response><Status>OK</Status>${inner}</Response>` });
const REFUSED: Played = { status: 401, body: '<Response><Status>ERROR</Status></Response>' };
const GATEWAY: Played = {
  status: 502,
  headers: { 'content-type': 'text/html' },
  body: '<html>bad gateway</html>',
};

/** Answers of gateways; their error pages are often XHTML. */
const notXml: readonly string[] = [
  ...['<!DOCTYPE html><html/>', '<HTML>', '{"a":1}', '', '<?xml version="1.0"?>'],
  '<?xml version="1.0"?>\n<!DOCTYPE html PUBLIC "-//W3C//DTD XHTML 1.0 Transitional//EN" "x"><html/>',
  '<!-- a gateway --><?style x?><html/>',
];

const stage = (setting: Setting): ReturnType<typeof world> =>
  world({ pairs, v1: () => v1Says('<Client><ID>1</ID></Client>'), v3: () => ok(), ...setting });

describe('the route of a call', () => {
  it.each([
    ['legacy', 'v1'],
    ['consented', 'v1'],
    ['migrated', 'v3'],
  ] as const)('leads from an account that is %s to %s', async (name, source) => {
    const to = await stage({ stage: name });
    const trace = new Trace();
    const reply = await to.bridge.serve(callOf(ARCHIVE, { body: archive, trace }));
    const { accountId, method } = trace;
    expect(reply.source).toBe(source);
    expect({ accountId, method }).toEqual({ accountId: 'account-1', method: 'client.archive' });
    expect(trace.upstreamMillis).toBe(1);
    await textOf(reply);
    expect([to.v1.requests.length, to.v3.requests.length]).toEqual(source === 'v1' ? [1, 0] : [0, 1]);
  });

  it.each([true, false])(
    'leads nowhere at a stage that a later version has stored (writes are kept: %s)',
    async (ledger) => {
      const folder = mkdtempSync(join(tmpdir(), 'causeway-stage-'));
      try {
        const url = `sqlite:${join(folder, 'store.db')}`;
        const to = await stage({ stage: 'consented', ledger, url });
        using file = new DatabaseSync(join(folder, 'store.db'));
        file.exec("update accounts set stage = 'later-code'");
        for (const call of [callOf(ARCHIVE, { body: archive }), callOf('GET client.api/get/1')])
          await expect(to.bridge.serve(call)).rejects.toThrow(
            'One is at the stage later-code, which this version does not know',
          );
        expect([...to.v1.requests, ...to.v3.requests]).toEqual([]);
      } finally {
        await closeWorlds();
        rmSync(folder, { recursive: true });
      }
    },
  );

  it('is refused as to be authorised again if a legacy account has no V1', async () => {
    const to = await world({ stage: 'legacy', v3: () => ok() });
    const { code, text } = await refusal(to, 'GET client.api/list');
    expect(code).toBe('consentNeeded');
    expect(text).toContain('must be authorised again');
    expect(to.v3.requests).toEqual([]);
  });

  it('is refused as to be authorised again if V1 refuses the keys of a legacy account', async () => {
    for (const status of [401, 403]) {
      const to = await stage({ stage: 'legacy', v1: () => ({ ...REFUSED, status }) });
      expect(await refusal(to, 'GET client.api/list')).toMatchObject({ code: 'consentNeeded' });
      expect(to.seen.accepted).toEqual([]);
      expect(to.v3.requests).toEqual([]);
    }
  });

  it('is refused as to be authorised again if the account is lost, without a call of V1', async () => {
    const to = await stage({ stage: 'lost' });
    expect(await refusal(to, 'GET client.api/list')).toMatchObject({ code: 'consentNeeded' });
    expect([to.v1.requests.length, to.v3.requests.length]).toEqual([0, 0]);
  });

  it('never leads back to V1 for a migrated account, even if V3 fails', async () => {
    const to = await stage({ stage: 'migrated', v3: () => ({ status: 401 }) });
    expect(await refusal(to, ARCHIVE, { body: archive })).toMatchObject({ code: 'consentNeeded' });
    expect(to.v1.requests).toEqual([]);
  });
});

describe('a consented account switches from V1 to V3 only if V1 refuses the keys', () => {
  it('with the same body, sent once', async () => {
    for (const status of [401, 403]) {
      const to = await stage({ stage: 'consented', v1: () => ({ ...REFUSED, status }) });
      const trace = new Trace();
      expect(await ask(to, ARCHIVE, { body: archive, trace })).toBe(legacyOk('Archive'));
      expect(trace.route).toBe('v3');
      expect(to.v1.requests[0]?.body).toEqual(Buffer.from(archive));
      expect(to.v3.sent).toContain(`<Client><UUID>${uuid('c1', 1)}</UUID></Client>`);
      expect(to.seen.accepted).toEqual([]);
    }
  });

  it.each([
    ['a domain error', { body: '<Response><Status>ERROR</Status></Response>' }],
    ['a malformed message', { status: 500, body: '<Response><Status>ERROR</Status></Response>' }],
    ['an unknown method', { status: 404, body: '<Response><Status>ERROR</Status></Response>' }],
    ['too many requests', { status: 429, body: '<Response><Status>ERROR</Status></Response>' }],
  ] as const)('so that %s is the reply', async (_, answer) => {
    const to = await stage({ stage: 'consented', v1: () => answer });
    expect(await ask(to, ARCHIVE, { body: archive })).toBe(answer.body);
    expect(to.v3.requests).toEqual([]);
  });

  it('and not if V1 is down', async () => {
    const to = await stage({ stage: 'consented', v1: () => GATEWAY });
    expect(await refusal(to, 'GET client.api/list')).toMatchObject({ code: 'upstreamAnswer' });
    expect(await refusal(to, ARCHIVE, { body: archive })).toMatchObject({ code: 'outcomeUnknown' });
    expect(to.v3.requests).toEqual([]);
  });

  it('or at once without V1', async () => {
    const to = await world({ stage: 'consented', pairs, v3: () => ok() });
    expect(await ask(to, ARCHIVE, { body: archive })).toBe(legacyOk('Archive'));
  });
});

describe('pass-through', () => {
  it('keeps bytes and address unchanged, both ways', async () => {
    const bytes = Buffer.from([0xef, 0xbb, 0xbf, 0x3c, 0x61, 0xff, 0x00, 0x0d, 0x0a]);
    const answer = Buffer.concat([
      Buffer.from('\ufeff  <Response api-method="x">'),
      Buffer.from([0xff, 0x00, 0x0a]),
    ]);
    const to = await stage({
      stage: 'legacy',
      v1: () => ({
        status: 200,
        headers: { 'content-type': 'application/xml', 'retry-after': '3' },
        body: answer,
      }),
    });
    const line = 'POST client.api/add/?b=%41&apiKey=x&a=+&a=%zz';
    const reply = await to.bridge.serve(callOf(line.replace('%zz', ''), { body: bytes }));
    expect(to.v1.requests[0]?.target.reveal()).toBe('/client.api/add/?b=%41&apiKey=x&a=+&a=');
    expect(to.v1.requests[0]?.body).toEqual(bytes);
    expect(reply).toMatchObject({
      status: 200,
      source: 'v1',
      contentType: 'application/xml',
      headers: { 'Retry-After': '3' },
    });
    const chunks: Buffer[] = [];
    for await (const chunk of reply.body as AsyncIterable<Buffer>) chunks.push(chunk);
    expect(Buffer.concat(chunks).equals(answer)).toBe(true);
  });

  it.each([
    ['2147', 2147],
    [undefined, undefined],
    ['4, 4', undefined],
  ])('reports an announced length of %s as %s', async (announced, length) => {
    const headers = { 'content-type': 'text/xml', ...(announced && { 'content-length': announced }) };
    const to = await stage({ stage: 'legacy', v1: () => ({ ...v1Says('<Response/>'), headers }) });
    const reply = await to.bridge.serve(callOf('GET client.api/list'));
    expect(reply.length).toBe(length);
  });

  it.each([200, 404, 405, 500, 503])('keeps status %d of V1', async (status) => {
    const to = await stage({ stage: 'legacy', v1: () => ({ ...v1Says(''), status }) });
    const reply = await to.bridge.serve(callOf('GET client.api/list'));
    expect(reply.status).toBe(status);
  });

  it.each([
    [502, 'GET client.api/list', 'upstreamAnswer'],
    [200, 'GET client.api/list', 'upstreamAnswer'],
    [404, ARCHIVE, 'upstreamAnswer'],
    [500, ARCHIVE, 'outcomeUnknown'],
    [200, ARCHIVE, 'outcomeUnknown'],
    [429, ARCHIVE, 'budgetExhausted'],
  ] as const)(
    'refuses HTML, JSON or nothing with %d for %s by the failure %s',
    async (status, line, code) => {
      for (const body of notXml)
        for (const part of [body, pieces(body.slice(0, 10), body.slice(10))]) {
          const to = await stage({
            stage: 'legacy',
            v1: () => ({ status, body: part, headers: { 'retry-after': '4' } }),
          });
          const failure = await refusal(to, line, { body: line === ARCHIVE ? archive : '' });
          expect({ body, code: failure.code }).toEqual({ body, code });
          expect(failure.retryAfter).toBe(code === 'budgetExhausted' ? 4 : undefined);
        }
    },
  );

  it('records that V1 accepts the API key', async () => {
    const to = await stage({ stage: 'legacy' });
    await ask(to, 'GET client.api/list');
    expect(to.seen.accepted).toEqual(['account-1']);
  });

  it('does not count an error of V1 as an accepted API key', async () => {
    const error = '<Response api-method="List"><Status>ERROR</Status></Response>';
    for (const where of [{}, { accountKey: 'K-nobody' }]) {
      const to = await stage({ stage: 'legacy', v1: () => ({ body: error }) });
      expect(await ask(to, 'GET client.api/list', where)).toBe(error);
      expect([...to.seen.accepted, ...to.seen.discovered]).toEqual([]);
    }
  });

  it.each(['legacy', 'awaiting-operator', 'consented'] as const)(
    'is refused for an account of a replaced database (%s): it may have moved',
    async (at) => {
      const to = await stage({ stage: at, vanished: true });
      expect(await refusal(to, 'GET client.api/list')).toMatchObject({ code: 'heldBack', retryAfter: 60 });
      expect(to.v1.requests).toEqual([]);
    },
  );
});

describe('the keys of a call', () => {
  const other = { accountKey: 'K-nobody' };

  it('get one and the same refusal if they are wrong, unknown or closed', async () => {
    const closed = await stage({ stage: 'closed' });
    const bound = await stage({ stage: 'migrated', boundApiKey: true });
    const unknown = await stage({ discovery: false });
    const refusedByV1 = await stage({ v1: () => REFUSED });
    const answers = [
      await refusal(closed, 'GET client.api/list'),
      await refusal(bound, 'GET client.api/list', { apiKey: 'K-wrong' }),
      await refusal(unknown, 'GET client.api/list', other),
      await refusal(refusedByV1, 'GET client.api/list', other),
    ];
    expect(new Set(answers.map((answer) => JSON.stringify(answer))).size).toBe(1);
    expect(answers[0]).toMatchObject({ code: 'keysRefused', text: 'Invalid API key or account key' });
    expect([closed, bound, unknown].flatMap(({ v1, v3 }) => [...v1.requests, ...v3.requests])).toEqual([]);
  });

  it('of an erased account are refused as before, without a call of V1', async () => {
    const to = await stage({ stage: 'closed' });
    const closed = await refusal(to, 'GET client.api/list');
    expect(await to.store.forget('account-1')).toMatchObject({ outcome: 'forgotten' });
    expect(await refusal(to, 'GET client.api/list')).toEqual(closed);
    expect([...to.v1.requests, ...to.seen.discovered]).toEqual([]);
  });

  it('must match the operator’s API key if there is one, and no other that V1 ever accepted', async () => {
    const bound = await stage({ boundApiKey: true, pinned: ['K-seen'] });
    expect(await ask(bound, ARCHIVE, { body: archive })).toBe(legacyOk('Archive'));
    expect(await refusal(bound, ARCHIVE, { body: archive, apiKey: 'K-seen' })).toMatchObject({
      code: 'keysRefused',
    });
  });

  it.each(['legacy', 'migrated'] as const)(
    'are refused without an API key as the account (%s) requires, and V1 is not called',
    async (at) => {
      const to = await stage({ stage: at });
      const asked = (keys: { readonly accountKey?: string }): Promise<unknown> =>
        ask(to, 'GET client.api/list', { ...keys, apiKey: '' }).catch((error: unknown) => error);
      expect(await asked({})).toMatchObject({
        ...{ code: 'keysRefused', refused: { accountId: 'account-1', why: 'wrong-api-key' } },
      });
      expect(await asked(other)).toMatchObject({ code: 'keysRefused', refused: undefined });
      expect(to.v1.requests).toEqual([]);
    },
  );

  it('of an account that has moved must be an API key under which V1 has answered', async () => {
    for (const at of ['migrated', 'lost'] as const) {
      const to = await stage({ stage: at, pinned: ['K-one', 'K-two'] });
      for (const apiKey of ['K-one', 'K-two'])
        if (at === 'migrated')
          expect(await ask(to, ARCHIVE, { body: archive, apiKey })).toBe(legacyOk('Archive'));
        else expect(await refusal(to, ARCHIVE, { apiKey })).toMatchObject({ code: 'consentNeeded' });
      expect(await refusal(to, ARCHIVE, { apiKey: 'K-other' })).toMatchObject({ code: 'keysRefused' });
      expect(to.v1.requests).toEqual([]);
    }
  });

  it('of an account that has moved are refused if no API key is known: the operator is asked', async () => {
    const to = await stage({ pinned: [] });
    expect(await refusal(to, ARCHIVE, { body: archive })).toMatchObject({
      code: 'keysRefused',
      text: 'Invalid API key or account key',
    });
    expect([...to.v1.requests, ...to.v3.requests]).toEqual([]);
    expect(to.seen.keyMissing).toHaveLength(1);
  });

  it('are checked by V1 before a consent', async () => {
    const to = await stage({ stage: 'legacy', pinned: [] });
    await ask(to, 'GET client.api/list', { apiKey: 'K-new' });
    expect(to.v1.requests).toHaveLength(1);
    expect(to.seen.accepted).toEqual(['account-1']);
  });

  it.each(['awaiting-operator', 'consented'] as const)(
    'are not checked by V1 after the consent (%s) under a key it has never accepted',
    async (at) => {
      const to = await stage({ stage: at });
      expect(await refusal(to, 'GET client.api/list', { apiKey: 'K-new' })).toMatchObject({
        code: 'keysRefused',
      });
      expect(to.v1.requests).toEqual([]);
      expect(to.seen.keyMissing).toEqual([]);
      const keyless = await stage({ stage: at, pinned: [] });
      expect(await refusal(keyless, 'GET client.api/list', {})).toMatchObject({ code: 'keysRefused' });
      expect(keyless.v1.requests).toEqual([]);
      expect(keyless.seen.keyMissing).toEqual(['account-1']);
    },
  );

  it('are not tried on V3 if V1 refuses and has never accepted them', async () => {
    const to = await stage({ stage: 'consented', pinned: [], v1: () => REFUSED });
    expect(await refusal(to, ARCHIVE, { body: archive })).toMatchObject({ code: 'keysRefused' });
    expect(to.v3.requests).toEqual([]);
    const without = await world({ stage: 'consented', pinned: [], pairs, v3: () => ok() });
    expect(await refusal(without, ARCHIVE, { body: archive })).toMatchObject({ code: 'keysRefused' });
  });

  it('are not tried elsewhere while a consent waits for the operator', async () => {
    const to = await stage({ stage: 'awaiting-operator', v1: () => REFUSED });
    expect(await refusal(to, ARCHIVE, { body: archive })).toMatchObject({ code: 'consentNeeded' });
    expect(to.v3.requests).toEqual([]);
  });
});

describe('a call with unknown keys', () => {
  const unknownKey = { accountKey: 'K-stranger' };

  it('is served and its account discovered if V1 accepts them', async () => {
    const to = await stage({});
    const trace = new Trace();
    const reply = await to.bridge.serve(callOf('GET client.api/list', { ...unknownKey, trace }));
    const { accountId } = trace;
    expect({ source: reply.source, accountId }).toEqual({ source: 'v1', accountId: undefined });
    await textOf(reply);
    expect(to.seen.discovered).toEqual(['K-stranger']);
    expect(to.v3.requests).toEqual([]);
  });

  it.each([
    ['a gateway that fails', GATEWAY],
    ['a V1 that fails', { status: 500, body: '<Response/>' }],
    ['an unknown method', { status: 404, body: '<Response/>' }],
    ['too many requests', { status: 429, body: '<Response/>' }],
    ['a log-in page', { status: 200, body: '<html>log in</html>' }],
  ] as const)('proves nothing about the keys if it meets %s', async (_, answer) => {
    const to = await stage({ v1: () => answer });
    await ask(to, 'GET client.api/list', unknownKey).catch(() => undefined);
    expect(to.v1.requests.length).toBe(1);
    expect(to.seen.discovered).toEqual([]);
  });

  it('is not sent to V1 without discovery', async () => {
    const to = await stage({ discovery: false });
    expect(await refusal(to, 'GET client.api/list', unknownKey)).toMatchObject({ code: 'keysRefused' });
    expect(to.v1.requests).toEqual([]);
  });

  it('is not sent to V1 for five minutes after a refusal', async () => {
    const to = await stage({ v1: () => REFUSED });
    const again = (): ReturnType<typeof refusal> => refusal(to, 'GET client.api/list', unknownKey);
    await again();
    await again();
    to.clock.time += 5 * MINUTE - 1;
    await again();
    expect(to.v1.requests.length).toBe(1);
    await refusal(to, 'GET client.api/list', { ...unknownKey, apiKey: 'K-another' });
    expect(to.v1.requests.length).toBe(2);
    to.clock.time += 2;
    await again();
    expect(to.v1.requests.length).toBe(3);
  });

  it('is limited to 30 a minute for one caller, while others are served', () => {
    const clock = { time: 0, now: () => clock.time };
    const unknownKeys = new UnknownKeyLimiter(KeyRing.parse(new Secret(newKeyLine())), clock);
    const keys = (n: number): Keys => ({ apiKey: new Secret('A'), accountKey: new Secret(`K-${n}`) });
    const guess = (n: number, from: string): void => {
      unknownKeys.admit(keys(n), from).refused();
    };
    for (let n = 0; n < 30; n += 1) guess(n, '198.51.100.7');
    expect(() => {
      guess(30, '198.51.100.7');
    }).toThrow(expect.objectContaining({ code: 'budgetExhausted', retryAfter: 60 }));
    // One machine may work for many accounts that nobody has added.
    for (let n = 31; n < 71; n += 1) unknownKeys.admit(keys(n), '198.51.100.8').cleared();
    clock.time += MINUTE + 1;
    guess(71, '198.51.100.7');
  });

  it('is passed on again after the clock was set back behind its refusal', () => {
    const clock = { time: 0, now: () => clock.time };
    const unknownKeys = new UnknownKeyLimiter(KeyRing.parse(new Secret(newKeyLine())), clock);
    const keys: Keys = { apiKey: new Secret('A'), accountKey: new Secret('K-1') };
    unknownKeys.admit(keys).refused();
    expect(() => unknownKeys.admit(keys)).toThrow(expect.objectContaining({ code: 'keysRefused' }));
    clock.time -= MINUTE;
    unknownKeys.admit(keys).cleared();
  });

  it('counts for its caller while V1 has not answered, and leaves room for the others', () => {
    const unknownKeys = new UnknownKeyLimiter(KeyRing.parse(new Secret(newKeyLine())), { now: () => 0 });
    const keys = (n: number): Keys => ({ apiKey: new Secret('A'), accountKey: new Secret(`K-${n}`) });
    let asked = 0;
    for (let n = 0; n < 200; n += 1)
      try {
        unknownKeys.admit(keys(n), '198.51.100.7');
        asked += 1;
      } catch (error) {
        expect(error).toMatchObject({ code: 'budgetExhausted' });
      }
    expect(asked).toBe(30);
    unknownKeys.admit(keys(200), '198.51.100.8').cleared();
  });

  it.each([
    ['one that its caller abandons counts for that caller', true, 30],
    ['one that never reached V1 does not count', false, 40],
  ])('is counted correctly: %s', async (_what, isGone, tried) => {
    const unanswered = (): never => {
      throw new Failure('upstreamUnavailable');
    };
    const to = await stage({ v1: unanswered });
    const signal = isGone ? AbortSignal.abort() : new AbortController().signal;
    const codes: unknown[] = [];
    for (let n = 0; n < 40; n += 1) {
      const call = callOf('GET client.api/list', { accountKey: `K-${n}` });
      const served = to.bridge.serve({ ...call, from: () => '198.51.100.7', signal });
      codes.push(await served.catch((error: unknown) => (error instanceof Failure ? error.code : error)));
    }
    expect(codes.filter((code) => code === 'upstreamUnavailable')).toHaveLength(tried);
  });

  it('is limited to 120 a minute for all callers together', async () => {
    const to = await stage({ v1: () => REFUSED });
    for (let guess = 0; guess < 120; guess += 1)
      await refusal(to, 'GET client.api/list', { accountKey: `K-${guess}` });
    expect(await refusal(to, 'GET client.api/list', { accountKey: 'K-one-more' })).toMatchObject({
      code: 'budgetExhausted',
      retryAfter: 60,
    });
    expect(to.v1.requests.length).toBe(120);
    to.clock.time += MINUTE + 1;
    expect(await refusal(to, 'GET client.api/list', { accountKey: 'K-one-more' })).toMatchObject({
      code: 'keysRefused',
    });
  });
});

describe('a V3 that knows the numbers of V1', () => {
  const numbers = (setting: Setting): ReturnType<typeof world> =>
    world({ identifiers: 'number', ...setting });

  it('has its replies passed on byte for byte', async () => {
    const bytes = Buffer.from(
      '<?xml version="1.0"?>\n<Response api-method="Get">  <Status>OK</Status><Client><ID>5</ID><New/></Client></Response>\n',
    );
    const to = await numbers({ v3: () => ({ body: bytes }) });
    const reply = await to.bridge.serve(callOf('GET client.api/get/5'));
    expect(await textOf(reply)).toBe(bytes.toString());
    expect(reply).toMatchObject({ status: 200, source: 'v3' });
    expect(to.v3.path).toBe('client.api/get/5');
  });

  it('gets requests that are still read, checked and rewritten, with its own names', async () => {
    const to = await numbers({ v3: () => ok() });
    await ask(to, 'PUT client.api/update', {
      body: '<Client><Name>n</Name><ID>5</ID><BillingClientID>6</BillingClientID><Odd/></Client>',
    });
    expect(to.v3.sent).toBe(
      '<?xml version="1.0" encoding="UTF-8"?><Client><ID>5</ID><Name>n</Name><BillingClientID>6</BillingClientID></Client>',
    );
  });

  it('has its pages merged as usual', async () => {
    const page = (id: number): Played =>
      ok(`<TotalRecords>2</TotalRecords><Clients><Client><ID>${id}</ID></Client></Clients>`);
    const to = await numbers({ pageSize: 1, v3: (_, count) => page(count) });
    const text = await ask(to, 'GET client.api/list');
    expect([...text.matchAll(/<ID>(\d+)<\/ID>/g)].map(([, id]) => id)).toEqual(['1', '2']);
    expect(text).not.toContain('TotalRecords');
  });

  it('has its document links made accessible as usual', async () => {
    const document = '<Document><Title>t</Title><URL>https://v3.example/abc</URL></Document>';
    const to = await numbers({ v3: () => ok(`<Documents>${document}</Documents>`) });
    expect(await ask(to, 'GET client.api/documents/5')).toContain(
      '<URL>https://bridge.example/account-1/22</URL>',
    );
  });

  it('is not subject to renaming by the generic rule', async () => {
    const inner = '<Lead><ID>5</ID><Client><ID>6</ID></Client></Lead>';
    const to = await numbers({ v3: () => ok(inner) });
    const body = '<Lead><ID>5</ID><ClientID>6</ClientID></Lead>';
    expect(await ask(to, 'POST other.api/add', { body })).toBe(legacyOk('Add', inner));
    expect(to.v3.sent).toContain(body);
  });

  it('never sends text that is not XML to the caller', async () => {
    for (const body of notXml) {
      const to = await numbers({ v3: () => ({ body }) });
      expect(await refusal(to, 'GET client.api/get/5')).toMatchObject({ code: 'upstreamAnswer' });
      const put = '<Client><ID>5</ID></Client>';
      expect(await refusal(to, ARCHIVE, { body: put })).toMatchObject({ code: 'outcomeUnknown' });
    }
  });

  it('never sends it on the fast path either, as V1 does not', () => {
    const spec = loadProfile('spec', (path) => readFileSync(path, 'utf8')) as Profile;
    const endpoint = { ready: () => ({}) } as unknown as ForwardParts['endpoint'];
    const profile = { ...spec, v3: { ...spec.v3, identifiers: 'number' as const } };
    const method = deliveredMapping('number').methods.find(({ id }) => id === 'client.get');
    if (method === undefined) throw new Error('there is no client.get');
    const to = { ids: sameIdentifiers, values: ['5'], open: '' } as unknown as MovedCall;
    const call = { segments: ['client.api', 'get', '5'], query: [] };
    const read = new ForwardMethod({ endpoint, profile, body: new BodyReader() }, method).ready(call, to);
    const xml = '<?xml version="1.0" encoding="utf-8"?>\n<Response/>';
    const replies = [...notXml, xml].map((body) => [
      read?.reply(Buffer.from(body)),
      unchanged(Buffer.from(body)),
    ]);
    const both = [Buffer.from(xml), Buffer.from(xml)];
    expect(replies).toEqual([...notXml.map(() => [undefined, undefined]), both]);
  });

  it('has its status judged as usual', async () => {
    const to = await numbers({ v3: () => ({ status: 404, body: '{}' }) });
    expect(await refusal(to, 'GET client.api/get/5')).toMatchObject({ code: 'refused' });
    const created = await numbers({ v3: () => ({ ...ok(), status: 201 }) });
    const reply = await created.bridge.serve(callOf(ARCHIVE, { body: '<Client><ID>5</ID></Client>' }));
    expect(reply.status).toBe(200);
    expect(await textOf(reply)).toContain('<Status>OK</Status>');
  });
});
