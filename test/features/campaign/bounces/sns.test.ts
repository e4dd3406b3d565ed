import { createSign, generateKeyPairSync } from 'node:crypto';
import { describe, expect, it } from '@jest/globals';
import { SnsTopic } from '../../../../src/features/campaign/bounces/sns.ts';

const TOPIC = 'arn:aws:sns:eu-west-1:123456789012:bounces';
const ADDRESS =
  'https://sns.eu-west-1.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem';
const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
const certificate = publicKey.export({ type: 'spki', format: 'pem' }).toString();

const notification = {
  ...{ Type: 'Notification', MessageId: '22b80b92-fdea-4c2c-8f9d-bdfb0c7bf324', TopicArn: TOPIC },
  ...{ Message: '{"notificationType":"Bounce"}', Timestamp: '2026-11-26T07:00:00.000Z' },
};
const confirmation = {
  ...notification,
  ...{ Type: 'SubscriptionConfirmation', SubscribeURL: 'https://sns.eu-west-1.amazonaws.com/?a', Token: 't' },
};

/** As the service signs: the text is written out here, not made by what is tested. */
function signed(fields: Readonly<Record<string, string>>, text: string, version: '1' | '2' = '2') {
  const sign = createSign(version === '1' ? 'RSA-SHA1' : 'RSA-SHA256').update(text);
  const Signature = sign.sign(privateKey, 'base64');
  return { ...fields, SignatureVersion: version, Signature, SigningCertURL: ADDRESS };
}
const { Message, MessageId, Timestamp } = notification;
const plain = `Message\n${Message}\nMessageId\n${MessageId}\nTimestamp\n${Timestamp}\nTopicArn\n${TOPIC}\nType\nNotification\n`;
const withSubject = plain.replace('Timestamp\n', 'Subject\nBounced\nTimestamp\n');
const asking = `Message\n${Message}\nMessageId\n${MessageId}\nSubscribeURL\n${confirmation.SubscribeURL}\nTimestamp\n${Timestamp}\nToken\nt\nTopicArn\n${TOPIC}\nType\nSubscriptionConfirmation\n`;

describe('a message signed by Amazon SNS', () => {
  it.each([
    ['a notification', signed(notification, plain)],
    ['one of version 1', signed(notification, plain, '1')],
    ['one with a subject', signed({ ...notification, Subject: 'Bounced' }, withSubject)],
    ['a question for confirmation', signed(confirmation, asking)],
  ])('is accepted: %s, with one request for the certificate', async (_what, body) => {
    const asked: string[] = [];
    const signatures = new SnsTopic({
      topic: TOPIC,
      read: async (address) => {
        asked.push(address);
        return certificate;
      },
    });
    for (let time = 0; time < 2; time += 1)
      expect(await signatures.judge(body)).toEqual({ verdict: 'genuine' });
    expect(asked).toEqual([ADDRESS]);
  });

  it.each(['us-east-1.amazonaws.com', 'us-gov-west-1.amazonaws.com', 'cn-north-1.amazonaws.com.cn'])(
    'is accepted with a certificate of its region: sns.%s',
    async (region) => {
      const address = `https://sns.${region}/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem`;
      const signatures = new SnsTopic({ topic: TOPIC, read: async () => certificate });
      const body = { ...signed(notification, plain), SigningCertURL: address };
      expect(await signatures.judge(body)).toEqual({ verdict: 'genuine' });
    },
  );

  const genuine = signed(notification, plain);
  it.each([
    ['without a signature', notification, 'not a signed SNS message'],
    ['not JSON', undefined, 'not a signed SNS message'],
    ['of another topic', { ...genuine, TopicArn: `${TOPIC}-2` }, 'another topic'],
    ['changed', { ...genuine, Message: '{"notificationType":"Complaint"}' }, 'signature is wrong'],
    ['with a subject that is not signed', { ...genuine, Subject: 'Bounced' }, 'signature is wrong'],
    ...[
      'https://sns.evil.example/x.pem',
      'https://sns.eu-west-1.amazonaws.com.evil.example/x.pem',
      'https://sns.eu-west-1.amazonaws.com@evil.example/x.pem',
      'https://sns.eu-west-1.amazonaws.com:8443/x.pem',
      'http://sns.eu-west-1.amazonaws.com/x.pem',
      'https://bucket.s3.amazonaws.com/sns.x.pem',
      'https://sns.eu-west-1.amazonaws.com/a/../x.pem',
      // Buckets of S3 that are called `sns`.
      'https://sns.s3.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
      'https://sns.s3-us-west-2.amazonaws.com/SimpleNotificationService-0123456789abcdef0123456789abcdef.pem',
      'https://sns.eu-west-1.amazonaws.com/other.pem',
    ].map((address) => [address, { ...genuine, SigningCertURL: address }, 'not one of Amazon SNS'] as const),
  ])('is refused: %s', async (_what, body, reason) => {
    const signatures = new SnsTopic({ topic: TOPIC, read: async () => certificate });
    expect(await signatures.judge(body)).toEqual({
      verdict: 'refused',
      reason: expect.stringContaining(reason),
    });
  });

  it('is sent again if the certificate is unavailable, and is refused if there is none', async () => {
    let answer: () => Promise<string> = () => Promise.reject(new Error('no route'));
    const signatures = new SnsTopic({ topic: TOPIC, read: () => answer() });
    expect(await signatures.judge(genuine)).toMatchObject({ verdict: 'later' });
    answer = async () => 'not a certificate';
    expect(await signatures.judge(genuine)).toMatchObject({ verdict: 'refused' });
    answer = async () => certificate;
    expect(await signatures.judge(genuine)).toEqual({ verdict: 'genuine' });
  });
});
