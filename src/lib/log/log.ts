/**
 * Log lines are an event name and flat fields. Never a key, token, code, tax number, query string or body.
 * The log redacts, but callers do not rely on it.
 */
export type LogFields = Readonly<Record<string, string | number | boolean | null | undefined>>;

/**
 * Fields with texts from closed alphabets only: an id that the bridge made, a name from the mapping or the code, an
 * HTTP verb. None of them can be a secret, so the log writes them as they are. A line with any other text has plain
 * `LogFields`, which are searched for secrets.
 */
export class PlainFields {
  /** Not `level`, `time` or `event`, which every line has. At least one must be defined. */
  readonly [name: string]: LogFields[string];
}

/**
 * Events with a name (`call`, `grant.lost`) and fields. The log redacts them; callers nevertheless pass in no secret.
 */
export interface Log {
  info(event: string, fields?: LogFields): void;
  warn(event: string, fields?: LogFields): void;
  error(event: string, fields?: LogFields): void;
}

/** The message of an error, for a log line. */
export const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : 'unknown');

/** The name of a library's error, whose message may quote anything. */
export const nameOf = (error: unknown): string => (error instanceof Error ? error.name : typeof error);

/** Message and stack of an error, for the operator. */
export const errorFields = (
  error: unknown,
): { readonly error: string; readonly stack?: string | undefined } =>
  error instanceof Error ? { error: error.message, stack: error.stack } : { error: typeof error };

/** For callers that want no log. */
export const silentLog: Log = { info: () => undefined, warn: () => undefined, error: () => undefined };
