import { parentPort } from 'node:worker_threads';
import { disagreement } from './second-reader.ts';

/** The thread of `SecondReader`: handles one reply after the other. */
parentPort?.on('message', (reply: string) => {
  parentPort?.postMessage(disagreement(Buffer.from(reply)) ?? '');
});
