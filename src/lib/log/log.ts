/**
 * Log lines are an event name and flat fields. Never a key, token, code, tax number, query string or body.
 * The log redacts, but callers do not rely on it.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Events with a name (`call`, `grant.lost`) and fields. The log redacts them; callers still pass in no
 * secret.
 */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** What a log line says about an error. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

/** For callers that want no log. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
