import { Agent, request } from 'node:http';
import { parentPort } from 'node:worker_threads';

/** A legacy program in a thread of its own: one call after the other. */

export interface Asked {
  readonly verb: string;
  readonly target: string;
  readonly body?: string;
  readonly utf16?: boolean;
  /** Sent to a bridge that serves everything from V2. */
  readonly v2?: boolean;
}

const agent = new Agent({ keepAlive: true });

parentPort?.on('message', ({ port, verb, target, body, utf16 }: Asked & { readonly port: number }) => {
  const bytes = Buffer.from(body ?? '', utf16 === true ? 'utf16le' : 'utf8');
  const headers = body === undefined ? {} : { 'Content-Type': 'text/xml', 'Content-Length': bytes.length };
  const call = request(
    { agent, port, host: '127.0.0.1', method: verb, path: target, headers },
    (response) => {
      let size = 0;
      response.on('data', (chunk: Buffer) => (size += chunk.length));
      response.once('close', () => parentPort?.postMessage({ status: response.statusCode, bytes: size }));
    },
  );
  call.on('error', (error) => parentPort?.postMessage({ status: error.message, bytes: 0 }));
  call.end(bytes);
});
parentPort?.postMessage('ready');
