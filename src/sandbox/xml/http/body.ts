import type { IncomingMessage } from 'node:http';
import { readBytes } from '../../http/body.ts';
import { Fault } from '../refusal.ts';

const MESSAGE_LIMIT = 1024 * 1024;
/** In bytes, for a file in base64. */
const UPLOAD_LIMIT = 48 * 1024 * 1024;

/** Reads the bytes, whatever their Content-Type. Throws `Fault` 413 or 415. */
export const readBody = (request: IncomingMessage, isUpload: boolean): Promise<Buffer> =>
  readBytes(
    request,
    isUpload ? UPLOAD_LIMIT : MESSAGE_LIMIT,
    (status, message) => new Fault(status, message),
  );
