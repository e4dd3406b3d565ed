import type { IncomingMessage, ServerResponse } from 'node:http';

/**
 * Node refuses contradictory lengths itself, but reads chunks inside any other coding: `gzip, chunked` would
 * be taken for a plain message. False: the end of the message is ambiguous, and nothing more is read from the
 * connection.
 */
export function isPlainlyFramed(
  { headers: { 'transfer-encoding': coding } }: IncomingMessage,
  response: ServerResponse,
): boolean {
  const sound = coding === undefined || coding.toLowerCase() === 'chunked';
  if (!sound) endWith(response);
  return sound;
}

/**
 * Value of `Connection` for a reply that ends the connection: requests pipelined after it are not carried
 * out.
 */
export const CLOSE = 'close';

/** Ends the connection with this reply; `HttpServer` carries out nothing that follows its request. */
export function endWith(response: ServerResponse): void {
  response.setHeader('Connection', CLOSE);
}
