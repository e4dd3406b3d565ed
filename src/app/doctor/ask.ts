/**
 * HTTP for the checks, with Node's own client: unlike fetch it accepts an authority to trust, and no connection
 * outlives its request. Checks read status and headers only; a body could be of any size and is never received.
 */
import { request as plainRequest, type IncomingHttpHeaders } from 'node:http';
import { request as secureRequest } from 'node:https';

/** The beginning of an answer; its body is not read. */
export interface Answer {
  readonly status: number;
  readonly headers: IncomingHttpHeaders;
}

/** Sends a request without following redirects. Rejects with Node's error. `ca`: see `Situation`. */
export function ask(
  address: string,
  {
    ca,
    signal,
    method = 'GET',
  }: { readonly ca: string | undefined; readonly signal: AbortSignal; readonly method?: string },
): Promise<Answer> {
  const { promise, resolve, reject } = Promise.withResolvers<Answer>();
  const send = address.startsWith('https:') ? secureRequest : plainRequest;
  const asked = send(address, { method, signal, agent: false, ...(ca !== undefined && { ca }) });
  asked.on('error', reject);
  asked.on('response', (answer) => {
    resolve({ status: answer.statusCode ?? 0, headers: answer.headers });
    answer.destroy();
  });
  asked.end();
  return promise;
}

/** The network's code, such as `ECONNREFUSED`, says more than a message. */
export function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'unreachable';
  return 'code' in error && typeof error.code === 'string' ? error.code : error.message;
}
