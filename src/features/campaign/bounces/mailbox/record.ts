import { z } from 'zod';
import { counted } from '../../../../lib/text/counted.ts';
import type { Settings } from '../../../../db/settings.ts';

/** What one reading found, in messages. */
const readingSchema = z.object({
  /** When. */
  at: z.number(),
  messages: z.number(),
  /** After which no e-mail goes to an address. */
  stopped: z.number(),
  /** Of ours, and nothing follows: a delay, a full mailbox, or known already. */
  ignored: z.number(),
  /** Bounces that do not show that they are about a message of ours. */
  unproven: z.number(),
  /** No bounces. */
  other: z.number(),
});
export type Reading = Readonly<z.infer<typeof readingSchema>>;

/** A reading as a sentence, of what there was. */
export const readingWords = ({ messages, stopped, ignored, unproven, other }: Reading): string =>
  `${counted(messages, 'message')}: ${[
    stopped > 0 && `${stopped} ended e-mail to an address`,
    ignored > 0 && `${ignored} changed nothing (a delay, a full mailbox, a policy, or known already)`,
    unproven > 0 &&
      `${counted(unproven, 'bounce')} that ${unproven === 1 ? 'shows' : 'show'} no message of ours`,
    other > 0 && `${other} that ${other === 1 ? 'is no bounce' : 'are no bounces'}`,
  ]
    .filter((part) => part !== false)
    .join(', ')}`;

const stateSchema = z.object({
  /** Its name: a position counts for this one alone. */
  mailbox: z.string(),
  /** The last message that was read. */
  position: z.object({ validity: z.string(), uid: z.number() }).optional(),
  /** The last time that it could be read to the end. */
  readAt: z.number().optional(),
  /** The last time that there was something to read. */
  reading: readingSchema.optional(),
  /** Since `readAt` it could not be read. */
  error: z.object({ at: z.number(), since: z.number(), words: z.string() }).optional(),
});
/** What is known of the mailbox; times in milliseconds since the epoch. */
export type MailboxState = Readonly<z.infer<typeof stateSchema>>;

const NAME = 'bounce-mailbox';

/** The state of the mailbox in the database, which all instances and the command line share. */
export class MailboxRecord {
  readonly #settings: Pick<Settings, 'get' | 'set'>;

  constructor(settings: Pick<Settings, 'get' | 'set'>) {
    this.#settings = settings;
  }

  /** Of the mailbox of that name; of another one nothing is known. */
  async of(mailbox: string): Promise<MailboxState> {
    const stored = await this.#settings.get(NAME);
    const state = stored === undefined ? undefined : stateSchema.parse(JSON.parse(stored));
    return state?.mailbox === mailbox ? state : { mailbox };
  }

  store(state: MailboxState): Promise<void> {
    return this.#settings.set(NAME, JSON.stringify(state));
  }
}
