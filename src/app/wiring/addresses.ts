import { DEFAULT_APPLICATION } from '../../upstream/application.ts';
import type { Settings } from '../settings/model.ts';

/** The redirect address of the default OAuth application, below the public URL (V2 specification, "Prerequisites"). */
const CALLBACK_PATH = '/_causeway/callback';

/**
 * The redirect address of an application below the public URL. Each has its own, which shows whose code a callback
 * carries (RFC 9700, section 4.4.2.2).
 */
export const callbackPath = (application: string): string =>
  application === DEFAULT_APPLICATION ? CALLBACK_PATH : `${CALLBACK_PATH}/${application}`;

/** The whole address, as registered at the service. */
export const redirectAddress = (settings: Settings, application: string): string =>
  `${publicUrl(settings)}${callbackPath(application)}`;

/** The redirect address of the console at the OpenID provider. */
export const OPENID_CALLBACK_PATH = '/_causeway/console/sign-in/callback';

/** The bridge's address for browsers. */
export function publicUrl({ publicUrl: given, listener: { host, port } }: Settings): string {
  return given ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The root of links in legacy replies. */
export const legacyUrl = (settings: Settings): string => settings.legacyUrl ?? publicUrl(settings);
