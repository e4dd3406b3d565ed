/**
 * The checks of the addresses that browsers and programs use.
 *
 * The redirect address is called through its public name, as a browser would after a consent: DNS, the proxy and its
 * certificate are all on the way. Whether it is registered is tested at the authorisation server, with the request that
 * a customer's browser would send, once with the right address and once with one that is certainly not registered. RFC
 * 6749, 3.1.2.4, forbids the server to redirect to the latter, so its two answers differ, whatever they look like. No
 * sign-in takes place, and no code is issued.
 *
 * Whatever only an outsider could see is reported as unknown.
 */
import { withoutBrackets } from '../../lib/net/network.ts';
import { connect, type PeerCertificate } from 'node:tls';
import { DAY } from '../../lib/time/clock.ts';
import type { ApplicationSettings, OAuthSettings, Settings } from '../settings/model.ts';
import { DEFAULT_APPLICATION } from '../../upstream/application.ts';
import { callbackPath } from '../wiring/addresses.ts';
import { isLoopback } from '../settings/types.ts';
import { ask, reasonOf, type Answer } from './ask.ts';
import { failed, ok, unknown, warning, type Check, type Situation, type Verdict } from './model.ts';

/** Certificates that renew themselves do so a month before their end, so these are overdue. */
const SOON = 21 * DAY;
const TOO_SOON = 7 * DAY;
/** In seconds, half a year: browsers forget a shorter one between two visits. */
const LEAST_HSTS = 182 * 24 * 3_600;

const registerFor = ({ name }: ApplicationSettings): string =>
  `register <CAUSEWAY_PUBLIC_URL>${callbackPath(name)} for the OAuth application${named(name)}, exactly as written`;

/** Only further applications are named: a single one needs no name. */
const named = (name: string): string => (name === DEFAULT_APPLICATION ? '' : ` ${name}`);

/** The checks of the public addresses that are configured. */
export function publicChecks({ publicUrl, legacyUrl, oauth }: Settings): readonly Check[] {
  const addresses = [...new Set([publicUrl, legacyUrl])].filter((one) => one !== undefined);
  return [
    ...(oauth === undefined ? [] : redirectChecks(publicUrl, oauth)),
    ...addresses.filter(isHttps).map(certificateCheck),
    ...(publicUrl !== undefined && isHttps(publicUrl) ? [hstsCheck(publicUrl)] : []),
    ...addresses.filter((one) => !isLocal(one)).map(outsideCheck),
  ];
}

function redirectChecks(publicUrl: string | undefined, { applications }: OAuthSettings): readonly Check[] {
  if (publicUrl === undefined) return [localCheck('CAUSEWAY_PUBLIC_URL is not set')];
  return [
    ...(isLocal(publicUrl) ? [localCheck('only this machine can reach it')] : []),
    ...applications.flatMap((application) =>
      checksOf({ application, redirect: `${publicUrl}${callbackPath(application.name)}` }),
    ),
  ];
}

/** The application whose redirect address is checked. */
interface Asked {
  readonly application: ApplicationSettings;
  readonly redirect: string;
}

function checksOf(asked: Asked): readonly Check[] {
  const { application, redirect } = asked;
  const of = application.name === DEFAULT_APPLICATION ? '' : ` for ${application.name}`;
  return [
    {
      what: `redirect address is registered${of}`,
      examine: (situation, signal) => registered(situation, asked, signal),
    },
    {
      what: `redirect address ${redirect}`,
      examine: (situation, signal) => answers(situation, redirect, signal),
    },
  ];
}

const isLocal = (address: string): boolean => isLoopback(new URL(address).hostname);
const isHttps = (address: string): boolean => address.startsWith('https:');

const localCheck = (why: string): Check => ({
  what: 'public address',
  examine: () => failed(why, 'set CAUSEWAY_PUBLIC_URL to the https address that customers reach'),
});

/** Any answer of the bridge will do: without a customer's attempt the page says that there is none. */
async function answers({ ca }: Situation, address: string, signal: AbortSignal): Promise<Verdict> {
  const remedy = 'start the bridge, and check DNS, the proxy and the firewall (docs/deploy/proxy.md)';
  try {
    const { status, headers } = await ask(address, { ca, signal });
    if (headers['x-causeway-source'] === 'bridge') return ok('the bridge answers through its public name');
    return failed(`something other than the bridge answers (${status})`, remedy);
  } catch (error) {
    return failed(`does not answer: ${reasonOf(error)}`, remedy);
  }
}

/** Asks twice, the second time with an address that is certainly not registered: the answers must differ. */
async function registered({ settings, ca }: Situation, asked: Asked, signal: AbortSignal): Promise<Verdict> {
  const { application, redirect } = asked;
  const right = authorizeAddress(settings, application, redirect);
  const wrong = authorizeAddress(settings, application, `${redirect}/not-registered`);
  try {
    const [answer, control] = await Promise.all(
      [right, wrong].map((address) => ask(address, { ca, signal })),
    );
    return answer === undefined || control === undefined
      ? failed('not checked', registerFor(application))
      : judged(answer, control, asked);
  } catch (error) {
    return failed(
      `the authorisation server does not answer: ${reasonOf(error)}`,
      'check CAUSEWAY_AUTH_URL and the network',
    );
  }
}

function judged(asked: Answer, control: Answer, { application, redirect }: Asked): Verdict {
  const register = registerFor(application);
  const refusal = refusalIn(asked, redirect);
  if (refusal !== undefined)
    return warning(
      `registered, but the authorisation server answers ${refusal}`,
      'check CAUSEWAY_SCOPE and CAUSEWAY_PRACTICE_SCOPE, and what the application may ask for',
    );
  const alike = destination(asked) === destination(control);
  if (asked.status >= 500)
    return failed(`the authorisation server answers ${asked.status}`, 'run doctor again later');
  if (asked.status >= 400)
    return failed(
      `the authorisation server refuses it (${asked.status})`,
      alike ? `${register}, and check its client ID` : register,
    );
  return alike
    ? unknown(
        'the authorisation server gives the same answer for an address that is certainly not registered',
        `check the application there: ${register}`,
      )
    : ok('the authorisation server accepts it');
}

