import { Readable } from 'node:stream';
import { Failure } from '../../lib/failure.ts';
import type { UpstreamAnswer } from '../../upstream/model.ts';
import { discard } from '../../upstream/transport/outcome.ts';
import { statusOf } from '../identifiers/reading.ts';

/** Elements that only one reader understands may be lost on the way to old programs. */
export async function checkReaders(
  read: () => Promise<UpstreamAnswer>,
  disagreement: (reply: Buffer) => string | undefined,
): Promise<{ readonly result: 'passed' | 'failed' | 'skipped'; readonly detail: string }> {
  try {
    const answer = await read();
    if (answer.status !== 200) {
      discard(answer);
      return { result: 'failed', detail: `V3 answers with status ${answer.status}` };
    }
    const sample = await sampleOf(answer.body);
    if (sample === undefined)
      return { result: 'skipped', detail: 'the reply of V3 is too large for a sample' };
    // What neither can read, such as a gateway's page, shows nothing of how they read.
    if ((await statusOf({ ...answer, body: Readable.from([sample]) })) !== 'ok')
      return { result: 'failed', detail: 'V3 answers, but its reply is an error or cannot be read' };
    const found = disagreement(sample);
    return found === undefined
      ? { result: 'passed', detail: 'two independent parsers read V3’s reply the same way' }
      : { result: 'failed', detail: `two independent parsers read V3's reply differently at ${found}` };
  } catch (error) {
    if (error instanceof Failure) return { result: 'failed', detail: `V3 does not answer: ${error.text}` };
    throw error;
  }
}

const MOST_OF_A_SAMPLE = 1_048_576;

/** Undefined if it is larger than a sample may be. */
async function sampleOf(body: AsyncIterable<Buffer>): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    if (bytes > MOST_OF_A_SAMPLE) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
