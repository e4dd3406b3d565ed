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
      'Mail server for invitations: smtp:// (port 587 by default; STARTTLS where it is offered, and always before a password goes over a network) or smtps:// (465), optionally with user:password@. With CAUSEWAY_MAIL_FROM: both or none',
    without: 'links are only shown',
    example: 'smtp://127.0.0.1:1025',
    secret: true,
  }),
  CAUSEWAY_MAIL_FROM: optional(sender, {
    meaning: 'Sender of invitations: an address, or Name <address>',
    without: 'links are only shown',
    example: 'Causeway <causeway@example.com>',
  }),
  CAUSEWAY_MAIL_PER_MINUTE: given(wholeNumber(1, 10_000), '30', {
    meaning: 'Most messages sent in a minute, all processes together',
  }),
  CAUSEWAY_MAIL_HOURS: given(mailHours, 'any', {
    meaning:
      "When invitations and reminders may leave, on the clock of each customer's zone: any, 08:00-18:00, or mon-fri 09:00-17:00 (docs/campaign/campaign.md#sending-hours)",
  }),
  CAUSEWAY_MAIL_HOLIDAYS: optional(text, {
    meaning:
      'File of days on which none leave: a date, a zone or none, # and a name, in each line (docs/campaign/campaign.md#sending-hours)',
    without: 'no holidays',
    example: 'holidays.txt',
  }),
  CAUSEWAY_BOUNCES_SECRET: optional(secretInAddress, {
    meaning:
      'Opens /_causeway/bounces/SECRET, to which a mail provider posts what comes back: 24 letters and digits or more (docs/campaign/mail.md#bounces-that-come-later)',
    without: 'no such address',
    example: '<a long random text>',
    secret: true,
  }),
  CAUSEWAY_BOUNCES_SNS_TOPIC: optional(snsTopic, {
    meaning:
      'Topic of Amazon SNS for bounces of SES: from then on only messages of it count, and only with its signature (docs/campaign/mail.md#bounces-that-come-later)',
    without: 'signatures are not checked',
    example: 'arn:aws:sns:eu-west-1:123456789012:bounces',
  }),
  CAUSEWAY_BOUNCES_MAILBOX_URL: optional(mailbox, {
    meaning:
      'Mailbox that is read for e-mails that came back: imaps://user:password@host (port 993 by default) or imap:// (143; STARTTLS, but to this machine). Needs packages that are installed by hand (docs/campaign/mail.md#from-a-mailbox)',
    without: 'none is read',
    example: 'imaps://connections%40example.com:password@imap.example.com',
    secret: true,
  }),
  CAUSEWAY_BOUNCES_MAILBOX_FOLDER: given(text, 'INBOX', {
    meaning: 'Folder of it that is read',
  }),
  CAUSEWAY_BOUNCES_MAILBOX_AFTERWARDS: given(afterwards, 'seen', {
    meaning:
      'What is done with a message that was understood: seen (marked so), leave (nothing), or move:FOLDER. Nothing is ever deleted',
  }),
  CAUSEWAY_BOUNCES_MAILBOX_MINUTES: given(wholeNumber(1, 1_440), '5', {
    meaning: 'Minutes from one reading to the next',
  }),
  CAUSEWAY_INVITATION_DAYS: given(wholeNumber(1, 365), '30', {
    meaning: 'How many days the link of an invitation works',
  }),
  CAUSEWAY_REMINDER_DAYS: given(days, '3,7,14', {
    meaning: 'Days after an invitation on which the customer is reminded, separated by commas; none: never',
  }),
  CAUSEWAY_MAIL_LANGUAGE: given(language, 'en', {
    meaning:
      'Language of pages and mails of accounts that have none of their own: en, de, es, fr, nl, or one of CAUSEWAY_MAIL_TEXTS',
  }),
  CAUSEWAY_MAIL_TEXTS: optional(text, {
    meaning:
      'Folder of files like en.yaml whose entries replace single texts of pages and mails or add a language; see docs/campaign/texts.md',
    without: "the bridge's own",
    example: 'mail-texts',
  }),
  CAUSEWAY_TIME_ZONE: given(zone, 'UTC', {
    meaning: 'Zone in which pages, mails and the console tell times, such as Pacific/Auckland',
  }),
  CAUSEWAY_SERVICE_NAME: optional(name, {
    meaning: 'What customers call the service whose data the programs use, on pages and in mails',
    without: '"the service", in the language of the text',
    example: 'Example Practice Manager',
  }),
  CAUSEWAY_SERVICE_ANNOUNCEMENT_URL: optional(announcement, {
    meaning: 'Page on which the service itself announces the change; pages and mails link to it',
    without: 'no link',
    example: 'https://www.example.com/api-change',
  }),
  CAUSEWAY_PRACTICE_SERVICE_NAME: optional(name, {
    meaning: 'The name for accounts of the practice product',
    without: 'CAUSEWAY_SERVICE_NAME',
    example: 'Example Practice Manager',
  }),
  CAUSEWAY_PRACTICE_SERVICE_ANNOUNCEMENT_URL: optional(announcement, {
    meaning: 'The announcement for accounts of the practice product',
    without: 'CAUSEWAY_SERVICE_ANNOUNCEMENT_URL',
    example: 'https://www.example.com/practice-api-change',
  }),
  CAUSEWAY_BRAND_NAME: optional(text, {
    meaning: 'Name that customers see on pages and in mails',
    without: 'the host of the public URL',
    example: 'Example Software',
  }),
  CAUSEWAY_BRAND_LOGO: optional(logo, {
    meaning:
      'Logo for pages and mails, shown 40 pixels high: an https:// address, or data:image/…;base64,… (which travels with each mail)',
    without: 'the name in letters',
    example: 'https://www.example.com/logo.png',
  }),
  CAUSEWAY_BRAND_COLOUR: given(colour, '#0b5cad', {
    meaning: 'Colour of buttons, #rrggbb; black or white is chosen for the text on it',
  }),
  CAUSEWAY_SUPPORT_ADDRESS: optional(emailAddress, {
    meaning: 'E-mail address for questions, shown on pages and in mails; replies to mails go there',
    without: 'replies go to CAUSEWAY_MAIL_FROM',
    example: 'support@example.com',
  }),
  CAUSEWAY_EMBED_ORIGINS: optional(origins, {
    meaning:
      'Origins of your own product, separated by commas, that may show the status of a connection in a frame; see docs/campaign/status-page.md',
    without: 'nobody may',
    example: 'https://app.example.com',
  }),
} as const;
