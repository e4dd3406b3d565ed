import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from '@jest/globals';
import nock from 'nock';
import type { Delivery } from '../../../src/features/events/delivery.ts';
import { HttpEventSender } from '../../../src/features/events/event-sender.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';

const ORIGIN = 'https://receiver.example';
const PAYLOAD = '{"id":"evt_1","type":"account.migrated"}';
const AT = Date.parse('2026-03-02T10:00:00Z');

const delivery: Delivery = {
  id: 'evt_1',
  type: 'account.migrated',
  accountId: 'a1',
  payload: PAYLOAD,
  createdAt: AT,
  attempts: 1,
  state: 'waiting',
  nextAt: AT,
  note: '',
};

// Another suite of this worker may have restored Node's own modules.
beforeAll(() => {
  if (!nock.isActive()) nock.activate();
});

beforeEach(() => {
  nock.disableNetConnect();
});

afterEach(() => {
  nock.abortPendingRequests();
  nock.cleanAll();
  nock.enableNetConnect();
});

// What nock puts into Node's own modules outlives this file, and other files of the same worker open real sockets.
afterAll(() => {
  nock.restore();
});

const sent = () =>
  new HttpEventSender({
    url: new Secret(`${ORIGIN}/hooks?token=t1`),
    secret: new Secret('receiver-secret'),
  }).send(delivery, AT);

describe('an event sent to a receiver', () => {
  it('is signed over its time and its bytes, and sent as JSON', async () => {
    const receiver = nock(ORIGIN, {
      reqheaders: {
        'content-type': 'application/json; charset=utf-8',
        'causeway-event-id': 'evt_1',
        'causeway-event-type': 'account.migrated',
        // printf '1772445600.{…}' | openssl dgst -sha256 -hmac receiver-secret
        'causeway-signature':
          't=1772445600,v1=b64642546ad216ae7011cc3b13ec28dbc00ceac21efe0c4425157762905cf112',
      },
    })
      .post('/hooks', PAYLOAD)
      .query({ token: 't1' })
      .reply(204);
    expect(await sent()).toEqual({ outcome: 'delivered', note: 'answered 204' });
    expect(receiver.isDone()).toBe(true);
  });

  it('follows no redirect, which could lead its signature elsewhere', async () => {
    nock(ORIGIN).post('/hooks').query(true).reply(302, '', { Location: 'https://elsewhere.example/' });
    const elsewhere = nock('https://elsewhere.example').get('/').reply(200);
    expect(await sent()).toEqual({
      outcome: 'failed',
      note: 'answered 302: redirects are not followed',
    });
    expect(elsewhere.isDone()).toBe(false);
  });

  it('describes a broken connection without the address', async () => {
    nock(ORIGIN)
      .post('/hooks')
      .query(true)
      .replyWithError(Object.assign(new Error(ORIGIN), { code: 'ECONNRESET' }));
    expect(await sent()).toEqual({ outcome: 'failed', note: 'the connection was cut' });
  });
});
