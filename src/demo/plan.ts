/**
 * Works out a demo's addresses, files and settings before anything runs, so that a port in use or an unknown
 * setting is reported at once.
 */
import { DAY } from '../lib/time/clock.ts';
import { systemRandom } from '../lib/secret/random.ts';
import { newKeyLine } from '../tokens/sealing/keyring.ts';
import type { DemoLinks } from './mailbox/start.ts';
import { Usage, type DemoOptions } from './options.ts';
import { harbourLane } from './seed/harbour-lane.ts';
import { API_KEY } from './seed/organisations.ts';
import { demoPlace, type DemoPlace } from '../app/settings/demo-place.ts';

/** Addresses, places and settings of one demo. */
export interface DemoPlan {
  readonly place: DemoPlace;
  readonly ports: readonly DemoPort[];
  readonly bridge: string;
  /** Address of the console, and the token that opens it. */
  readonly console: { readonly address: string; readonly token: string };
  readonly metrics: string;
  readonly sandbox: string;
  /** Address of the page on which caught e-mail can be read. */
  readonly mailbox: string;
  /** Settings of the bridge, as written to `causeway.env`. */
  readonly bridgeSettings: Readonly<Record<string, string>>;
  readonly sandboxSettings: Readonly<Record<string, string>>;
  readonly mailboxSettings: Readonly<Record<string, string>>;
  /** The bridge's e-mail goes to the mailbox, not to a server that the caller named. */
  readonly mailStaysHere: boolean;
}

export interface DemoPort {
  readonly what: string;
  readonly variable: string;
  readonly port: number;
}

const HOST = '127.0.0.1';
const CLIENT_ID = 'causeway-demo';
const CLIENT_SECRET = 'causeway-demo-secret';
/** The sender of the invitations: a software maker, as the person trying the demo may be. */
const ASKER = 'Tidewater Software';

/** Settings of the caller take precedence over the demo's choices. Throws `Usage`. */
export function planDemo(
  env: NodeJS.ProcessEnv,
  encryptionKeys: string | undefined,
  adminToken?: string,
): DemoPlan {
  const given = settingsIn(env);
  const token = given.CAUSEWAY_ADMIN_TOKEN ?? adminToken ?? `cwt_${systemRandom.secret().reveal()}`;
  const place = demoPlace(given.CAUSEWAY_DATABASE_URL);
  const ports = portsOf(env);
  const [bridgePort, metricsPort, sandboxPort, mailboxPort, smtpPort] = ports.map(({ port }) => port);
  const bridge = given.CAUSEWAY_PUBLIC_URL ?? `http://${HOST}:${bridgePort}`;
  const sandbox = `http://${HOST}:${sandboxPort}`;
  const metrics = `http://${HOST}:${metricsPort}/metrics`;
  const consoleAddress = `${bridge}/_causeway/console`;
  const links: DemoLinks = {
    ...{ bridge, console: consoleAddress, token, sandbox, metrics },
    curl: `curl -i '${legacyCall(bridge, harbourLane(0).accountKey)}'`,
    v1End: given.CAUSEWAY_V1_END,
  };
  return {
    place,
    ports,
    bridge,
    console: { address: consoleAddress, token },
    metrics,
    sandbox,
    mailbox: `http://${HOST}:${mailboxPort}`,
    mailStaysHere: given.CAUSEWAY_SMTP_URL === undefined,
    bridgeSettings: {
      CAUSEWAY_HOST: HOST,
      CAUSEWAY_PORT: String(bridgePort),
      CAUSEWAY_METRICS_PORT: String(metricsPort),
      CAUSEWAY_LAME_DUCK_SECONDS: '0',
      CAUSEWAY_PUBLIC_URL: bridge,
      CAUSEWAY_V1_BASE_URL: `${sandbox}/v1`,
      CAUSEWAY_V2_BASE_URL: `${sandbox}/v2`,
      CAUSEWAY_V3_BASE_URL: `${sandbox}/3.0`,
      CAUSEWAY_AUTH_URL: sandbox,
      CAUSEWAY_CONNECTIONS_URL: `${sandbox}/connections`,
      CAUSEWAY_CLIENT_ID: CLIENT_ID,
      CAUSEWAY_CLIENT_SECRET: CLIENT_SECRET,
      CAUSEWAY_ENCRYPTION_KEYS: encryptionKeys ?? newKeyLine(),
      CAUSEWAY_ADMIN_TOKEN: token,
      CAUSEWAY_SMTP_URL: `smtp://${HOST}:${smtpPort}`,
      CAUSEWAY_MAIL_FROM: `${ASKER} <connections@tidewater.example>`,
      CAUSEWAY_BRAND_NAME: ASKER,
      CAUSEWAY_SUPPORT_ADDRESS: 'support@tidewater.example',
      // The pages of the sandbox use the same name.
      CAUSEWAY_SERVICE_NAME: 'Sandbox service',
      ...given,
      CAUSEWAY_DATABASE_URL: place.database,
      CAUSEWAY_DEPLOYMENT_FILE: place.deploymentFile,
    },
    sandboxSettings: {
      SANDBOX_HOST: HOST,
      SANDBOX_PORT: String(sandboxPort),
      SANDBOX_DATABASE: place.sandboxDatabase,
      SANDBOX_SEED: '0',
      SANDBOX_CLIENTS: JSON.stringify([
        {
          id: CLIENT_ID,
          name: ASKER,
          secrets: [CLIENT_SECRET],
          redirectUris: [`${bridge}/_causeway/callback`],
        },
      ]),
    },
    mailboxSettings: {
      MAILBOX_PORT: String(mailboxPort),
      MAILBOX_SMTP_PORT: String(smtpPort),
      MAILBOX_LINKS: JSON.stringify(links),
    },
  };
}

