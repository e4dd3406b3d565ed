import { ConfigurationFault } from '../settings/settings.ts';
import type { Log } from '../../lib/log/log.ts';
import type { ApplicationUse } from '../../features/accounts/model.ts';
import type { ApplicationNames } from '../../upstream/application.ts';
import type { Store } from '../store.ts';

/**
 * Refuses to serve if an application that accounts are connected by is not configured: their calls would fail, and
 * their refresh tokens would end unused after 60 days (V2 specification, "Tokens"). Commands work nevertheless, so that
 * the accounts can be examined and closed. An account that is not connected yet only waits for another application,
 * which is a warning. Throws `ConfigurationFault`.
 */
export async function checkApplications(
  store: Store,
  names: ApplicationNames,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  const missing = await missingApplications(store, names);
  for (const { application, accounts } of missing) log.warn('application.missing', { application, accounts });
  const faults = missing.filter(({ connected }) => connected > 0).map(faultOf);
  if (faults.length > 0) throw new ConfigurationFault(faults);
}

/**
 * Applications that accounts belong to but that are not configured. Closed accounts do not count. Throws `StoreFault`.
 */
export const missingApplications = async (
  store: Store,
  names: ApplicationNames,
): Promise<readonly ApplicationUse[]> => missingAmong(await store.accounts.applications(), names);

/** The applications in use that are not configured. */
export const missingAmong = (
  uses: readonly ApplicationUse[],
  { all }: ApplicationNames,
): readonly ApplicationUse[] => uses.filter(({ application }) => !all.includes(application));

/** The fault and its remedy. */
export const faultOf = ({ application, accounts, connected }: ApplicationUse): string =>
  `CAUSEWAY_APPLICATIONS_FILE: the application ${application} is not there, but ${connected} of its ${accounts} accounts are connected by it, and only it can renew their tokens: put it back, or close those accounts first (causeway accounts list --application ${application})`;
