import type { Settings } from '../settings/model.ts';

/** The redirect address of the OAuth application, below the public URL (000 "Prerequisites"). */
export const CALLBACK_PATH = '/_causeway/callback';

/** The redirect address of the console at the OpenID provider. */
export const OPENID_CALLBACK_PATH = '/_causeway/console/sign-in/callback';

/** The bridge's address for browsers. */
export function publicUrl({ publicUrl: given, listener: { host, port } }: Settings): string {
  return given ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** The root of links in legacy replies. */
export const legacyUrl = (settings: Settings): string => settings.legacyUrl ?? publicUrl(settings);
