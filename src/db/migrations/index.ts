import type { Migration } from '../migrate.ts';
import { repositories } from './0001-repositories.ts';
import { campaign } from './0002-campaign.ts';
import { status } from './0003-status.ts';
import { consent } from './0004-consent.ts';
import { deployment } from './0005-deployment.ts';
import { refresh } from './0006-refresh.ts';
import { deliveries } from './0008-deliveries.ts';
import { consentProof } from './0012-consent-proof.ts';
import { tokenExpiry } from './0013-token-expiry.ts';
import { lineage } from './0014-lineage.ts';
import { jobs } from './0015-jobs.ts';
import { writes } from './0016-writes.ts';
import { applications } from './0017-applications.ts';
import { writeParts } from './0018-write-parts.ts';
import { snapshot } from './0019-snapshot.ts';
import { canaries } from './0020-canaries.ts';
import { callPacks } from './0021-call-packs.ts';
import { usedNames } from './0022-used-names.ts';
import { oldestProgram } from './0026-oldest-program.ts';
import { verdicts } from './0023-verdicts.ts';
import { forecasts } from './0034-forecasts.ts';
import { sparedReads } from './0024-spared-reads.ts';
import { statusLinks } from './0037-status-links.ts';
import { samples } from './0030-samples.ts';
import { parity } from './0031-parity.ts';
import { tags } from './0040-tags.ts';
import { parityLatest } from './0060-parity-latest.ts';
import { watches } from './0061-watches.ts';
import { people } from './0062-people.ts';
import { waves } from './0064-waves.ts';
import { notices } from './0068-notices.ts';
import { rehearsals } from './0069-rehearsals.ts';
import { grantMoves } from './0070-grants.ts';
import { brownouts } from './0071-brownouts.ts';
import { drift } from './0072-drift.ts';
import { exportApplications } from './0073-export-applications.ts';
import { accountMarks } from './0074-account-marks.ts';
import { listOrders } from './0075-list-orders.ts';
import { waveOrder } from './0076-wave-order.ts';
import { sqliteAccountMarks } from './0077-sqlite-account-marks.ts';
import { writeIndexes } from './0078-write-indexes.ts';
import { erasedKeys } from './0079-erased-keys.ts';
import { errorsOfCall } from './0080-errors-of-call.ts';
import { addedOnV1 } from './0081-added-on-v1.ts';
import { schedule } from './0063-schedule.ts';
import { recordings } from './0066-recordings.ts';
import { textChanges } from './0067-text-changes.ts';
import { consoleResults } from './0041-console-results.ts';

/**
 * In order; append only. From 1.0.0-rc.1 on, append only steps that declare which programs work with them
 * (`expands`, `contracts`).
 */
export const migrations: readonly Migration[] = [
  repositories,
  campaign,
  status,
  consent,
  deployment,
  refresh,
  deliveries,
  consentProof,
  tokenExpiry,
  lineage,
  jobs,
  writes,
  applications,
  writeParts,
  snapshot,
  canaries,
  callPacks,
  usedNames,
  oldestProgram,
  verdicts,
  forecasts,
  sparedReads,
  statusLinks,
  samples,
  parity,
  tags,
  consoleResults,
  parityLatest,
  watches,
  people,
  schedule,
  waves,
  recordings,
  textChanges,
  notices,
  rehearsals,
  grantMoves,
  brownouts,
  drift,
  exportApplications,
  accountMarks,
  listOrders,
  waveOrder,
  sqliteAccountMarks,
  writeIndexes,
  erasedKeys,
  errorsOfCall,
  addedOnV1,
];
