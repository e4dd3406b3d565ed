import type { Settings } from '../settings/model.ts';

/** The redirect address of the OAuth application, below the public URL (000 "Prerequisites"). */
export const CALLBACK_PATH = '/_causeway/callback';

/** How browsers reach the bridge. */
export function publicUrl({ publicUrl: given, listener: { host, port } }: Settings): string {
  return given ?? `http://${host.includes(':') ? `[${host}]` : host}:${port}`;
}

/** What links in legacy replies are built on. */
export const legacyUrl = (settings: Settings): string => settings.legacyUrl ?? publicUrl(settings);
