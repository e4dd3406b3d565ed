/**
 * The checks of `causeway doctor` for everything that the settings name: the service's addresses, mail server, Redis,
 * PostgreSQL, the provider of sign-ins and the receiver of traces.
 *
 * Each is a probe of its own that waits for at most `PATIENCE` and reports its result in words; no customer's key or
 * token is used.
 */
import { clientSecretProbes } from './client-secrets.ts';
import { PATIENCE, type Probe, type Task } from './probe.ts';
import type { Settings, TracesSettings } from '../settings/model.ts';
import { readHeaders } from '../tracing/read-headers.ts';
import { mailboxWords } from '../../features/campaign/bounces/mailbox/reader.ts';
import { askMailServer } from '../../features/campaign/mail/connect.ts';
import { wordsOf } from '../../features/campaign/mail/verdict.ts';
import { OpenIdFault, OpenIdProvider } from '../../features/admin/tokens/openid/provider.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { findRoute, judgeRoute } from '../database-route.ts';
import { ImapMailbox } from '../../features/campaign/bounces/mailbox/imap-mailbox.ts';
import { askRedis } from '../../upstream/limiter/redis/ask-redis.ts';

interface Address {
  readonly what: string;
  readonly url: string;
  readonly verb?: 'GET' | 'POST';
  /** Statuses with which the right server answers without a sign-in. */
  readonly expected: readonly number[];
}

/** No account has these keys: a server that refuses them checks keys. */
const NO_KEYS = 'apiKey=none&accountKey=none';

function addressesOf({ v1, oauth, profile }: Settings): readonly Address[] {
  const legacy: readonly Address[] =
    v1 === undefined
      ? []
      : [{ what: 'CAUSEWAY_V1_BASE_URL', url: `${v1}/client.api/list?${NO_KEYS}`, expected: [401, 403] }];
  if (oauth === undefined) return legacy;
  const { v3, v2, authUrl, connectionsUrl } = oauth;
  const roots = v3.practice === v3.standard ? ['standard' as const] : (['standard', 'practice'] as const);
  return [
    ...legacy,
    ...roots.map((product) => ({
      what: product === 'standard' ? 'CAUSEWAY_V3_BASE_URL' : 'CAUSEWAY_V3_PRACTICE_BASE_URL',
      url: `${v3[product]}/client.api/list`,
      expected: [401, 403],
    })),
    ...(v2 === undefined
      ? []
      : [{ what: 'CAUSEWAY_V2_BASE_URL', url: `${v2}/me`, expected: [400, 401, 403] }]),
    // Without parameters, both answer that the request is wrong, or with a page that says so.
    {
      what: 'CAUSEWAY_AUTH_URL, authorise',
      url: `${authUrl}${profile.paths.authorize}`,
      expected: [200, 302, 303, 400],
    },
    {
      what: 'CAUSEWAY_AUTH_URL, token',
      url: `${authUrl}${profile.paths.token}`,
      verb: 'POST',
      expected: [400, 401],
    },
    ...(connectionsUrl === undefined
      ? []
      : [{ what: 'CAUSEWAY_CONNECTIONS_URL', url: connectionsUrl, expected: [401, 403] }]),
  ];
}

/**
 * Calls every configured upstream once, without credentials, to see whether the right server answers, and presents each
 * client secret with a code that does not exist. Signs in to the mail server, Redis and PostgreSQL, because nothing else
 * shows whether they work.
 */
export const probes = (settings: Settings): Promise<readonly Probe[]> =>
  Promise.all([...probesOf(settings), ...databaseProbes(settings)].map(({ run }) => run()));

/** What `probes` does beyond the database, one by one. */
export const probesOf = (settings: Settings): readonly Task[] => [
  ...addressesOf(settings).map((address) => ({ what: address.what, run: () => probe(address) })),
  ...[clientSecretProbes, redisProbes, mailProbes, mailboxProbes, openIdProbes, tracesProbes].flatMap(
    (tasks) => tasks(settings),
  ),
];

/** The configured addresses of the service, as they are called. */
export const upstreamAddresses = (settings: Settings): readonly string[] =>
  addressesOf(settings).map(({ url }) => url);

/** Whether a pooler answers, and whether work that needs a session can reach the server. */
const databaseProbes = (settings: Settings): readonly Task[] =>
  settings.database.reveal().startsWith('postgres')
    ? [{ what: 'connection to PostgreSQL', run: () => tryRoute(settings) }]
    : [];

async function tryRoute(settings: Settings): Promise<Probe> {
  const what = 'connection to PostgreSQL';
  try {
    const { state, why } = judgeRoute(await findRoute(settings));
    return { what, good: state !== 'failed', detail: why };
  } catch (error) {
    return { what, good: false, detail: error instanceof Error ? error.message : 'does not answer' };
  }
}

