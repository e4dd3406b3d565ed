import { usualAlerts } from '../../../features/events/alert.ts';
import { given, optional } from '../row.ts';
import { eventsAddress, secret, text, wholeNumber } from '../types.ts';
import { addresses, alertKinds, issuer, roleValues, weeklyTime } from './types.ts';

/** How people sign in to the console. */
export const openIdRows = {
  CAUSEWAY_OPENID_ISSUER: optional(issuer, {
    meaning:
      'OpenID provider for signing in to the console (docs/secure/sign-in.md); register the redirect address <CAUSEWAY_PUBLIC_URL>/_causeway/console/sign-in/callback with it. Set it together with CAUSEWAY_OPENID_CLIENT_ID and CAUSEWAY_OPENID_ROLES',
    without: 'sign-in with named tokens only',
    example: 'https://id.example.com/realms/staff',
  }),
  CAUSEWAY_OPENID_CLIENT_ID: optional(text, {
    meaning: 'Client ID of the console at the OpenID provider',
    without: 'sign-in with named tokens only',
    example: 'causeway-console',
  }),
  CAUSEWAY_OPENID_CLIENT_SECRET: optional(secret, {
    meaning: 'Client secret of the console at the OpenID provider',
    without: 'a public client, authenticated by PKCE alone',
    example: '<client secret>',
    secret: true,
  }),
  CAUSEWAY_OPENID_SCOPE: given(text, 'openid profile email', {
    meaning: 'Scopes requested from the OpenID provider',
  }),
  CAUSEWAY_OPENID_CLAIM: given(text, 'roles', {
    meaning:
      'Claim of the ID token or the user info that determines a person’s role: a name, or a path such as realm_access.roles',
  }),
  CAUSEWAY_OPENID_ROLES: optional(roleValues, {
    meaning:
      'Role for each value of the claim: read can only view, operate can also act, admin can also create tokens. The highest role counts; a person without a role has no access',
    without: 'sign-in with named tokens only',
    example: 'admin=bridge-admins,operate=integration-team,read=support',
  }),
  CAUSEWAY_OPENID_HOURS: given(wholeNumber(1, 168), '10', {
    meaning:
      'Hours after which a session started through the OpenID provider ends, however active it is; the next sign-in reads the roles again',
  }),
} as const;

/** How people are alerted. */
export const alertRows = {
  CAUSEWAY_SLACK_URL: optional(eventsAddress, {
    meaning:
      'Incoming webhook of a Slack channel, or of a chat that accepts the same format, for events that need attention (docs/reference/events.md#slack-and-teams): https, except on loopback',
    without: 'no alerts there',
    example: 'https://hooks.slack.com/services/…',
    secret: true,
  }),
  CAUSEWAY_TEAMS_URL: optional(eventsAddress, {
    meaning: 'The same for Microsoft Teams: the address of a workflow that posts cards to a channel',
    without: 'no alerts there',
    example: 'https://example.webhook.office.com/…',
    secret: true,
  }),
  CAUSEWAY_ALERTS: given(alertKinds, usualAlerts.join(), {
    meaning: 'Kinds of events sent to Slack and Teams, separated by commas, or all',
  }),
  CAUSEWAY_REPORT_TO: optional(addresses, {
    meaning:
      'E-mail addresses, separated by commas, that receive the status report once a week (docs/campaign/mail.md#the-weekly-report). Needs CAUSEWAY_SMTP_URL and CAUSEWAY_MAIL_FROM',
    without: 'no report is sent',
    example: 'lead@example.com,support@example.com',
  }),
  CAUSEWAY_REPORT_AT: given(weeklyTime, 'mon 08:00', {
    meaning: 'Day of the week and time, in CAUSEWAY_TIME_ZONE, at which the report is sent',
  }),
} as const;
