import type SMTPConnection from 'nodemailer/lib/smtp-connection';
import { usualPatience, type MailServer, type Patience } from './mail-server.ts';

/** A connection that has completed greeting and sign-in. Rejects with nodemailer's error, or the signal's reason. */
export async function connect(
  server: MailServer,
  patience: Patience,
  signal?: AbortSignal,
): Promise<SMTPConnection> {
  const library = await import('nodemailer/lib/smtp-connection');
  const connection = new library.default({
    host: server.host,
    port: server.port,
    secure: server.tls === 'always',
    requireTLS: server.tls === 'needed',
    connectionTimeout: patience.connect,
    dnsTimeout: patience.connect,
    greetingTimeout: patience.connect,
    socketTimeout: patience.answer,
    maxResponseSize: 64 * 1024,
    logger: false,
  });
  const { promise: late, reject } = Promise.withResolvers<never>();
  const end = setTimeout(() => {
    reject(new Error(`not signed in within ${patience.whole / 1_000} s`));
  }, patience.whole);
  const leave = (): void => {
    reject(signal?.reason);
  };
  signal?.addEventListener('abort', leave);
  try {
    signal?.throwIfAborted();
    await Promise.race([late, introduced(connection, server)]);
    return connection;
  } catch (error) {
    connection.close();
    throw error;
  } finally {
    clearTimeout(end);
    signal?.removeEventListener('abort', leave);
  }
}

async function introduced(connection: SMTPConnection, { login }: MailServer): Promise<void> {
  await greeted(connection);
  if (login !== undefined) await signedIn(connection, login);
}

function greeted(connection: SMTPConnection): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  // Stays registered: a connection that fails while idle must not end the process.
  connection.on('error', reject);
  connection.connect((error) => {
    if (error) reject(error);
    else resolve(undefined);
  });
  return promise;
}

function signedIn(
  connection: SMTPConnection,
  { user, password }: NonNullable<MailServer['login']>,
): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<undefined>();
  // A connection that is cut here reports only an error.
  connection.once('error', reject);
  connection.once('end', () => {
    reject(new Error('the connection was closed while signing in'));
  });
  connection.login({ user, pass: password.reveal() }, (error) => {
    if (error) reject(error);
    else resolve(undefined);
  });
  return promise;
}

/** Connects to the mail server and describes it for the operator; `wordsOf` describes a rejection. */
export async function askMailServer(server: MailServer, patience = usualPatience): Promise<string> {
  const connection = await connect(server, patience);
  const words = [
    connection.secure ? 'answers over TLS' : 'answers, without TLS',
    ...(server.login === undefined ? [] : ['accepts the user name and password']),
  ];
  connection.quit();
  return words.join(', ');
}
