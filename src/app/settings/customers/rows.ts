import { given, optional } from '../row.ts';
import {
  colour,
  days,
  emailAddress,
  language,
  logo,
  mailServer,
  sender,
  text,
  wholeNumber,
} from '../types.ts';
import {
  afterwards,
  announcement,
  mailbox,
  mailHours,
  name,
  origins,
  secretInAddress,
  snsTopic,
  zone,
} from './types.ts';

/** How customers are reached, and what they see. */
export const campaignRows = {
  CAUSEWAY_SMTP_URL: optional(mailServer, {
    meaning:
      'Mail server for invitations: smtp:// (port 587 by default; STARTTLS if offered, and required before a password is sent over a network) or smtps:// (465), optionally with user:password@. Set it together with CAUSEWAY_MAIL_FROM',
    without: 'links are shown instead of being sent',
    example: 'smtp://127.0.0.1:1025',
    secret: true,
  }),
  CAUSEWAY_MAIL_FROM: optional(sender, {
    meaning: 'Sender of invitations: an address, or Name <address>',
    without: 'links are shown instead of being sent',
    example: 'Causeway <causeway@example.com>',
  }),
  CAUSEWAY_MAIL_PER_MINUTE: given(wholeNumber(1, 10_000), '30', {
    meaning: 'Maximum number of messages sent per minute by all processes together',
  }),
  CAUSEWAY_MAIL_HOURS: given(mailHours, 'any', {
    meaning:
      "When invitations and reminders may be sent, in each customer's time zone: any, 08:00-18:00, or mon-fri 09:00-17:00 (docs/campaign/campaign.md#sending-hours)",
  }),
  CAUSEWAY_MAIL_HOLIDAYS: optional(text, {
    meaning:
      'File of days on which none are sent; each line has a date, optionally a time zone, and # with a name (docs/campaign/campaign.md#sending-hours)',
    without: 'no holidays',
    example: 'holidays.txt',
  }),
  CAUSEWAY_BOUNCES_SECRET: optional(secretInAddress, {
    meaning:
      'Enables /_causeway/bounces/SECRET, to which a mail provider posts bounces; at least 24 letters and digits (docs/campaign/mail.md#bounces-that-come-later)',
    without: 'no such address',
    example: '<a long random text>',
    secret: true,
  }),
  CAUSEWAY_BOUNCES_SNS_TOPIC: optional(snsTopic, {
    meaning:
      'Amazon SNS topic for SES bounces; once set, only signed messages from this topic are accepted, and its subscription is confirmed (docs/campaign/mail.md#bounces-that-come-later)',
    without: 'signatures are not checked',
    example: 'arn:aws:sns:eu-west-1:123456789012:bounces',
  }),
  CAUSEWAY_BOUNCES_MAILBOX_URL: optional(mailbox, {
    meaning:
      'Mailbox that is read for bounced e-mails: imaps://user:password@host (port 993 by default) or imap:// (143; with STARTTLS, except on this machine). Needs packages that must be installed manually (docs/campaign/mail.md#from-a-mailbox)',
    without: 'no mailbox is read',
    example: 'imaps://connections%40example.com:password@imap.example.com',
    secret: true,
  }),
  CAUSEWAY_BOUNCES_MAILBOX_FOLDER: given(text, 'INBOX', {
    meaning: 'Folder of that mailbox to read',
  }),
  CAUSEWAY_BOUNCES_MAILBOX_AFTERWARDS: given(afterwards, 'seen', {
    meaning:
      'What to do with a message that was recognised as a bounce: seen (mark it as seen), leave (nothing), or move:FOLDER. No message is ever deleted',
  }),
  CAUSEWAY_BOUNCES_MAILBOX_MINUTES: given(wholeNumber(1, 1_440), '5', {
    meaning: 'Minutes between readings of the mailbox',
  }),
  CAUSEWAY_INVITATION_DAYS: given(wholeNumber(1, 365), '30', {
    meaning: 'Number of days for which the link in an invitation works',
  }),
  CAUSEWAY_REMINDER_DAYS: given(days, '3,7,14', {
    meaning:
      'Days after an invitation on which the customer is reminded, separated by commas; none: no reminders',
  }),
  CAUSEWAY_MAIL_LANGUAGE: given(language, 'en', {
    meaning:
      'Language of pages and e-mails for accounts without a language of their own: en, de, es, fr, nl, or one of CAUSEWAY_MAIL_TEXTS',
  }),
  CAUSEWAY_MAIL_TEXTS: optional(text, {
    meaning:
      'Folder of files such as en.yaml that replace individual texts of pages and e-mails, or add a language; see docs/campaign/texts.md',
    without: "the bridge's own",
    example: 'mail-texts',
  }),
  CAUSEWAY_TIME_ZONE: given(zone, 'UTC', {
    meaning:
      'Time zone, such as Pacific/Auckland, for times on pages, in e-mails and in the console; also, for accounts without their own, for dates that V2 demands and a request does not have',
  }),
  CAUSEWAY_SERVICE_NAME: optional(name, {
    meaning: 'Name by which customers know the service whose data the programs use, for pages and e-mails',
    without: '"the service", in the language of the text',
    example: 'Example Practice Manager',
  }),
  CAUSEWAY_SERVICE_ANNOUNCEMENT_URL: optional(announcement, {
    meaning: 'Page on which the service announces the change; pages and e-mails link to it',
    without: 'no link',
    example: 'https://www.example.com/api-change',
  }),
  CAUSEWAY_PRACTICE_SERVICE_NAME: optional(name, {
    meaning: 'Like CAUSEWAY_SERVICE_NAME, for accounts of the practice product',
    without: 'CAUSEWAY_SERVICE_NAME',
    example: 'Example Practice Manager',
  }),
  CAUSEWAY_PRACTICE_SERVICE_ANNOUNCEMENT_URL: optional(announcement, {
    meaning: 'Like CAUSEWAY_SERVICE_ANNOUNCEMENT_URL, for accounts of the practice product',
    without: 'CAUSEWAY_SERVICE_ANNOUNCEMENT_URL',
    example: 'https://www.example.com/practice-api-change',
  }),
  CAUSEWAY_BRAND_NAME: optional(text, {
    meaning: 'Your company or product name, as customers see it on pages and in e-mails',
    without: 'the host of the public URL',
    example: 'Example Software',
  }),
  CAUSEWAY_BRAND_LOGO: optional(logo, {
    meaning:
      'Logo for pages and e-mails, shown 40 pixels high: an https:// address, or data:image/…;base64,… (which is included in each e-mail)',
    without: 'the name as text',
    example: 'https://www.example.com/logo.png',
  }),
  CAUSEWAY_BRAND_COLOUR: given(colour, '#0b5cad', {
    meaning: 'Colour of buttons, #rrggbb; their text is black or white, whichever is easier to read',
  }),
  CAUSEWAY_SUPPORT_ADDRESS: optional(emailAddress, {
    meaning: 'E-mail address for questions, shown on pages and in e-mails; replies to e-mails go there',
    without: 'replies go to CAUSEWAY_MAIL_FROM',
    example: 'support@example.com',
  }),
  CAUSEWAY_EMBED_ORIGINS: optional(origins, {
    meaning:
      'Origins of your own product, separated by commas, that may embed the status of a connection in a frame; see docs/campaign/status-page.md',
    without: 'no embedding',
    example: 'https://app.example.com',
  }),
} as const;
