import { HOUR } from '../../../lib/time/clock.ts';
import type { AlertsSettings, ConsoleSignInSettings, WeeklyReportSettings } from '../model.ts';
import type { Values } from '../table.ts';

/** Undefined: sign-in by named tokens only. */
export function openIdOf(values: Values): ConsoleSignInSettings | undefined {
  const { CAUSEWAY_OPENID_ISSUER: issuer, CAUSEWAY_OPENID_CLIENT_ID: clientId } = values;
  const { CAUSEWAY_OPENID_ROLES: roles, CAUSEWAY_OPENID_CLAIM: claim } = values;
  if (issuer === undefined || clientId === undefined || roles === undefined) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: values.CAUSEWAY_OPENID_CLIENT_SECRET,
    scope: values.CAUSEWAY_OPENID_SCOPE,
    claim,
    roles: { claim, values: roles },
    life: values.CAUSEWAY_OPENID_HOURS * HOUR,
  };
}

/** The channels on which people are alerted. */
export const alertsOf = (values: Values): AlertsSettings => ({
  slack: values.CAUSEWAY_SLACK_URL,
  teams: values.CAUSEWAY_TEAMS_URL,
  kinds: values.CAUSEWAY_ALERTS,
});

/** The recipients and the time of the weekly report. */
export const weeklyReportOf = (values: Values): WeeklyReportSettings => ({
  to: values.CAUSEWAY_REPORT_TO ?? [],
  at: values.CAUSEWAY_REPORT_AT,
});