/** The status and the target of an answer, without the parts that change each time. */
function destination({ status, headers }: Answer): string {
  const to = URL.parse(headers.location ?? '', 'https://server.invalid');
  return headers.location === undefined ? `${status}` : `${status} ${to?.origin ?? ''}${to?.pathname ?? ''}`;
}

/** The server redirects back with an error only if it knows the redirect address (RFC 6749, 4.1.2.1). */
function refusalIn({ headers }: Answer, redirect: string): string | undefined {
  const { location = '' } = headers;
  if (!location.startsWith(`${redirect}?`)) return undefined;
  return /^[\w-]{1,60}$/.exec(new URL(location).searchParams.get('error') ?? '')?.[0];
}

function authorizeAddress(
  { oauth, profile }: Settings,
  { clientId, scopes }: ApplicationSettings,
  redirect: string,
): string {
  const query = new URLSearchParams({
    response_type: 'code',
    client_id: clientId,
    redirect_uri: redirect,
    scope: scopes.standard,
    state: 'doctor',
    // From RFC 7636, appendix B; no sign-in takes place with it.
    ...(profile.pkce && {
      code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
      code_challenge_method: 'S256',
    }),
  });
  return `${oauth?.authUrl ?? ''}${profile.paths.authorize}?${query.toString().replaceAll('+', '%20')}`;
}

const certificateCheck = (address: string): Check => ({
  what: `certificate of ${address}`,
  examine: (situation, signal) => certificate(situation, address, signal),
});

/** Only for the address that browsers use: programs that call the legacy address do not know HSTS. */
const hstsCheck = (address: string): Check => ({
  what: `HSTS of ${address}`,
  examine: (situation, signal) => hsts(situation, address, signal),
});

async function certificate({ ca, now }: Situation, address: string, signal: AbortSignal): Promise<Verdict> {
  const shown = await shake(address, ca, signal).catch(reasonOf);
  if (typeof shown === 'string')
    return failed(`TLS fails: ${shown}`, 'make sure that the proxy speaks TLS under this name and port');
  if (shown.fault !== undefined)
    return failed(
      `the certificate is not accepted: ${shown.fault}`,
      'give the proxy a certificate for this name with its whole chain, from an authority that callers trust',
    );
  const left = shown.ends - now();
  const words = `ends in ${Math.floor(left / DAY)} days (${new Date(shown.ends).toISOString().slice(0, 10)}), ${shown.protocol}`;
  if (left < TOO_SOON) return failed(words, 'renew it now, and find out why it is not renewed automatically');
  return left < SOON ? warning(words, 'find out why it is not renewed automatically') : ok(words);
}

interface Shown {
  /** Why the certificate is not accepted. */
  readonly fault: string | undefined;
  readonly ends: number;
  readonly protocol: string;
}

async function shake(address: string, ca: string | undefined, signal: AbortSignal): Promise<Shown> {
  const { hostname, port } = new URL(address);
  const { promise, resolve, reject } = Promise.withResolvers<Shown>();
  const host = withoutBrackets(hostname);
  // Accepts any certificate, in order to describe its fault; nothing is sent over the connection.
  const socket = connect({
    host,
    port: port === '' ? 443 : Number(port),
    rejectUnauthorized: false,
    ...(/^[\d.]+$|:/.test(host) ? {} : { servername: host }),
    ...(ca !== undefined && { ca }),
  });
  signal.addEventListener('abort', () => socket.destroy(), { once: true });
  socket.once('error', reject);
  socket.once('secureConnect', () => {
    const { valid_to } = socket.getPeerCertificate() as Partial<PeerCertificate>;
    const error = socket.authorizationError as Error | string | null | undefined;
    resolve({
      fault: socket.authorized
        ? undefined
        : error instanceof Error
          ? reasonOf(error)
          : (error ?? 'not trusted'),
      ends: Date.parse(valid_to ?? ''),
      protocol: socket.getProtocol() ?? 'TLS',
    });
  });
  try {
    return await promise;
  } finally {
    socket.destroy();
  }
}

/** Asks for a page: the addresses that programs use as well, such as those of health, have no headers for browsers. */
async function hsts({ ca }: Situation, address: string, signal: AbortSignal): Promise<Verdict> {
  const remedy = 'let the bridge’s own Strict-Transport-Security header through the proxy';
  try {
    const { headers } = await ask(`${address}${callbackPath(DEFAULT_APPLICATION)}`, { ca, signal });
    const found = headers['strict-transport-security'];
    if (found === undefined) return warning('the Strict-Transport-Security header is missing', remedy);
    const seconds = Number(/max-age="?(\d+)/i.exec(found)?.[1] ?? 0);
    return seconds < LEAST_HSTS
      ? warning(`browsers remember https for ${Math.floor(seconds / 86_400)} days only`, remedy)
      : ok(`browsers remember https for ${Math.floor(seconds / 86_400)} days`);
  } catch (error) {
    return unknown(`it could not be asked: ${reasonOf(error)}`, 'see the other rows for this address');
  }
}

const outsideCheck = (address: string): Check => ({
  what: `${address} from outside`,
  examine: () =>
    unknown(
      'only a machine outside your network can tell',
      `run there: curl -sS -o /dev/null -w '%{http_code}\\n' ${address}/_causeway/health/ready`,
    ),
});
