import { z } from 'zod';
import { counted } from '../../../../lib/text/counted.ts';
import type { Settings } from '../../../../db/settings.ts';

/** The result of one reading, in numbers of messages. */
const readingSchema = z.object({
  /** The time of the reading. */
  at: z.number(),
  messages: z.number(),
  /** Messages that ended e-mail to an address. */
  stopped: z.number(),
  /** About messages of ours, but without consequence: a delay, a full mailbox, or already known. */
  ignored: z.number(),
  /** Bounces without proof that they concern a message of ours. */
  unproven: z.number(),
  /** Other messages, which are not bounces. */
  other: z.number(),
});
export type Reading = Readonly<z.infer<typeof readingSchema>>;

/** A reading as a sentence, which omits zeros. */
export const readingWords = ({ messages, stopped, ignored, unproven, other }: Reading): string =>
  `${counted(messages, 'message')}: ${[
    stopped > 0 && `${stopped} stopped e-mail to an address`,
    ignored > 0 && `${ignored} changed nothing (a delay, a full mailbox, a policy, or already known)`,
    unproven > 0 &&
      `${counted(unproven, 'bounce')} that ${unproven === 1 ? 'matches' : 'match'} no message of ours`,
    other > 0 && `${other} that ${other === 1 ? 'is not a bounce' : 'are not bounces'}`,
  ]
    .filter((part) => part !== false)
    .join(', ')}`;

const stateSchema = z.object({
  /** Its name: a position is valid only for this mailbox. */
  mailbox: z.string(),
  /** The last message read. */
  position: z.object({ validity: z.string(), uid: z.number() }).optional(),
  /** The last time that it was read completely. */
  readAt: z.number().optional(),
  /** The last reading that found messages. */
  reading: readingSchema.optional(),
  /** The fault that has prevented reading it since `readAt`. */
  error: z.object({ at: z.number(), since: z.number(), words: z.string() }).optional(),
});
/** The state of the mailbox; times in milliseconds since the epoch. */
export type MailboxState = Readonly<z.infer<typeof stateSchema>>;

const NAME = 'bounce-mailbox';

/** The state of the mailbox in the database, which all instances and the command line share. */
export class MailboxRecord {
  readonly #settings: Pick<Settings, 'get' | 'set'>;

  constructor(settings: Pick<Settings, 'get' | 'set'>) {
    this.#settings = settings;
  }

  /** The state of the mailbox of that name; empty if another one is stored. */
  async of(mailbox: string): Promise<MailboxState> {
    const stored = await this.#settings.get(NAME);
    const state = stored === undefined ? undefined : stateSchema.parse(JSON.parse(stored));
    return state?.mailbox === mailbox ? state : { mailbox };
  }

  store(state: MailboxState): Promise<void> {
    return this.#settings.set(NAME, JSON.stringify(state));
  }
}
