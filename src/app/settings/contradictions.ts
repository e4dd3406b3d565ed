import type { Profile } from '../../upstream/profile.ts';
import type { Secret } from '../../lib/secret/secret.ts';
import type { Given } from './sources.ts';
import type { Name, Values } from './table.ts';
import { isLoopback } from './types.ts';

/** Both or none. */
const pairs = [
  ['CAUSEWAY_SMTP_URL', 'CAUSEWAY_MAIL_FROM'],
  ['CAUSEWAY_EVENTS_URL', 'CAUSEWAY_EVENTS_SECRET'],
] as const;

const oauthNames = [
  'CAUSEWAY_V3_BASE_URL',
  'CAUSEWAY_AUTH_URL',
  'CAUSEWAY_CLIENT_ID',
  'CAUSEWAY_CLIENT_SECRET',
] as const;
const oauthExtras = [
  'CAUSEWAY_V2_BASE_URL',
  'CAUSEWAY_V3_PRACTICE_BASE_URL',
  'CAUSEWAY_CONNECTIONS_URL',
] as const;

/** Seconds of a stop in which calls are answered and everything is given back. */
const LEAST_FOR_CALLS = 10;

/** What is missing or does not go together. A setting that is there but faulty is not also reported as missing. */
export function contradictions(
  values: Values,
  given: ReadonlyMap<Name, Given>,
  profile: Profile | undefined,
): readonly string[] {
  const faults: string[] = [];
  if (!given.has('CAUSEWAY_ENCRYPTION_KEYS'))
    faults.push('CAUSEWAY_ENCRYPTION_KEYS: is needed; causeway keys generate makes one');
  const missing = oauthNames.filter((name) => !given.has(name));
  const begun = [...oauthNames, ...oauthExtras].filter((name) => given.has(name));
  const moving = begun.length > 0;
  if (moving) faults.push(...missing.map((name) => `${name}: is needed together with ${begun.join(', ')}`));
  if (
    moving &&
    !given.has('CAUSEWAY_CONNECTIONS_URL') &&
    profile?.organisationSources.includes('connections')
  )
    faults.push(
      `CAUSEWAY_CONNECTIONS_URL: is needed, because the profile ${profile.name} looks organisations up there`,
    );
  if (moving && !given.has('CAUSEWAY_PUBLIC_URL') && !isLoopback(values.CAUSEWAY_HOST))
    faults.push(
      'CAUSEWAY_PUBLIC_URL: is needed, because customers come to the bridge to consent and CAUSEWAY_HOST is no loopback address',
    );
  if (moving && !given.has('CAUSEWAY_PUBLIC_URL') && values.CAUSEWAY_PORT === 0)
    faults.push(
      'CAUSEWAY_PUBLIC_URL: is needed, because CAUSEWAY_PORT is 0 and so is not known before the start',
    );
  const { CAUSEWAY_STOP_SECONDS: stop, CAUSEWAY_LAME_DUCK_SECONDS: lameDuck } = values;
  if (lameDuck > stop - LEAST_FOR_CALLS)
    faults.push(
      `CAUSEWAY_LAME_DUCK_SECONDS: must be at least ${LEAST_FOR_CALLS} less than CAUSEWAY_STOP_SECONDS, ${stop}: calls under way need the rest`,
    );
  if ((values.CAUSEWAY_ACCOUNT_CONNECTIONS ?? 0) > values.CAUSEWAY_UPSTREAM_CONNECTIONS)
    faults.push(
      'CAUSEWAY_ACCOUNT_CONNECTIONS: is more than CAUSEWAY_UPSTREAM_CONNECTIONS, so that one account could take them all',
    );
  if (given.has('CAUSEWAY_LEGACY_HOST') && !given.has('CAUSEWAY_LEGACY_PORT'))
    faults.push('CAUSEWAY_LEGACY_PORT: is needed together with CAUSEWAY_LEGACY_HOST');
  const legacyHost = values.CAUSEWAY_LEGACY_HOST ?? values.CAUSEWAY_HOST;
  if (
    given.has('CAUSEWAY_LEGACY_PORT') &&
    values.CAUSEWAY_PORT !== 0 &&
    values.CAUSEWAY_LEGACY_PORT === values.CAUSEWAY_PORT &&
    legacyHost === values.CAUSEWAY_HOST
  )
    faults.push('CAUSEWAY_LEGACY_PORT: is the port of the other listener, CAUSEWAY_PORT');
  for (const both of pairs) {
    const lacking = both.filter((name) => !given.has(name));
    if (lacking.length === 1)
      faults.push(`${lacking.join()}: is needed together with the other one of ${both.join(', ')}`);
  }
  // What could not be read is undefined here, whatever the type of `Values` says.
  const database = values.CAUSEWAY_DATABASE_URL as Secret | undefined;
  if (values.CAUSEWAY_REDIS_URL !== undefined && database?.reveal().startsWith('sqlite:') === true)
    faults.push('CAUSEWAY_REDIS_URL: needs PostgreSQL; CAUSEWAY_DATABASE_URL names SQLite');
  return faults;
}
