import { describe, expect, it } from '@jest/globals';
import { randomUUID } from 'node:crypto';
import type { Bounce } from '../../../../src/features/campaign/bounces/bounce.ts';
import { readDeliveryReport } from '../../../../src/features/campaign/bounces/delivery-report.ts';
import type { SnsVerdict } from '../../../../src/features/campaign/bounces/sns.ts';
import { confirmationIn, readBounces } from '../../../../src/features/campaign/bounces/providers.ts';
import {
  invitationWords,
  oneInvitationWords,
} from '../../../../src/features/status/report/invitation-words.ts';
import { BouncesEndpoint } from '../../../../src/http/customer/bounces.ts';
import { Secret } from '../../../../src/lib/secret/secret.ts';
import { KeptLog, openTestServer } from '../../../http/harness.ts';
import { Sender } from '../../../support/http.ts';
import { statusReportOf } from '../../status/rows.ts';
import { openPostOffice } from '../harness.ts';

const ADA = 'ada@example.com';

/** As Postfix writes it (RFC 3464, appendix E), shortened. */
const postfix = (action: string, status: string, said: string): string =>
  [
    'From: MAILER-DAEMON@mx.example.com',
    'Subject: Undelivered Mail Returned to Sender',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="B"',
    '',
    '--B',
    'Content-Type: text/plain',
    '',
    'Action: failed. Final-Recipient: nobody in particular',
    '',
    '--B',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    '',
    'Final-Recipient: rfc822; Ada@Example.com',
    `Action: ${action}`,
    `Status: ${status}`,
    `Diagnostic-Code: smtp; ${said}`,
    '    in reply to RCPT TO',
    '',
    '--B--',
    '',
  ].join('\r\n');

describe('a delivery report', () => {
  it("names the dead address, with the server's reply", () => {
    expect(readDeliveryReport(postfix('failed', '5.1.1', '550 5.1.1 User unknown'))).toEqual([
      { address: 'Ada@Example.com', kind: 'dead', words: '5.1.1 550 5.1.1 User unknown in reply to RCPT TO' },
    ]);
  });

  it('of a delay, or of a full mailbox, stops no e-mail', () => {
    const kinds = [
      readDeliveryReport(postfix('delayed', '4.4.1', 'no route')),
      readDeliveryReport(postfix('failed', '4.2.2', 'mailbox full')),
    ].map(([first]) => first?.kind);
    expect(kinds).toEqual(['passing', 'passing']);
  });

  it('is not mistaken for an automatic reply', () => {
    const text =
      'Content-Type: text/plain\n\nFinal-Recipient: rfc822; ada@example.com\nAction: failed\nStatus: 5.1.1\n';
    expect(readDeliveryReport(text)).toEqual([]);
  });
});

