import { SMTPServer, type SMTPServerOptions } from 'smtp-server';
import { createServer, type AddressInfo, type Server, type Socket } from 'node:net';
import { Secret } from '../../../../src/lib/secret/secret.ts';
import { systemClock } from '../../../../src/lib/time/clock.ts';
import { SmtpLine } from '../../../../src/features/campaign/mail/line.ts';
import {
  usualPatience,
  type MailServer,
  type Patience,
} from '../../../../src/features/campaign/mail/mail-server.ts';
import { SmtpPostman } from '../../../../src/features/campaign/mail/postman.ts';
import { stationery } from './messages.ts';

/** How the mail server answers. */
export type Part =
  | { readonly at: 'never' }
  | { readonly at: 'mail' | 'recipient' | 'content'; readonly code: number; readonly words: string };

const refusal = (code: number, words: string): Error =>
  Object.assign(new Error(words), { responseCode: code });

/** A real mail server on a free port, which plays what it is told and counts what it got. */
export class PlayedServer implements AsyncDisposable {
  part: Part = { at: 'never' };
  readonly contents: string[] = [];
  connections = 0;
  readonly #smtp: SMTPServer;

  private constructor(options: SMTPServerOptions) {
    const answer = (at: Part['at']): Error | null =>
      this.part.at === at && this.part.at !== 'never' ? refusal(this.part.code, this.part.words) : null;
    this.#smtp = new SMTPServer({
      authOptional: true,
      disabledCommands: ['STARTTLS'],
      allowInsecureAuth: true,
      disableReverseLookup: true,
      logger: false,
      closeTimeout: 100,
      onConnect: (_session, done) => {
        this.connections += 1;
        done();
      },
      onAuth: ({ username, password }, _session, done) => {
        if (username === 'us' && password === 'pa:ss') done(null, { user: username });
        else done(refusal(535, '5.7.8 wrong password for us'));
      },
      onMailFrom: (_address, _session, done) => {
        done(answer('mail'));
      },
      onRcptTo: (_address, _session, done) => {
        done(answer('recipient'));
      },
      onData: (stream, _session, done) => {
        let content = '';
        stream.on('data', (chunk: Buffer) => {
          content += chunk.toString('latin1');
        });
        stream.on('end', () => {
          const refused = answer('content');
          if (refused === null) this.contents.push(content);
          done(refused);
        });
      },
      ...options,
    });
  }

  static async start(options: SMTPServerOptions = {}): Promise<PlayedServer> {
    const played = new PlayedServer(options);
    await listening(played.#smtp.server);
    return played;
  }

  get server(): MailServer {
    return serverAt(this.#smtp.server);
  }

  /** Ends every connection, as a server does when it is started again. */
  hangUp(): void {
    for (const connection of this.#smtp.connections) connection.close();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => {
      this.#smtp.close(resolve);
    });
  }
}

export const serverAt = (server: Server): MailServer => ({
  host: '127.0.0.1',
  port: (server.address() as AddressInfo).port,
  tls: 'offered',
  login: undefined,
});

export const listening = (server: Server): Promise<void> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });

export const GREETING = '220 hello\r\n';

interface RudeOptions {
  readonly greeting?: string;
  /** Called for each connection. */
  readonly connected?: () => void;
}

/** A mail server of a few lines, for what a proper one does not do: `heard` may answer, hang up, or say nothing. */
export class RudeServer implements AsyncDisposable {
  readonly #server: Server;
  readonly #sockets = new Set<Socket>();

  private constructor(
    heard: (line: string, socket: Socket) => void,
    { greeting = GREETING, connected }: RudeOptions,
  ) {
    this.#server = createServer((socket) => {
      this.#sockets.add(socket);
      connected?.();
      socket.on('error', () => undefined);
      socket.write(greeting);
      let rest = '';
      socket.on('data', (chunk: Buffer) => {
        const lines = (rest + chunk.toString('latin1')).split('\r\n');
        rest = lines.pop() ?? '';
        for (const line of lines) heard(line, socket);
      });
    });
  }

  static async start(
    heard: (line: string, socket: Socket) => void,
    options: RudeOptions = {},
  ): Promise<RudeServer> {
    const rude = new RudeServer(heard, options);
    await listening(rude.#server);
    return rude;
  }

  get server(): MailServer {
    return serverAt(this.#server);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const socket of this.#sockets) socket.destroy();
    await new Promise((resolve) => this.#server.close(resolve));
  }
}

/** Answers everything as a server should, up to the content; `last` hears the single dot at its end. */
export const untilDot =
  (last: (socket: Socket) => void) =>
  (line: string, socket: Socket): void => {
    if (line === '.') last(socket);
    else if (/^(EHLO|MAIL|RCPT|RSET)/.test(line)) socket.write('250 fine\r\n');
    else if (line === 'DATA') socket.write('354 go on\r\n');
    else if (line === 'QUIT') socket.end('221 bye\r\n');
  };

export const postmanFor = (server: MailServer, patience: Partial<Patience> = {}): SmtpPostman =>
  new SmtpPostman({
    line: new SmtpLine(server, { ...usualPatience, ...patience }),
    stationery,
    clock: systemClock,
  });

export const login = (password: string): MailServer['login'] => ({
  user: 'us',
  password: new Secret(password),
});
