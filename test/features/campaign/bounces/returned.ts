/**
 * Messages that came back, in the forms in which mail servers write them (documents and messages of each, shortened; names
 * and numbers made up). Each is about the message `id` to `address`.
 */
export interface About {
  readonly id: string;
  readonly address: string;
}

const lines = (...text: readonly string[]): string => `${text.join('\r\n')}\r\n`;

const head = ({ id, address }: About): readonly string[] => [
  'Received: from causeway.example.com (causeway.example.com [192.0.2.7])',
  `\tby mx.example.com; Thu, 26 Nov 2026 10:00:00 +0000`,
  'From: Example Software <connections@example.com>',
  `To: Ada <${address}>`,
  `Message-ID: <${id}@causeway.example.com>`,
  'Subject: Connect Old Mill Engineering',
];

/** Postfix: three parts, the message whole. `status`: what it came to, which the next server said. */
export const postfix = (about: About, status = '5.1.1', action = 'failed', said = '550 5.1.1 User unknown') =>
  lines(
    'Return-Path: <>',
    'From: MAILER-DAEMON@mx.example.com (Mail Delivery System)',
    'Subject: Undelivered Mail Returned to Sender',
    'To: connections@example.com',
    'Auto-Submitted: auto-replied',
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status;',
    '\tboundary="9C1B.1764151200/mx.example.com"',
    '',
    'This is a MIME-encapsulated message.',
    '',
    '--9C1B.1764151200/mx.example.com',
    'Content-Description: Notification',
    'Content-Type: text/plain; charset=us-ascii',
    '',
    "I'm sorry to have to inform you that your message could not be delivered.",
    '',
    '--9C1B.1764151200/mx.example.com',
    'Content-Description: Delivery report',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns; mx.example.com',
    'X-Postfix-Queue-ID: 9C1B',
    'Arrival-Date: Thu, 26 Nov 2026 10:00:00 +0000 (UTC)',
    '',
    `Final-Recipient: rfc822; ${about.address}`,
    `Original-Recipient: rfc822;${about.address}`,
    `Action: ${action}`,
    `Status: ${status}`,
    'Remote-MTA: dns; mail.example.net',
    `Diagnostic-Code: smtp; ${said} (in reply`,
    '    to RCPT TO command)',
    '',
    '--9C1B.1764151200/mx.example.com',
    'Content-Description: Undelivered Message',
    'Content-Type: message/rfc822',
    '',
    ...head(about),
    'MIME-Version: 1.0',
    'Content-Type: text/plain',
    '',
    'Please connect.',
    '',
    '--9C1B.1764151200/mx.example.com--',
  );

/** Exchange: a page for people, its own status, and the head alone; it names the message in In-Reply-To as well. */
export const exchange = ({ id, address }: About) =>
  lines(
    'From: <postmaster@example.onmicrosoft.example>',
    'To: <connections@example.com>',
    'Subject: Undeliverable: Connect Old Mill Engineering',
    `In-Reply-To: <${id}@causeway.example.com>`,
    `References: <${id}@causeway.example.com>`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; report-type=delivery-status; boundary="_b0_"',
    '',
    '--_b0_',
    'Content-Type: multipart/alternative; boundary="_b1_"',
    '',
    '--_b1_',
    'Content-Type: text/plain; charset="us-ascii"',
    'Content-Transfer-Encoding: quoted-printable',
    '',
    `${address} wasn't found at example.net.`,
    '--_b1_',
    'Content-Type: text/html; charset="us-ascii"',
    '',
    '<p>wasn&#39;t found</p>',
    '--_b1_--',
    '',
    '--_b0_',
    'Content-Type: message/delivery-status',
    '',
    'Reporting-MTA: dns;AM0PR01.prod.example',
    'Received-From-MTA: dns;causeway.example.com',
    '',
    `Final-Recipient: rfc822;${address}`,
    'Action: failed',
    'Status: 5.1.10',
    'Diagnostic-Code: smtp;550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    '',
    '--_b0_',
    'Content-Type: text/rfc822-headers',
    '',
    `Message-ID: <replaced@AM0PR01.prod.example>`,
    '',
    '--_b0_--',
  );

/** Gmail: the status is base64, as RFC 6533 lets it be, and pictures stand beside the text. */
export const gmail = (about: About) =>
  lines(
    'From: Mail Delivery Subsystem <mailer-daemon@googlemail.example>',
    'To: connections@example.com',
    'Auto-Submitted: auto-replied',
    'Subject: Delivery Status Notification (Failure)',
    `X-Failed-Recipients: ${about.address}`,
    'MIME-Version: 1.0',
    'Content-Type: multipart/report; boundary="000000000000a1"; report-type=delivery-status',
    '',
    '--000000000000a1',
    'Content-Type: multipart/related; boundary="000000000000b2"',
    '',
    '--000000000000b2',
    'Content-Type: text/plain; charset="UTF-8"',
    '',
    '** Address not found **',
    '--000000000000b2',
    'Content-Type: image/png; name="icon.png"',
    'Content-Transfer-Encoding: base64',
    'Content-ID: <icon.png>',
    '',
    'iVBORw0KGgo=',
    '--000000000000b2--',
    '--000000000000a1',
    'Content-Type: message/global-delivery-status',
    'Content-Transfer-Encoding: base64',
    '',
    Buffer.from(
      `Reporting-MTA: dns; googlemail.example\r\n\r\nFinal-Recipient: rfc822; ${about.address}\r\nAction: failed\r\nStatus: 5.1.1\r\nDiagnostic-Code: smtp; 550-5.1.1 The email account that you tried to reach does not exist.\r\n`,
    ).toString('base64'),
    '--000000000000a1',
    'Content-Type: message/rfc822',
    '',
    ...head(about),
    '',
    'Please connect.',
    '--000000000000a1--',
  );

/** Exim, as it is told to where nobody wants MIME: one text, the recipients in a header of its own. */
export const exim = (about: About) =>
  lines(
    'From: Mail Delivery System <Mailer-Daemon@exim.example.com>',
    'To: connections@example.com',
    `X-Failed-Recipients: ${about.address}`,
    'Auto-Submitted: auto-replied',
    'Subject: Mail delivery failed: returning message to sender',
    '',
    'This message was created automatically by mail delivery software.',
    '',
    'A message that you sent could not be delivered to one or more of its',
    'recipients. This is a permanent error. The following address(es) failed:',
    '',
    `  ${about.address}`,
    '    host mail.example.net [192.0.2.25]',
    '    SMTP error from remote mail server after RCPT TO:',
    '    550 No Such User Here',
    '',
    '------ This is a copy of the message, including all the headers. ------',
    '',
    ...head(about),
    '',
    'Please connect.',
  );

/** qmail: QSBMF. */
export const qmail = (about: About, answer = 'Sorry, no mailbox here by that name. (#5.1.1)') =>
  lines(
    'From: MAILER-DAEMON@qmail.example.com',
    'To: connections@example.com',
    'Subject: failure notice',
    '',
    'Hi. This is the qmail-send program at qmail.example.com.',
    "I'm afraid I wasn't able to deliver your message to the following addresses.",
    "This is a permanent error; I've given up. Sorry it didn't work out.",
    '',
    `<${about.address}>:`,
    answer,
    '',
    '--- Below this line is a copy of the message.',
    '',
    'Return-Path: <connections@example.com>',
    ...head(about),
    '',
    'Please connect.',
  );

/** What somebody writes who has seen a report, and not our message. */
export const forged = (address: string) => postfix({ id: '00000000-0000-4000-8000-000000000000', address });