/** As the providers document them, shortened to what is read and some of what is not. */
const posted: readonly (readonly [
  what: string,
  body: unknown,
  expected: readonly (readonly [string, Bounce['kind']])[],
])[] = [
  [
    'postmark: a hard bounce',
    {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      TypeCode: 1,
      Email: ADA,
      Details: 'smtp;550 5.1.1 unknown',
      Inactive: true,
    },
    [[ADA, 'dead']],
  ],
  [
    'postmark: a soft bounce',
    { RecordType: 'Bounce', Type: 'SoftBounce', Email: ADA, Description: 'busy' },
    [[ADA, 'passing']],
  ],
  [
    'postmark: a complaint',
    { RecordType: 'SpamComplaint', Type: 'SpamComplaint', Email: ADA },
    [[ADA, 'complaint']],
  ],
  [
    'mailgun: a permanent failure',
    {
      signature: { timestamp: '1', token: 't', signature: 's' },
      'event-data': {
        event: 'failed',
        severity: 'permanent',
        recipient: ADA,
        'delivery-status': { code: 550, message: 'unknown' },
      },
    },
    [[ADA, 'dead']],
  ],
  [
    'mailgun: a refusal of the sender',
    {
      'event-data': {
        event: 'failed',
        severity: 'permanent',
        recipient: ADA,
        'delivery-status': { code: 550, message: '5.7.1 Client host blocked' },
      },
    },
    [[ADA, 'passing']],
  ],
  ...(
    [
      ['suppress-bounce', 605, 'Not delivering to previously bounced address', 'dead'],
      ['suppress-unsubscribe', 606, 'Not delivering to unsubscribed address', 'unsubscribed'],
      ['suppress-complaint', 607, 'Not delivering to a user who marked your messages as spam', 'complaint'],
    ] as const
  ).flatMap(([reason, code, said, kind]) =>
    // Mailgun documents the first form; the text has also been seen in `message`.
    [{ message: '', description: said }, { message: said }, {}].map((texts): (typeof posted)[number] => [
      `mailgun: an address that is on its list, ${reason} ${JSON.stringify(texts)}`,
      {
        'event-data': {
          ...{ event: 'failed', severity: 'permanent', reason, recipient: ADA },
          'delivery-status': { code, ...texts },
        },
      },
      [[ADA, kind]],
    ]),
  ),
  [
    'mailgun: an address on its list by the code alone',
    {
      'event-data': {
        ...{ event: 'failed', severity: 'permanent', reason: 'old', recipient: ADA },
        'delivery-status': { code: '607', message: '', description: '' },
      },
    },
    [[ADA, 'complaint']],
  ],
  [
    'mailgun: an error without a message',
    {
      'event-data': {
        ...{ event: 'failed', severity: 'permanent', reason: 'generic', recipient: ADA },
        'delivery-status': { code: 498, message: '', description: '5.7.1 blocked' },
      },
    },
    [[ADA, 'passing']],
  ],
  [
    'mailgun: a temporary one',
    { 'event-data': { event: 'failed', severity: 'temporary', recipient: ADA } },
    [[ADA, 'passing']],
  ],
  [
    'sendgrid: several events',
    [
      { email: ADA, event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 unknown' },
      { email: 'two@example.com', event: 'bounce', type: 'blocked', reason: 'listed' },
      { email: 'three@example.com', event: 'spamreport' },
      { email: 'four@example.com', event: 'delivered' },
      { email: 'five@example.com', event: 'bounce', type: 'bounce', status: '4.2.2', reason: 'mailbox full' },
      { email: 'six@example.com', event: 'bounce', type: 'bounce', status: '5.0.0', reason: '550 rejected' },
    ],
    [
      [ADA, 'dead'],
      ['two@example.com', 'passing'],
      ['three@example.com', 'complaint'],
      ['four@example.com', 'passing'],
      ['five@example.com', 'passing'],
      ['six@example.com', 'dead'],
    ],
  ],
  [
    'sendgrid: messages that it did not send',
    [
      { email: ADA, event: 'dropped', reason: 'Bounced Address', status: '5.0.0' },
      { email: 'two@example.com', event: 'dropped', reason: 'Invalid' },
      { email: 'three@example.com', event: 'dropped', reason: 'Spam Reporting Address' },
      { email: 'four@example.com', event: 'dropped', reason: 'Unsubscribed Address' },
      { email: 'five@example.com', event: 'dropped', reason: 'Spam Content' },
      { email: 'six@example.com', event: 'dropped', reason: 'Recipient List over Package Quota' },
      { email: 'seven@example.com', event: 'dropped', reason: 'Invalid SMTPAPI header' },
    ],
    [
      [ADA, 'dead'],
      ['two@example.com', 'dead'],
      ['three@example.com', 'complaint'],
      ['four@example.com', 'unsubscribed'],
      ['five@example.com', 'passing'],
      ['six@example.com', 'passing'],
      ['seven@example.com', 'passing'],
    ],
  ],
  [
    'sendgrid: events that are not about a message',
    [
      { event: 'account_status_change', sg_event_id: 'x', timestamp: 1, type: 'compliance_suspend' },
      { email: ADA, event: 'bounce', type: 'bounce', status: '5.1.1', reason: '550 unknown' },
      { email: 'two@example.com', event: 'bounce', type: 'bounce', status: 511 },
      'text',
      { email: 'three@example.com', event: 'dropped', reason: 'constructor' },
    ],
    [
      [ADA, 'dead'],
      ['three@example.com', 'passing'],
    ],
  ],
  [
    'ses by SNS: a permanent bounce',
    {
      Type: 'Notification',
      Message: JSON.stringify({
        notificationType: 'Bounce',
        bounce: {
          bounceType: 'Permanent',
          bouncedRecipients: [{ emailAddress: ADA, status: '5.1.1', diagnosticCode: 'smtp; 550' }],
        },
      }),
    },
    [[ADA, 'dead']],
  ],
  [
    'ses: permanent bounces for a policy, and without an answer',
    {
      bounce: {
        bounceType: 'Permanent',
        bouncedRecipients: [
          { emailAddress: ADA, status: '5.7.1', diagnosticCode: 'smtp; 550 5.7.1 blocked' },
          { emailAddress: 'two@example.com', diagnosticCode: 'smtp; 554 blocked using spamhaus' },
          { emailAddress: 'three@example.com' },
        ],
      },
    },
    [
      [ADA, 'passing'],
      ['two@example.com', 'passing'],
      ['three@example.com', 'dead'],
    ],
  ],
  [
    'ses, bare: a transient one',
    { eventType: 'Bounce', bounce: { bounceType: 'Transient', bouncedRecipients: [{ emailAddress: ADA }] } },
    [[ADA, 'passing']],
  ],
  [
    'ses: a complaint',
    { notificationType: 'Complaint', complaint: { complainedRecipients: [{ emailAddress: ADA }] } },
    [[ADA, 'complaint']],
  ],
  ...(['abuse', 'not-spam', 'auth-failure'] as const).map((type): (typeof posted)[number] => [
    `ses: feedback of the type ${type}`,
    { complaint: { complainedRecipients: [{ emailAddress: ADA }], complaintFeedbackType: type } },
    [[ADA, type === 'abuse' ? 'complaint' : 'passing']],
  ]),
  [
    'a forwarded report',
    { report: postfix('failed', '5.1.1', '550 unknown') },
    [['Ada@Example.com', 'dead']],
  ],
];

describe('a bounce posted by a provider', () => {
  it.each(posted)('is read: %s', (what, body, expected) => {
    const found = readBounces(body);
    expect(found?.bounces.map(({ address, kind }) => [address, kind])).toEqual(expected);
    expect(what.startsWith(found?.source ?? '?') || found?.source === 'report').toBe(true);
  });

  it.each([
    undefined,
    null,
    'text',
    [],
    {},
    { Type: 'Notification', Message: 'no JSON' },
    { RecordType: 'Open', Email: ADA },
    [{ event: 'account_status_change', type: 'compliance_suspend' }],
  ])('is ignored if it is none of the known forms: %j', (body) => {
    expect(readBounces(body)).toBeUndefined();
  });

  it('can ask for a confirmation of its topic', () => {
    const body = { Type: 'SubscriptionConfirmation', SubscribeURL: 'https://sns.example.com/?Token=t' };
    expect(confirmationIn({ ...body, TopicArn: 'arn:aws:sns:eu-west-1:1:b' })).toEqual({
      link: 'https://sns.example.com/?Token=t',
      topic: 'arn:aws:sns:eu-west-1:1:b',
    });
    expect(confirmationIn(body)?.topic).toBeUndefined();
    expect(confirmationIn({ ...body, SubscribeURL: 'javascript:alert(1)' })).toBeUndefined();
  });
});

describe('a message that Mailgun did not send', () => {
  it('to an unsubscribed address is explained by what Mailgun says', () => {
    const status = { code: 606, message: '', description: 'Not delivering to unsubscribed address' };
    const event = { event: 'failed', severity: 'permanent', reason: 'suppress-unsubscribe', recipient: ADA };
    expect(readBounces({ 'event-data': { ...event, 'delivery-status': status } })?.bounces).toEqual([
      { address: ADA, kind: 'unsubscribed', words: '606 Not delivering to unsubscribed address' },
    ]);
  });
});

describe('a message that SendGrid dropped', () => {
  it.each([
    [
      'Bounced Address',
      'refused',
      'a message came back (sendgrid): not sent, SendGrid says: Bounced Address',
    ],
    ['Spam Reporting Address', 'unsubscribed', 'called a message spam (sendgrid)'],
    ['Unsubscribed Address', 'unsubscribed', 'unsubscribed at the mail provider (sendgrid)'],
  ])(
    'for the reason "%s" ends e-mail to its address, and the timeline says why',
    async (reason, suppressed, words) => {
      const office = await openPostOffice();
      const id = await office.add(ADA);
      await office.campaign.invite(id, 'operator');
      await office.job.run();
      const [bounce] =
        readBounces([{ email: ADA, event: 'dropped', reason, status: '5.0.0' }])?.bounces ?? [];
      if (bounce === undefined) throw new Error('the event was not understood');
      await office.store.bounces.take(bounce, 'sendgrid', office.clock.now());
      expect((await office.store.campaign.suppression(ADA))?.reason).toBe(suppressed);
      const entries = (await office.store.accounts.timeline(id)).filter(
        ({ kind }) => kind === 'mail.bounced',
      );
      expect(entries.map(({ detail }) => detail)).toEqual([`${ADA}: ${words}`]);
    },
  );
});

describe('the endpoint for providers', () => {
  it('stops e-mail to a dead address, once, until the address is changed', async () => {
    const office = await openPostOffice();
    const id = await office.add(ADA);
    await office.campaign.invite(id, 'operator');
    await office.job.run();
    const log = new KeptLog();
    let judged: SnsVerdict = { verdict: 'later', reason: 'no certificate' };
    const endpoint = new BouncesEndpoint({
      ...{ bounces: office.store.bounces, clock: office.clock, log },
      sns: { judge: async () => judged, confirm: async () => ({ outcome: 'known' }) },
      secret: new Secret('a-secret-in-an-address-0001'),
    });
    const server = await openTestServer({ make: () => ({ bounces: endpoint }) });
    const sender = new Sender(`http://127.0.0.1:${server.port}`);
    const post = async (body: unknown, secret = 'a-secret-in-an-address-0001'): Promise<number> => {
      const sent = {
        verb: 'POST',
        target: `/_causeway/bounces/${secret}`,
        headers: {},
        body: JSON.stringify(body),
      };
      return (await sender.send(sent)).status;
    };
    const dead = {
      RecordType: 'Bounce',
      Type: 'HardBounce',
      Email: 'ADA@example.com',
      Details: '550 unknown',
    };
    expect(await post(dead, 'another-secret-of-24-letters')).toBe(404);
    expect(await post({ ...dead, Email: 'nobody-we-wrote-to@example.com' })).toBe(200);
    expect(await office.store.campaign.suppression('nobody-we-wrote-to@example.com')).toBeUndefined();
    const complaint = { complaint: { complainedRecipients: [{ emailAddress: ADA }] } };
    expect(await post(complaint)).toBe(503);
    judged = { verdict: 'refused', reason: 'another topic' };
    expect(await post(complaint)).toBe(200);
    expect(await office.store.campaign.suppression(ADA)).toBeUndefined();
    // Of other providers nothing is verified.
    for (let time = 0; time < 2; time += 1) expect(await post(dead)).toBe(200);
    sender.close();
    const entries = (await office.store.accounts.timeline(id)).filter(({ kind }) => kind === 'mail.bounced');
    expect(entries.map(({ detail }) => detail)).toEqual([
      'ADA@example.com: a message came back (postmark): HardBounce 550 unknown',
    ]);
    expect(await office.campaign.remind(id, 'operator')).toEqual({ outcome: 'left', reason: 'refused' });
    const [line] = (await office.store.statusReport.read(office.clock.now())).accounts;
    expect(line?.suppressed).toBe('refused');
    const shown = async () => {
      const { accounts } = statusReportOf(await office.store.statusReport.read(office.clock.now()), {
        now: office.clock.now(),
      });
      const facts = await office.store.campaign.facts(id);
      const newest = facts?.invitations.at(-1);
      const messages = facts?.messages.toReversed() ?? [];
      const around = {
        ...{ messages, email: facts?.details.email, now: office.clock.now() },
      };
      const page = newest && oneInvitationWords(newest, { ...around, isAwaited: false });
      return [...accounts.map((one) => [invitationWords(one), one.next?.action]), page];
    };
    expect(await shown()).toEqual([['not delivered', 'add-address'], 'not delivered']);
    await office.accounts.set(id, { email: 'ada@new.example.com' });
    expect(await shown()).toEqual([
      ['not delivered', 'invite-again'],
      'not delivered: it came back from the former address, and none has been sent to the new one yet',
    ]);
    office.clock.advance(1);
    await office.store.invitations.issue({
      ...{ id: randomUUID(), accountId: id, linkIndex: 'by hand' },
      ...{ now: office.clock.now(), expiresAt: office.clock.now() + 1000 },
    });
    expect(await shown()).toEqual([['a link was made', 'consent'], 'a link was made']);
    office.clock.advance(1);
    expect(await office.campaign.invite(id, 'operator')).toMatchObject({
      outcome: 'queued',
      to: 'ada@new.example.com',
    });
    expect(await shown()).toEqual([['not sent yet', 'send-mail'], 'not sent yet']);
  });
});
