import { once } from 'node:events';

/** A file in a form (RFC 7578), with the name that the browser sent. */
export interface FormFile {
  /** As sent, or empty; never a path to write to. */
  readonly name: string;
  readonly contentType: string;
  readonly content: Buffer;
}

/** A form sent as `multipart/form-data`, held in memory. */
export interface FormData {
  /** In the order of the body; a name may occur more than once. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** The last part with a file name. */
  readonly file: FormFile | undefined;
}

/** All of the bridge's forms have a few fields and at most one file. */
const LIMITS = { parts: 20, headerPairs: 20, headerSize: 4_096, fieldNameSize: 60 };

/**
 * Reads a `multipart/form-data` body (RFC 7578) that is already in memory, which limits its length. Returns undefined
 * if it is malformed, truncated, of another type, or has more than twenty parts.
 */
export async function readFormData(body: Buffer, contentType: string): Promise<FormData | undefined> {
  if (!/^multipart\/form-data\s*;/i.test(contentType)) return undefined;
  try {
    return await parsed(body, contentType);
  } catch {
    // Every error of the parser means a malformed body, because it reads nothing but these bytes.
    return undefined;
  }
}

async function parsed(body: Buffer, contentType: string): Promise<FormData> {
  const { Busboy } = await import('@fastify/busboy');
  const parser = new Busboy({
    headers: { 'content-type': contentType },
    preservePath: true,
    isPartAFile: (_name, _type, fileName) => fileName !== undefined,
    limits: { ...LIMITS, fieldSize: body.length },
  });
  const fields: [string, string][] = [];
  const files: FormFile[] = [];
  const rejection = new AbortController();
  const reject = (): void => {
    rejection.abort();
  };
  parser.on('partsLimit', reject);
  parser.on('field', (name: string | undefined, value) => {
    if (name === undefined) reject();
    else fields.push([name, value]);
  });
  parser.on('file', (name: string | undefined, stream, fileName, _encoding, type) => {
    if (name === undefined) reject();
    const pieces: Buffer[] = [];
    // A body that ends within the file also emits an error on the parser, which is the one handled.
    stream.on('error', reject);
    stream.on('data', (piece: Buffer) => pieces.push(piece));
    stream.on('end', () => {
      files.push({ name: fileName, contentType: type, content: Buffer.concat(pieces) });
    });
  });
  const finished = once(parser, 'finish', { signal: rejection.signal });
  parser.end(body);
  await finished;
  return { fields, file: files.at(-1) };
}
