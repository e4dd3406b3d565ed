import { connect } from 'node:net';

export interface RawReply {
  readonly status: number;
  readonly head: string;
  readonly body: string;
}

/**
 * Bytes on a bare connection, as no HTTP library would send them; the reply to the first request, or undefined when the
 * connection died without one. `Connection: close` is the caller's affair.
 */
export function sendRaw(port: number, bytes: string | Buffer, seconds = 60): Promise<RawReply | undefined> {
  const { promise, resolve, reject } = Promise.withResolvers<RawReply | undefined>();
  const chunks: Buffer[] = [];
  const socket = connect({ port, host: '127.0.0.1' });
  const limit = setTimeout(() => {
    socket.destroy();
    reject(new Error('no reply in time'));
  }, seconds * 1_000);
  socket.on('data', (chunk) => chunks.push(chunk));
  // A refused message may end in a reset once the reply is out.
  socket.on('error', () => undefined);
  socket.on('close', () => {
    clearTimeout(limit);
    resolve(replyIn(Buffer.concat(chunks).toString('utf8')));
  });
  // No half-close: that is how a caller says that he is gone.
  socket.write(bytes);
  return promise;
}

function replyIn(text: string): RawReply | undefined {
  const status = /^HTTP\/1\.1 (\d{3})/.exec(text)?.[1];
  const end = text.indexOf('\r\n\r\n');
  if (status === undefined || end < 0) return undefined;
  return { status: Number(status), head: text.slice(0, end), body: text.slice(end + 4) };
}
