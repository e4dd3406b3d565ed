import { usualAlerts } from '../../../features/events/alert.ts';
import { given, optional } from '../row.ts';
import { eventsAddress, secret, text, wholeNumber } from '../types.ts';
import { addresses, alertKinds, issuer, roleValues, weeklyTime } from './types.ts';

/** How people sign in to the console. */
export const openIdRows = {
  CAUSEWAY_OPENID_ISSUER: optional(issuer, {
    meaning:
      'OpenID provider that people sign in to the console at (docs/secure/sign-in.md); it must know the redirect address <CAUSEWAY_PUBLIC_URL>/_causeway/console/sign-in/callback. With CAUSEWAY_OPENID_CLIENT_ID and CAUSEWAY_OPENID_ROLES: all or none',
    without: 'sign-in by named tokens alone',
    example: 'https://id.example.com/realms/staff',
  }),
  CAUSEWAY_OPENID_CLIENT_ID: optional(text, {
    meaning: 'Client ID of the console at the OpenID provider',
    without: 'sign-in by named tokens alone',
    example: 'causeway-console',
  }),
  CAUSEWAY_OPENID_CLIENT_SECRET: optional(secret, {
    meaning: 'Its client secret',
    without: 'a public client: PKCE alone proves who asks',
    example: '<client secret>',
    secret: true,
  }),
  CAUSEWAY_OPENID_SCOPE: given(text, 'openid profile email', {
    meaning: 'Scopes asked for at the OpenID provider',
  }),
  CAUSEWAY_OPENID_CLAIM: given(text, 'roles', {
    meaning:
      'Claim of the ID token, or of the user info, that gives a person a role: its name, or a path such as realm_access.roles',
  }),
  CAUSEWAY_OPENID_ROLES: optional(roleValues, {
    meaning:
      'Which values of the claim give which role: read only looks, operate acts, admin makes tokens, too. The highest counts; without any there is no access',
    without: 'sign-in by named tokens alone',
    example: 'admin=bridge-admins,operate=integration-team,read=support',
  }),
  CAUSEWAY_OPENID_HOURS: given(wholeNumber(1, 168), '10', {
    meaning:
      'When a session that began at the OpenID provider ends, however active it is: the next sign-in reads the roles again',
  }),
} as const;

/** How people are alerted. */
export const alertRows = {
  CAUSEWAY_SLACK_URL: optional(eventsAddress, {
    meaning:
      'Incoming webhook of a Slack channel, or of a chat that takes the same form, that is told what somebody should look at (docs/reference/events.md#slack-and-teams): https, loopback excepted',
    without: 'nobody is told there',
    example: 'https://hooks.slack.com/services/…',
    secret: true,
  }),
  CAUSEWAY_TEAMS_URL: optional(eventsAddress, {
    meaning: 'The same for Microsoft Teams: the address of a workflow that posts cards to a channel',
    without: 'nobody is told there',
    example: 'https://example.webhook.office.com/…',
    secret: true,
  }),
  CAUSEWAY_ALERTS: given(alertKinds, usualAlerts.join(), {
    meaning: 'Of which kinds of events Slack and Teams are told, separated by commas, or all',
  }),
  CAUSEWAY_REPORT_TO: optional(addresses, {
    meaning:
      'E-mail addresses, separated by commas, that get the status report once a week (docs/campaign/mail.md#the-weekly-report). Needs CAUSEWAY_SMTP_URL and CAUSEWAY_MAIL_FROM',
    without: 'nobody gets it',
    example: 'lead@example.com,support@example.com',
  }),
  CAUSEWAY_REPORT_AT: given(weeklyTime, 'mon 08:00', {
    meaning: 'Day of the week and time, in CAUSEWAY_TIME_ZONE, at which it is sent',
  }),
} as const;
