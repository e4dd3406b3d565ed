/** Builds the import of refresh tokens and the export of grants, from the services that consents use. */
import { Exporting } from '../../../features/consent/grants/exporting.ts';
import { Importing } from '../../../features/consent/grants/importing.ts';
import { GrantMovesJob } from '../../../features/consent/grants/jobs.ts';
import type { OAuthSide, Services } from '../services.ts';
import { proofOf } from './moving.ts';

/** Imports of refresh tokens. */
export function importingOf(services: Services, side: OAuthSide): Importing {
  const { settings, store, guard, ring, clock, random, log } = services;
  return new Importing({
    imports: store.imports,
    repository: store.accounts,
    choices: store.choices,
    consents: store.consents,
    grants: store.grants,
    vault: side.vault,
    applications: side.applications,
    guard,
    proof: proofOf(services, side),
    proofMode: settings.consentProof,
    profile: settings.profile,
    seal: ring,
    random,
    clock,
    log,
  });
}

/** Exports of grants. */
export function exportingOf(
  { settings, store, guard, ring, clock, random, log }: Services,
  side: OAuthSide,
): Exporting {
  const { authUrl, applications } = side.settings;
  const clientIds = new Map(applications.map(({ name, clientId }) => [name, clientId]));
  return new Exporting({
    exports: store.exports,
    repository: store.accounts,
    grants: store.grants,
    vault: side.vault,
    client: { authUrl, clientIds },
    profile: settings.profile,
    seal: ring,
    guard,
    random,
    clock,
    log,
  });
}

/** The periodic job of both. */
export const grantMovesOf = (services: Services, side: OAuthSide): GrantMovesJob =>
  new GrantMovesJob({
    importing: importingOf(services, side),
    exporting: exportingOf(services, side),
    log: services.log,
  });
