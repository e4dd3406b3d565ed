import { createLogger, format, transports, type Logger, type transport as Transport } from 'winston';
import { systemClock, type Clock } from '../time/clock.ts';
import type { Log, LogFields } from './log.ts';
import { redact } from './redact.ts';

/** Where the lines go, and the clock for their times. */
export interface LogParts {
  /** Where lines go; in production, standard output. */
  readonly stream: NodeJS.WritableStream;
  readonly clock?: Clock | undefined;
  readonly level?: 'info' | 'warn' | 'error' | undefined;
}

/** One line of JSON per event, each checked for secrets before it leaves. */
export class LineLog implements Log {
  readonly #logger: Logger;
  readonly #clock: Clock;

  constructor({ stream, clock = systemClock, level = 'info' }: LogParts) {
    this.#clock = clock;
    // Its type comes from another copy of the class it extends.
    const out: unknown = new transports.Stream({ stream, eol: '\n' });
    this.#logger = createLogger({
      level,
      format: format.printf(({ message }) => String(message)),
      transports: [out as Transport],
      exitOnError: false,
    });
  }

  info(event: string, fields: LogFields = {}): void {
    this.#write('info', event, fields);
  }

  warn(event: string, fields: LogFields = {}): void {
    this.#write('warn', event, fields);
  }

  error(event: string, fields: LogFields = {}): void {
    this.#write('error', event, fields);
  }

  #write(level: 'info' | 'warn' | 'error', event: string, fields: LogFields): void {
    const time = new Date(this.#clock.now()).toISOString();
    const line = { level, time, event, ...safe(fields) };
    const text = JSON.stringify(line);
    this.#logger.log(level, redact(text.length > LONGEST_TEXT ? JSON.stringify(shortened(line)) : text));
  }
}

/**
 * Characters of one field: a service's answer quoted in an error says nothing more, and costs every caller
 * time.
 */
const LONGEST_TEXT = 8_192;

const shortened = (fields: LogFields): LogFields =>
  Object.fromEntries(
    Object.entries(fields).map(([name, value]) => [
      name,
      typeof value === 'string' && value.length > LONGEST_TEXT
        ? `${value.slice(0, LONGEST_TEXT)}… (${value.length} characters)`
        : value,
    ]),
  );

const own: ReadonlySet<string> = new Set(['level', 'time', 'event']);

/** Fields must not change the three names of every line. */
function safe(fields: LogFields): LogFields {
  return Object.keys(fields).some((name) => own.has(name))
    ? Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [own.has(name) ? `${name}_` : name, value]),
      )
    : fields;
}
