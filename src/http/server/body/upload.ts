import type { Request } from 'express';
import { Failure } from '../../../lib/failure.ts';
import { readFormData } from '../../../lib/form-data.ts';
import { RequestBody, type Pace } from './body.ts';

/** A posted form with a file. */
export interface Upload {
  readonly form: URLSearchParams;
  /** Empty if no file was chosen. */
  readonly file: Buffer;
}

/**
 * The fields and the file of one of the bridge's forms (`multipart/form-data`, RFC 7578), at most `longest` bytes in
 * all. Returns undefined for a body that is too long, too slow, of another type or malformed. The file's name is not
 * used.
 */
export async function readUpload(
  request: Request,
  longest: number,
  pace?: Pace,
): Promise<Upload | undefined> {
  if (request.headers['content-encoding'] !== undefined) return undefined;
  const invite = (): void => {
    if (/^100-continue$/i.test(request.headers.expect ?? '')) request.res?.writeContinue();
  };
  try {
    const body = await new RequestBody(request, invite, pace).read(longest);
    const parts = await readFormData(body, request.headers['content-type'] ?? '');
    if (parts === undefined) return undefined;
    const form = new URLSearchParams(parts.fields.map(([name, value]): [string, string] => [name, value]));
    return { form, file: parts.file?.content ?? Buffer.alloc(0) };
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}