/**
 * Days until V1 ends, and until an invitation expires, in a demo whose clock is moved. Both are a few presses
 * of a button away, and in the order of a real campaign: a link expires while V1 still works, then V1 ends.
 * The reminders of `CAUSEWAY_REMINDER_DAYS` come before both.
 */
const SOON = { v1End: 14, invitation: 10 };
/** Days until V1 ends for a campaign that is half way through: enough for the rest if it keeps its pace. */
const HALF_WAY = { v1End: 45 };

/**
 * When V1 ends and how long links work in a demo that shows them, unless the caller decides: with a clock
 * that can be moved, weeks pass within a few presses of a button. `kept`: settings of the run that it
 * continues.
 */
export function timeSettings(
  now: number,
  kept: Readonly<Record<string, string | undefined>>,
  { clock, accounts }: Pick<DemoOptions, 'clock' | 'accounts'>,
): Readonly<Record<string, string>> {
  const soon = clock && accounts === undefined ? SOON : undefined;
  const v1End = accounts === undefined ? soon?.v1End : HALF_WAY.v1End;
  const fresh = {
    ...(v1End !== undefined && { CAUSEWAY_V1_END: dayAfter(now, v1End) }),
    ...(soon !== undefined && { CAUSEWAY_INVITATION_DAYS: String(soon.invitation) }),
  };
  const names = ['CAUSEWAY_V1_END', 'CAUSEWAY_INVITATION_DAYS'] as const;
  return kept.CAUSEWAY_V1_END === undefined
    ? fresh
    : Object.fromEntries(names.flatMap((name) => (kept[name] === undefined ? [] : [[name, kept[name]]])));
}

const dayAfter = (now: number, days: number): string =>
  new Date(now + days * DAY).toISOString().slice(0, 'YYYY-MM-DD'.length);

/** A legacy call that lists the clients of an account. */
export const legacyCall = (bridge: string, accountKey: string): string =>
  `${bridge}/client.api/list?apiKey=${API_KEY}&accountKey=${accountKey}`;

const settingsIn = (env: NodeJS.ProcessEnv): Readonly<Record<string, string>> =>
  Object.fromEntries(
    Object.entries(env).flatMap(([name, value]) =>
      /^CAUSEWAY_(?!TEST_)/.test(name) && value !== undefined && value !== '' ? [[name, value]] : [],
    ),
  );

const portsOf = (env: NodeJS.ProcessEnv): readonly DemoPort[] =>
  [
    { what: 'bridge', variable: 'CAUSEWAY_PORT', usual: 8080 },
    { what: 'metrics', variable: 'CAUSEWAY_METRICS_PORT', usual: 9464 },
    { what: 'sandbox', variable: 'SANDBOX_PORT', usual: 8090 },
    { what: 'mailbox', variable: 'MAILBOX_PORT', usual: 8025 },
    { what: 'its mail server', variable: 'MAILBOX_SMTP_PORT', usual: 1025 },
  ].map(({ what, variable, usual }) => ({ what, variable, port: portOf(env, variable, usual) }));

/** Throws `Usage`. */
function portOf(env: NodeJS.ProcessEnv, variable: string, usual: number): number {
  const given = env[variable] ?? '';
  if (given === '') return usual;
  if (/^\d{1,5}$/.test(given) && Number(given) > 0 && Number(given) < 65_536) return Number(given);
  throw new Usage(`${variable} must be a whole number from 1 to 65535`, false);
}

/** The environment of a child process, which inherits nothing else. */
export const childEnvironment = (
  env: NodeJS.ProcessEnv,
  settings: Readonly<Record<string, string>>,
): NodeJS.ProcessEnv => ({
  ...Object.fromEntries(Object.entries(env).filter(([name]) => !/^(CAUSEWAY|SANDBOX|MAILBOX)_/.test(name))),
  ...settings,
});
