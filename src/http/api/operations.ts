import type { Endpoint } from './endpoint.ts';
import { accountImportOperations } from './operations/accounts/account-import.ts';
import { accountListOperations } from './operations/accounts/account-list.ts';
import { accountOperations } from './operations/accounts/account.ts';
import { actionOperations } from './operations/actions.ts';
import { campaignOperations } from './operations/campaign/sending.ts';
import { auditOperations } from './operations/audit.ts';
import { statusReportOperations } from './operations/status-report.ts';
import { consentOperations } from './operations/consents.ts';
import { crosswalkOperations } from './operations/crosswalk.ts';
import { deliveryOperations } from './operations/deliveries.ts';
import { feedOperations } from './operations/feed.ts';
import { grantOperations } from './operations/grants.ts';
import { groupOperations } from './operations/groups.ts';
import { healthOperations } from './operations/health.ts';
import { messageOperations } from './operations/messages.ts';
import { mappingOperations } from './operations/mappings.ts';
import { routeOperations } from './operations/routes.ts';
import { supportOperations } from './operations/support.ts';
import { textOperations } from './operations/texts.ts';
import { tokenOperations } from './operations/tokens.ts';
import { forecastOperations } from './operations/accounts/forecast.ts';
import { parityOperations } from './operations/accounts/parity.ts';
import { rehearsalOperations } from './operations/accounts/rehearsal.ts';
import { watchOperations } from './operations/accounts/watch.ts';
import { usageOperations } from './operations/accounts/usage.ts';
import { brownoutOperations } from './operations/campaign/brownouts.ts';
import { reportOperations } from './operations/campaign/report.ts';
import { waveOperations } from './operations/campaign/waves.ts';
import { driftOperations } from './operations/accounts/drift.ts';
import { writeOperations } from './operations/writes.ts';

/**
 * Every operation of the API, one file per subject. Routing, checks and the OpenAPI document are derived from this
 * table. Addresses with fixed words come before those with a variable in the same place.
 */
export const operations: readonly Endpoint[] = [
  ...statusReportOperations,
  ...accountListOperations,
  ...accountImportOperations,
  ...accountOperations,
  ...groupOperations,
  ...supportOperations,
  ...usageOperations,
  ...forecastOperations,
  ...parityOperations,
  ...rehearsalOperations,
  ...watchOperations,
  ...crosswalkOperations,
  ...messageOperations,
  ...campaignOperations,
  ...waveOperations,
  ...brownoutOperations,
  ...reportOperations,
  ...textOperations,
  ...consentOperations,
  ...grantOperations,
  ...actionOperations,
  ...feedOperations,
  ...deliveryOperations,
  ...writeOperations,
  ...routeOperations,
  ...mappingOperations,
  ...driftOperations,
  ...tokenOperations,
  ...auditOperations,
  ...healthOperations,
];
