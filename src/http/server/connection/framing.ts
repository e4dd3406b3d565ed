import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Node refuses contradictory lengths itself, and reads chunks in whatever they are packed: `gzip, chunked` would be taken
 * for a plain message. False: the end of the message is guesswork, and nothing more is taken from the connection.
 */
export function isPlainlyFramed(
  { headers: { 'transfer-encoding': coding } }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const sound = coding === undefined || coding.toLowerCase() === 'chunked';
  if (!sound) endWith(response);
  return sound;
}

/** Value of `Connection` where a reply ends the connection: requests pipelined behind it are not carried out. */
export const CLOSE = 'close';

/** The connection ends with this reply; `HttpServer` carries out nothing that stands behind its request. */
export function endWith(response: ServerResponse): void {
  response.setHeader('Connection', CLOSE);
}
