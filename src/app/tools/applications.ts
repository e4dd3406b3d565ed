import { redirectAddress } from '../wiring/addresses.ts';
import type { ApplicationSettings, SettingInForce, Settings } from '../settings/model.ts';
import type { Services } from '../wiring/services.ts';
import { faultOf, missingApplications } from '../wiring/application-check.ts';
import type { Probe } from './probe.ts';

/**
 * Every application as `causeway config check` prints it: its identity at the service, and the address to register
 * there.
 */
export function applicationsInForce(settings: Settings): readonly SettingInForce[] {
  const applications = settings.oauth?.applications ?? [];
  return applications.flatMap((application) => rowsOf(settings, application));
}

function rowsOf(
  settings: Settings,
  { name, clientId, clientSecrets, products, brandName }: ApplicationSettings,
): readonly SettingInForce[] {
  const row = (key: string, value: string): SettingInForce => ({
    setting: `application ${name}: ${key}`,
    value,
    from: 'CAUSEWAY_APPLICATIONS_FILE',
  });
  const redirect = {
    ...row('redirect address', redirectAddress(settings, name)),
    from: 'CAUSEWAY_PUBLIC_URL',
  };
  // The settings above describe the default one.
  if (name === settings.oauth?.applications[0].name) return [redirect];
  return [
    redirect,
    row('client.id', clientId),
    row('client.secret', clientSecrets.map(() => '***').join(',')),
    ...(products.length === 0 ? [] : [row('products', products.join(','))]),
    ...(brandName === undefined ? [] : [row('brand.name', brandName)]),
  ];
}

/** For `causeway doctor`: empty if every account's application is in the settings. */
export const applicationProbes = async ({ store, applicationNames }: Services): Promise<readonly Probe[]> =>
  (await missingApplications(store, applicationNames)).map((missing) => ({
    what: `application ${missing.application}`,
    good: false,
    detail: faultOf(missing),
  }));
