import type { Request } from 'express';
import { Failure } from '../../lib/failure.ts';
import { RequestBody, type Pace } from './body.ts';

/** A posted form with a file in it. */
export interface Upload {
  readonly form: URLSearchParams;
  /** Empty where none was chosen. */
  readonly file: Buffer;
}

/** Ours have a few fields and one file. */
const MOST_PARTS = 20;
const LONGEST_HEAD = 1_024;
const HEAD_END = Buffer.from('\r\n\r\n');

/**
 * The fields and the file of a form of ours (`multipart/form-data`, RFC 7578); undefined for a body that is none: too
 * long, too slow, of another type, or not ended as it began. The name of a file is data nobody needs.
 */
export async function readUpload(
  request: Request,
  longest: number,
  pace?: Pace,
): Promise<Upload | undefined> {
  const boundary = boundaryIn(request.headers['content-type'] ?? '');
  if (boundary === undefined || request.headers['content-encoding'] !== undefined) return undefined;
  const invite = (): void => {
    if (/^100-continue$/i.test(request.headers.expect ?? '')) request.res?.writeContinue();
  };
  try {
    return parted(await new RequestBody(request, invite, pace).read(longest), boundary);
  } catch (error) {
    if (error instanceof Failure) return undefined;
    throw error;
  }
}

function boundaryIn(type: string): string | undefined {
  const [, quoted, bare] =
    /^multipart\/form-data\s*;\s*boundary=(?:"([\w'()+,./:=? -]{1,70})"|([\w'+./:=-]{1,70}))\s*$/i.exec(
      type,
    ) ?? [];
  return quoted ?? bare;
}

function parted(body: Buffer, boundary: string): Upload | undefined {
  const opening = Buffer.from(`--${boundary}`);
  const separator = Buffer.from(`\r\n--${boundary}`);
  if (!body.subarray(0, opening.length).equals(opening)) return undefined;
  const form = new URLSearchParams();
  let file = Buffer.alloc(0);
  let at = opening.length;
  for (let parts = 0; parts <= MOST_PARTS; parts += 1) {
    const mark = body.toString('latin1', at, at + 2);
    if (mark === '--') return { form, file };
    const end = body.indexOf(separator, at);
    const part = mark === '\r\n' && end >= 0 ? partIn(body.subarray(at + 2, end)) : undefined;
    if (part === undefined) return undefined;
    if (part.isFile) file = Buffer.from(part.content);
    else form.append(part.name, part.content.toString('utf8'));
    at = end + separator.length;
  }
  return undefined;
}

interface Part {
  readonly name: string;
  readonly isFile: boolean;
  readonly content: Buffer;
}

function partIn(bytes: Buffer): Part | undefined {
  const end = bytes.subarray(0, LONGEST_HEAD).indexOf(HEAD_END);
  if (end < 0) return undefined;
  const head = bytes.toString('utf8', 0, end);
  const line = head.split('\r\n').find((one) => /^content-disposition:/i.test(one)) ?? '';
  const [, name] = /^content-disposition:\s*form-data\s*;\s*name="([\w-]{1,60})"/i.exec(line) ?? [];
  if (name === undefined) return undefined;
  const isFile = /;\s*filename\*?=/i.test(line);
  return { name, isFile, content: bytes.subarray(end + HEAD_END.length) };
}
