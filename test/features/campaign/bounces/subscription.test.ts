import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { createSign, generateKeyPairSync } from 'node:crypto';
import { PassThrough } from 'node:stream';
import nock from 'nock';
import { readFromSns } from '../../../../src/features/campaign/bounces/sns-client.ts';
import { SnsTopic } from '../../../../src/features/campaign/bounces/sns.ts';
import { BouncesEndpoint } from '../../../../src/http/customer/bounces.ts';
import { LineLog } from '../../../../src/lib/log/line-log.ts';
import { Secret } from '../../../../src/lib/secret/secret.ts';
import { openTestServer } from '../../../http/harness.ts';
import { Sender } from '../../../support/http.ts';
import { openPostOffice } from '../harness.ts';

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces';
const HOST = 'https://sns.eu-west-1.amazonaws.com';
const CERTIFICATE = `${HOST}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`;
const TOKEN =
  '2336412f37fb687f5d51e6e241d09c805a5a57b30d712f794cc5f6a988666d92768dd60a747ba6f3beb71854e285d6ad';
const LINK = `${HOST}/?Action=ConfirmSubscription&TopicArn=${TOPIC}&Token=${TOKEN}`;
const SECRET = 'a-secret-in-an-address-0001';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const certificate = publicKey.export({ type: 'spki', format: 'pem' }).toString();

/** As SNS posts it, with the link signed. */
function asking(link = LINK): Readonly<Record<string, string>> {
  const fields = {
    ...{ Message: 'You have chosen to subscribe', MessageId: '165545c9-2a5c-472c-8df2-7ff2be2b3b1b' },
    ...{ SubscribeURL: link, Timestamp: '2026-11-26T07:00:00.000Z', Token: TOKEN, TopicArn: TOPIC },
    Type: 'SubscriptionConfirmation',
  };
  const text = Object.entries(fields).map(([name, value]) => `${name}\n${value}\n`);
  const Signature = createSign('RSA-SHA256').update(text.join('')).sign(privateKey, 'base64');
  return { ...fields, SignatureVersion: '2', Signature, SigningCertURL: CERTIFICATE };
}

interface Endpoint {
  readonly post: (body: unknown) => Promise<number>;
  /** Addresses that were requested from SNS. */
  readonly asked: readonly string[];
  /** What the log has written, without level and time. */
  readonly logged: () => readonly unknown[];
}

/** The endpoint with the log that is written in production. `confirms`: what SNS does when the link is opened. */
async function opened(confirms: () => Promise<string>, topic: string | null = TOPIC): Promise<Endpoint> {
  const { store, clock } = await openPostOffice();
  const stream = new PassThrough();
  const log = new LineLog({ stream });
  const asked: string[] = [];
  const read = async (address: string): Promise<string> => {
    asked.push(address);
    return address === CERTIFICATE ? certificate : confirms();
  };
  const sns = topic === null ? undefined : new SnsTopic({ topic, read });
  const endpoint = new BouncesEndpoint({
    bounces: store.bounces,
    secret: new Secret(SECRET),
    sns,
    clock,
    log,
  });
  const server = await openTestServer({ make: () => ({ bounces: endpoint }) });
  const sender = new Sender(`http://127.0.0.1:${server.port}`);
  return {
    asked,
    post: async (body) => {
      const target = `/_causeway/bounces/${SECRET}`;
      const { status } = await sender.send({ verb: 'POST', target, headers: {}, body: JSON.stringify(body) });
      return status;
    },
    logged: () => {
      log.flush();
      sender.close();
      const lines = String(stream.read() ?? '').split('\n');
      return lines.slice(0, -1).map((line) => {
        const fields = Object.entries(JSON.parse(line) as Record<string, unknown>);
        return Object.fromEntries(fields.filter(([name]) => name !== 'level' && name !== 'time'));
      });
    },
  };
}

