/**
 * The check for settings that work but do not belong in production. Those that cannot work are refused at the start
 * already (`settings/contradictions.ts`, `settings/plain.ts`). A rule names the setting, and what to do.
 */
import { ownership } from '../../db/ownership.ts';
import type { Settings } from '../settings/model.ts';
import { isLoopback } from '../settings/types.ts';
import { failed, ok, warning, type Check, type Verdict } from './model.ts';
import { isReservedName } from './reserved-names.ts';

interface Asked {
  readonly settings: Settings;
  readonly env: NodeJS.ProcessEnv;
  readonly isDemo: boolean;
}

/** One verdict for each fault that it finds. */
type Rule = (asked: Asked) => readonly Verdict[];

const hostOf = (address: string | undefined): string =>
  address === undefined ? '' : (URL.parse(address)?.hostname ?? '');

/** Whether there is a proxy in front of the bridge, which does not speak TLS itself. */
const isBehindProxy = ({ publicUrl }: Settings): boolean => publicUrl?.startsWith('https:') === true;

/** Every address that keys or tokens are sent to. The practice product usually has the same V3. */
const serviceAddresses = ({ v1, oauth }: Settings): Readonly<Record<string, string | undefined>> => ({
  CAUSEWAY_V1_BASE_URL: v1,
  CAUSEWAY_V2_BASE_URL: oauth?.v2,
  CAUSEWAY_V3_BASE_URL: oauth?.v3.standard,
  CAUSEWAY_V3_PRACTICE_BASE_URL: oauth?.v3.practice === oauth?.v3.standard ? undefined : oauth?.v3.practice,
  CAUSEWAY_AUTH_URL: oauth?.authUrl,
  CAUSEWAY_CONNECTIONS_URL: oauth?.connectionsUrl,
});

const rules: readonly Rule[] = [
  ({ settings }) =>
    settings.notices.map((words) => warning(words, 'correct it, or leave it if it is intended')),
  ({ isDemo }) =>
    isDemo ? [failed('the database is the demo’s, which a demo erases', 'set CAUSEWAY_DATABASE_URL')] : [],
  ({ settings }) =>
    Object.entries(serviceAddresses(settings))
      .filter(([, address]) => isLoopback(hostOf(address)) || isReservedName(hostOf(address)))
      .map(([name]) => failed(`${name} is this machine or an example, not the service`, `set ${name}`)),
  ({ settings }) =>
    isBehindProxy(settings) && settings.trustedProxies.length === 0
      ? [
          warning(
            'no proxy is named: all callers count as one, so anyone who guesses keys uses up everybody’s attempts',
            'name the proxies in CAUSEWAY_TRUSTED_PROXIES (docs/deploy/proxy.md)',
          ),
        ]
      : [],
  ({ settings: { listener } }) =>
    isLoopback(listener.metricsHost)
      ? []
      : [
          warning(
            'the metrics can be reached from other machines, without a token',
            'make sure that only Prometheus can reach CAUSEWAY_METRICS_PORT',
          ),
        ],
  ({ settings: { consentProof } }) =>
    consentProof === 'required'
      ? []
      : [warning('a similar name is enough to connect an account', 'CAUSEWAY_CONSENT_PROOF=required')],
  ({ settings: { adminToken } }) =>
    adminToken === undefined
      ? []
      : [
          warning(
            'CAUSEWAY_ADMIN_TOKEN is still set',
            'create a token for each person (causeway tokens create), revoke admin, and remove the setting',
          ),
        ],
  ({ env }) =>
    env.NODE_TLS_REJECT_UNAUTHORIZED === '0'
      ? [
          failed(
            'NODE_TLS_REJECT_UNAUTHORIZED=0: no certificate is checked',
            'remove it; name your own authority in NODE_EXTRA_CA_CERTS',
          ),
        ]
      : [],
  ({ settings: { plainHosts } }) =>
    plainHosts.length === 0
      ? []
      : [
          warning(
            'CAUSEWAY_PLAIN_HOSTS lets keys and tokens travel unencrypted',
            'use TLS there, or make sure that nobody else uses that network',
          ),
        ],
];

/** Settings that are insecure, or those of the demo. */
export const settingsCheck: Check = {
  what: 'settings',
  async examine({ settings, env }) {
    const isDemo = (await ownership(settings.database.reveal()).catch(() => 'foreign')) === 'demo';
    const found = rules.flatMap((rule) => rule({ settings, env, isDemo }));
    return found.length > 0 ? found : [ok('nothing from the demo, nothing insecure')];
  },
};
