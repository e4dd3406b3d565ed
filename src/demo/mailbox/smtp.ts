import { SMTPServer, type SMTPServerSession } from 'smtp-server';
import type { Envelope } from './message.ts';
import type { Inbox } from './inbox.ts';

const MOST_BYTES = 5_000_000;

/** A refusal by the mail server: its code, and the text after it. */
class Refused extends Error {
  readonly responseCode: number;

  constructor(responseCode: number, words: string) {
    super(words);
    this.name = 'Refused';
    this.responseCode = responseCode;
  }
}

/** Local parts that refuse, to show how the bridge handles a refusal. */
const actors: ReadonlyMap<string, Refused> = new Map([
  ['bounce', new Refused(550, '5.1.1 There is nobody by this name here')],
  ['later', new Refused(451, '4.2.1 Come back later')],
]);

/** `bounce@…` and `bounce+anything@…` cause the refusal of that name. */
const refusalOf = (address: string): Refused | undefined =>
  actors.get((address.split('@')[0] ?? '').split('+')[0]?.toLowerCase() ?? '');

/** A mail server that delivers everything to the inbox, for any recipient. */
export function mailServer(inbox: Inbox): SMTPServer {
  return new SMTPServer({
    name: 'mailbox.localhost',
    banner: 'nothing leaves this computer',
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    authOptional: true,
    logger: false,
    size: MOST_BYTES,
    maxClients: 20,
    socketTimeout: 60_000,
    closeTimeout: 1_000,
    onRcptTo({ address }, _session, done) {
      done(refusalOf(address));
    },
    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        // A message that is too long is read to its end but not kept.
        if (!stream.sizeExceeded) chunks.push(chunk);
      });
      stream.once('error', done);
      stream.once('end', () => {
        if (stream.sizeExceeded) {
          done(new Refused(552, `5.3.4 A message may have at most ${MOST_BYTES} bytes`));
          return;
        }
        inbox.take(envelopeOf(session), Buffer.concat(chunks)).then(
          ({ id }) => {
            done(null, `2.0.0 Caught as ${id}`);
          },
          () => {
            done(new Refused(554, '5.6.0 The message cannot be read'));
          },
        );
      });
    },
  });
}

const envelopeOf = ({ envelope: { mailFrom, rcptTo } }: SMTPServerSession): Envelope => ({
  from: mailFrom === false ? '' : mailFrom.address,
  to: rcptTo.map(({ address }) => address),
});
