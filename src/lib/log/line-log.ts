/**
 * The log of a process: one line of JSON for each event, through winston.
 *
 * Lines at level info are gathered and written together, after `BATCH_MS` or once there are `BATCH_CHARACTERS`; a
 * warning or an error is written at once, after the gathered lines. `flush` writes the rest before the process ends
 * (`main.ts`). A process that is killed loses only the lines of one batch.
 *
 * A pipe takes no more while its reader does not read (a collector that hangs): lines then wait in memory. Beyond
 * `MOST_WAITING` they are dropped and counted until half of that has been read.
 */
import { createLogger, format, transports, type Logger, type transport as Transport } from 'winston';
import { systemClock, type Clock } from '../time/clock.ts';
import { PlainFields, type Log, type LogFields } from './log.ts';
import { redact } from './redact.ts';

type Level = 'info' | 'warn' | 'error';

/** The destination of the lines, and the clock for their times. */
export interface LogParts {
  /** The destination; in production, standard output. */
  readonly stream: Destination;
  readonly clock?: Clock | undefined;
  /** Number of the worker, if there are several. */
  readonly worker?: number | undefined;
  /** Called with the number of lines that were dropped, once lines are written again. */
  readonly onDropped?: ((lines: number) => void) | undefined;
}

/** Standard output as a file does not say what waits: each write to it is awaited. */
type Destination = NodeJS.WritableStream & { readonly writableLength?: number };

/** In milliseconds: too short to be noticed when watching the log. */
const BATCH_MS = 25;
const BATCH_CHARACTERS = 65_536;
/** In bytes: some 50,000 lines of calls. */
const MOST_WAITING = 16 * 1024 * 1024;

/** One line of JSON per event; any text that could hold a secret is checked before it is written. */
export class LineLog implements Log {
  readonly #logger: Logger;
  readonly #stream: Destination;
  readonly #onDropped: LogParts['onDropped'];
  readonly #clock: Clock;
  readonly #worker: number | undefined;
  /** The worker's number as JSON, to be put before the other fields. */
  readonly #place: string;
  /** Whole lines, each with its end. */
  #gathered = '';
  #timer: NodeJS.Timeout | undefined;
  /** Lines dropped since the last one that was written. */
  #dropped = 0;
  /** The time of the last line, as number and as text. */
  #now = Number.NaN;
  #text = '';

  constructor({ stream, clock = systemClock, worker, onDropped }: LogParts) {
    this.#stream = stream;
    this.#onDropped = onDropped;
    this.#clock = clock;
    this.#worker = worker;
    this.#place = worker === undefined ? '' : `"worker":${worker},`;
    // Its type comes from another copy of the class it extends.
    const out: unknown = new transports.Stream({ stream, eol: '' });
    this.#logger = createLogger({
      format: format.printf(({ message }) => String(message)),
      transports: [out as Transport],
      exitOnError: false,
    });
  }

  info(event: string, fields: LogFields = {}): void {
    this.#gathered += this.#line('info', event, fields);
    if (this.#gathered.length >= BATCH_CHARACTERS) this.flush();
    else
      this.#timer ??= setTimeout(() => {
        this.flush();
      }, BATCH_MS);
  }

  warn(event: string, fields: LogFields = {}): void {
    this.#atOnce('warn', event, fields);
  }

  error(event: string, fields: LogFields = {}): void {
    this.#atOnce('error', event, fields);
  }

  /** Writes the gathered lines. */
  flush(): void {
    clearTimeout(this.#timer);
    this.#timer = undefined;
    const gathered = this.#gathered;
    this.#gathered = '';
    if (gathered !== '') this.#write('info', gathered);
  }

  #atOnce(level: Level, event: string, fields: LogFields): void {
    this.flush();
    this.#write(level, this.#line(level, event, fields));
  }

  #write(level: Level, lines: string): void {
    const most = this.#dropped === 0 ? MOST_WAITING : MOST_WAITING / 2;
    if ((this.#stream.writableLength ?? 0) > most) {
      this.#dropped += lines.split('\n').length - 1;
      return;
    }
    const dropped = this.#dropped;
    this.#dropped = 0;
    if (dropped > 0) this.#onDropped?.(dropped);
    this.#logger.log(level, lines);
  }

  #line(level: Level, event: string, fields: LogFields): string {
    const now = this.#clock.now();
    // Thousands of lines within a second share a few times.
    if (now !== this.#now) this.#text = new Date(now).toISOString();
    this.#now = now;
    const time = this.#text;
    if (fields instanceof PlainFields)
      return `{"level":"${level}","time":"${time}","event":"${event}",${this.#place}${JSON.stringify(fields).slice(1)}\n`;
    const place = this.#worker === undefined ? {} : { worker: this.#worker };
    const line = { level, time, event, ...place, ...safe(fields) };
    const text = JSON.stringify(line);
    return `${redact(text.length > LONGEST_TEXT ? JSON.stringify(shortened(line)) : text)}\n`;
  }
}

/** Characters of one field: a longer answer quoted in an error adds no information, and delays every caller. */
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

/** Fields must not replace the three names of every line. */
function safe(fields: LogFields): LogFields {
  return Object.keys(fields).some((name) => own.has(name))
    ? Object.fromEntries(
        Object.entries(fields).map(([name, value]) => [own.has(name) ? `${name}_` : name, value]),
      )
    : fields;
}