describe('the subscription of an SNS topic', () => {
  it('is confirmed by the bridge, once, if the signature is genuine', async () => {
    const { post, asked, logged } = await opened(async () => '<ConfirmSubscriptionResponse/>');
    for (let time = 0; time < 2; time += 1) expect(await post(asking())).toBe(200);
    expect(asked).toEqual([CERTIFICATE, LINK]);
    expect(logged()).toEqual([{ event: 'bounces.confirmed', topic: TOPIC }]);
  });

  it('is not confirmed if the signature is wrong', async () => {
    const { post, asked, logged } = await opened(async () => '');
    expect(await post({ ...asking(), SubscribeURL: `${LINK}&x` })).toBe(200);
    expect(asked).toEqual([CERTIFICATE]);
    expect(logged()).toEqual([{ event: 'bounces.unsigned', reason: 'its signature is wrong' }]);
  });

  it('is confirmed with the next request for it if the link could not be opened, and the log says why', async () => {
    let answers = 0;
    const { post, asked, logged } = await opened(async () => {
      answers += 1;
      if (answers === 1) throw new Error('ENOTFOUND');
      return '';
    });
    expect([await post(asking()), await post(asking())]).toEqual([503, 200]);
    expect(asked).toEqual([CERTIFICATE, LINK, LINK]);
    expect(logged()).toEqual([
      { event: 'bounces.not-confirmed', topic: TOPIC, reason: 'ENOTFOUND' },
      { event: 'bounces.confirmed', topic: TOPIC },
    ]);
  });

  it.each([
    'https://evil.example/?Action=ConfirmSubscription',
    'https://sns.eu-west-1.amazonaws.com.evil.example/?Action=ConfirmSubscription',
    'https://sns.eu-west-1.amazonaws.com:8443/?Action=ConfirmSubscription',
    'https://sns.eu-west-1.amazonaws.com/other?Action=ConfirmSubscription',
  ])('is not confirmed by a link that leads elsewhere: %s', async (link) => {
    const { post, asked, logged } = await opened(async () => '');
    await post(asking(link));
    expect(asked).toEqual([CERTIFICATE]);
    expect(logged()).toEqual([
      { event: 'bounces.not-confirmed', topic: TOPIC, reason: 'its link does not lead to Amazon SNS' },
    ]);
  });

  it('is left alone without a configured topic, and the log names the topic that asks', async () => {
    const { post, asked, logged } = await opened(async () => '', null);
    expect(await post(asking())).toBe(200);
    expect(asked).toEqual([]);
    expect(logged()).toEqual([{ event: 'bounces.confirm', topic: TOPIC }]);
  });
});

describe('a request to Amazon SNS', () => {
  // Another suite of this worker may have restored Node's own modules.
  beforeAll(() => {
    if (!nock.isActive()) nock.activate();
    nock.disableNetConnect();
  });
  afterEach(() => {
    nock.cleanAll();
  });
  afterAll(() => {
    nock.enableNetConnect();
    nock.restore();
  });

  it('reads a certificate', async () => {
    nock(HOST).get('/x.pem').reply(200, certificate);
    expect(await readFromSns(`${HOST}/x.pem`)).toBe(certificate);
  });

  it('follows no redirect', async () => {
    nock(HOST).get('/').query(true).reply(302, '', { Location: 'https://elsewhere.example/' });
    const elsewhere = nock('https://elsewhere.example').get('/').reply(200);
    await expect(readFromSns(LINK)).rejects.toThrow(/^status 302$/);
    expect(elsewhere.isDone()).toBe(false);
  });

  it('reads no more than a certificate can have', async () => {
    nock(HOST).get('/slow.pem').delay(60_000).reply(200, certificate);
    await expect(readFromSns(`${HOST}/slow.pem`, 50)).rejects.toThrow(/^no answer within 0.05 s$/);
    nock(HOST).get('/x.pem').reply(200, 'x'.repeat(100_000));
    await expect(readFromSns(`${HOST}/x.pem`)).rejects.toThrow(/^ERR_BAD_RESPONSE$/);
  });

  it('that fails names the reason without the link', async () => {
    nock(HOST)
      .get('/')
      .query(true)
      .replyWithError(Object.assign(new Error(LINK), { code: 'ENOTFOUND' }));
    await expect(readFromSns(LINK)).rejects.toThrow(/^ENOTFOUND$/);
  });
});
