import type { IncomingMessage } from 'node:http';
import { z } from 'zod';
import { readFormData, type FormFile } from '../../../lib/form-data.ts';
import { readBytes } from '../../http/body.ts';
import { fieldName } from '../../control/json.ts';
import { badRequest, fieldErrors, JsonRefusal } from '../operation/refusal.ts';

const MESSAGE_LIMIT = 4 * 1024 * 1024;
const UPLOAD_LIMIT = 48 * 1024 * 1024;

export interface Received {
  /** Parsed JSON, or the fields of a form; undefined for an empty body. */
  readonly value: unknown;
  readonly upload: FormFile | undefined;
}

/** Throws `JsonRefusal` 400, 413 or 415. */
export async function receive(request: IncomingMessage, isUpload: boolean): Promise<Received> {
  const refuse = (status: 413 | 415, message: string) => new JsonRefusal(status, `${message}.`);
  const bytes = await readBytes(request, isUpload ? UPLOAD_LIMIT : MESSAGE_LIMIT, refuse);
  const contentType = request.headers['content-type'] ?? '';
  if (!/^multipart\//i.test(contentType)) return { value: readJson(bytes), upload: undefined };
  if (!isUpload) throw new JsonRefusal(415, 'This operation takes JSON.');
  const form = await readFormData(bytes, contentType);
  if (form === undefined) throw badRequest('The form is malformed or cut off.');
  return { value: Object.fromEntries(form.fields), upload: form.file && withPlainName(form.file) };
}

/** Browsers write a quotation mark in a file name as `%22` (HTML, multipart/form-data encoding algorithm). */
const withPlainName = (file: FormFile): FormFile => ({ ...file, name: file.name.replaceAll('%22', '"') });

function readJson(bytes: Buffer): unknown {
  const text = bytes.toString('utf8').trim();
  if (text === '') return undefined;
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw badRequest('The body is not JSON.');
  }
}

/**
 * Validates the body against the operation's schema. Keys are compared without case (`clientUuid` and
 * `clientUUID` both occur), unknown ones are ignored. Throws `JsonRefusal`: 400 if it is not an object, 422
 * with every field that is wrong.
 */
export function checked(schema: z.ZodType, value: unknown): unknown {
  const given = value ?? {};
  if (typeof given !== 'object' || Array.isArray(given)) throw badRequest('The body must be an object.');
  const result = schema.safeParse(renamed(schema, given), {
    error: ({ code, input }) => (code === 'invalid_type' && input === undefined ? REQUIRED : undefined),
  });
  if (result.success) return result.data;
  throw fieldErrors(
    result.error.issues.map(({ path, message }) => {
      const field = fieldName(path);
      return { field, message: message === REQUIRED ? `${field} is required` : message };
    }),
  );
}

const REQUIRED = 'is required';

/** Returns the same value with its keys spelled as in the schema. */
function renamed(schema: z.ZodType, value: unknown): unknown {
  const inner = unwrapped(schema);
  if (inner instanceof z.ZodArray && Array.isArray(value))
    return value.map((item) => renamed(inner.element as z.ZodType, item));
  if (!(inner instanceof z.ZodObject) || typeof value !== 'object' || value === null || Array.isArray(value))
    return value;
  const shape = inner.shape as Readonly<Record<string, z.ZodType>>;
  const names = new Map(Object.keys(shape).map((name) => [name.toLowerCase(), name]));
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, item]) => {
      const name = names.get(key.toLowerCase());
      const known = name === undefined ? undefined : shape[name];
      return name === undefined || known === undefined ? [] : [[name, renamed(known, item)]];
    }),
  );
}

function unwrapped(schema: z.ZodType): z.ZodType {
  if (schema instanceof z.ZodOptional || schema instanceof z.ZodNullable)
    return unwrapped(schema.unwrap() as z.ZodType);
  return schema;
}
