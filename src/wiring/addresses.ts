import type { Settings } from '../config.ts';

export const CALLBACK_PATH = '/_causeway/callback';

/** How browsers reach the bridge; `port` is the one that was given, where the settings said 0. */
export function publicUrl({ publicUrl: given, listener }: Settings, port = listener.port): string {
  const host = listener.host.includes(':') ? `[${listener.host}]` : listener.host;
  return given ?? `http://${host}:${port}`;
}

/** What links in legacy replies are built on. */
export const legacyUrl = (settings: Settings, port?: number): string =>
  settings.legacyUrl ?? publicUrl(settings, port);