function redisProbes({ redis }: Settings): readonly Task[] {
  if (redis === undefined) return [];
  return [
    signIn(
      'CAUSEWAY_REDIS_URL',
      () => askRedis(redis, PATIENCE),
      (error) => (error instanceof Error ? error.message : 'does not answer'),
    ),
  ];
}

function mailProbes({ mail }: Settings): readonly Task[] {
  return mail === undefined ? [] : [signIn('CAUSEWAY_SMTP_URL', () => askMailServer(mail.server), wordsOf)];
}

/** Signs in and opens the folder; nothing is read. */
function mailboxProbes({ campaign: { bounceMailbox } }: Settings): readonly Task[] {
  if (bounceMailbox === undefined) return [];
  const mailbox = new ImapMailbox(bounceMailbox.address, bounceMailbox.folder);
  const opened = (): Promise<string> =>
    mailbox.use(AbortSignal.timeout(2 * PATIENCE), () =>
      Promise.resolve(`accepts the user name and password, has the folder ${bounceMailbox.folder}`),
    );
  return [signIn('CAUSEWAY_BOUNCES_MAILBOX_URL', opened, mailboxWords)];
}

function openIdProbes({ openId }: Settings): readonly Task[] {
  if (openId === undefined) return [];
  const provider = new OpenIdProvider(openId, systemClock);
  return [{ what: 'CAUSEWAY_OPENID_ISSUER', run: () => askProvider(provider) }];
}

/** Reads its discovery document; no sign-in takes place. */
async function askProvider(provider: OpenIdProvider): Promise<Probe> {
  const what = 'CAUSEWAY_OPENID_ISSUER';
  try {
    const { pkce, algorithms } = await provider.facts();
    const unsigned = algorithms.filter((one) => one === 'none' || one.startsWith('HS'));
    if (algorithms.length > 0 && unsigned.length === algorithms.length)
      return { what, good: false, detail: 'signs no ID token with a key of its own, so none is accepted' };
    const words = pkce === true ? 'with PKCE' : 'does not say that it checks PKCE';
    return { what, good: true, detail: `is an OpenID provider, ${words}` };
  } catch (error) {
    if (!(error instanceof OpenIdFault)) throw error;
    const detail =
      error.code === 'silent'
        ? `does not answer as an OpenID provider: ${error.detail}`
        : `describes itself under another name, or not as a provider: ${error.detail}`;
    return { what, good: false, detail };
  }
}

const tracesProbes = ({ traces }: Settings): readonly Task[] =>
  traces === undefined ? [] : [{ what: 'CAUSEWAY_OTLP_URL', run: () => askTraces(traces) }];

/** Sends a batch without spans, which is valid. */
async function askTraces({ url, headers }: TracesSettings): Promise<Probe> {
  const what = 'CAUSEWAY_OTLP_URL';
  try {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...(headers && readHeaders(headers.reveal())) },
      body: '{"resourceSpans":[]}',
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    });
    await answer.body?.cancel();
    return {
      what,
      good: answer.ok,
      detail: `${answer.ok ? 'accepts' : 'does not accept'} spans (${answer.status})`,
    };
  } catch (error) {
    return { what, good: false, detail: `does not answer: ${reasonOf(error)}` };
  }
}

const signIn = (
  what: string,
  asked: () => Promise<string>,
  wordsOfError: (error: unknown) => string,
): Task => ({
  what,
  run: () =>
    asked().then(
      (detail) => ({ what, good: true, detail }),
      (error: unknown) => ({ what, good: false, detail: wordsOfError(error) }),
    ),
});

async function probe({ what, url, verb = 'GET', expected }: Address): Promise<Probe> {
  try {
    const answer = await fetch(url, {
      method: verb,
      redirect: 'manual',
      signal: AbortSignal.timeout(PATIENCE),
    });
    await answer.body?.cancel();
    const good = expected.includes(answer.status);
    return { what, good, detail: good ? `answers (${answer.status})` : words(answer.status) };
  } catch (error) {
    return { what, good: false, detail: `does not answer: ${reasonOf(error)}` };
  }
}

/** The explanation of an unexpected status. */
export function words(status: number): string {
  if (status === 404) return 'answers 404: the host is there, the path is not; check the end of the address';
  if (status >= 500) return `answers ${status}: the service is there, but has a problem`;
  if (status >= 300 && status < 400)
    return `answers ${status}: it redirects, which the bridge does not follow`;
  return `answers ${status}, which is not what the service answers to an unknown caller`;
}

/** The network's code (`ECONNREFUSED`, `ENOTFOUND`, …) says more than fetch's message. */
function reasonOf(error: unknown): string {
  const cause = error instanceof Error ? error.cause : undefined;
  if (cause instanceof Error && 'code' in cause) return String(cause.code);
  return error instanceof Error && error.name === 'TimeoutError'
    ? `no answer within ${PATIENCE / 1_000} s`
    : 'unreachable';
}
