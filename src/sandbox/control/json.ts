import type { Request, Response } from 'express';
import type { z } from 'zod';

export interface FieldError {
  /** `organisations[0].accountKey`; '' for the body itself. */
  readonly field: string;
  readonly message: string;
}

/** A refused control plane request; nothing was changed. */
export class ControlRefusal extends Error {
  readonly status: 400 | 404 | 409;
  readonly fields: readonly FieldError[];

  constructor(status: 400 | 404 | 409, message: string, fields: readonly FieldError[] = []) {
    super(message);
    this.name = 'ControlRefusal';
    this.status = status;
    this.fields = fields;
  }
}

/** The body as JSON, whatever its Content-Type says; an empty one is an empty object. Throws `ControlRefusal`. */
export function readJson(request: Request): unknown {
  const body: unknown = request.body;
  const text = Buffer.isBuffer(body) ? body.toString('utf8').trim() : '';
  if (text === '') return {};
  try {
    return JSON.parse(text) as unknown;
  } catch {
    throw new ControlRefusal(400, 'The body is not JSON.');
  }
}

/** Throws one `ControlRefusal` that lists every invalid field. */
export function check<Schema extends z.ZodType>(schema: Schema, value: unknown): z.output<Schema> {
  const result = schema.safeParse(value);
  if (result.success) return result.data;
  throw new ControlRefusal(400, 'The request has field errors.', fieldErrors(result.error));
}

/** The errors that zod found, by field. `prefix`: the path of the checked value within the body. */
export function fieldErrors(error: z.ZodError, prefix: readonly PropertyKey[] = []): readonly FieldError[] {
  return error.issues.map((issue) => ({
    field: fieldName([...prefix, ...issue.path]),
    message: issue.message,
  }));
}

/** `organisations[0].accountKey` of `['organisations', 0, 'accountKey']`. */
export function fieldName(path: readonly PropertyKey[]): string {
  return path
    .map((part, index) =>
      typeof part === 'number' ? `[${String(part)}]` : `${index === 0 ? '' : '.'}${String(part)}`,
    )
    .join('');
}

/** Sends a refusal in the control plane's format: a code, a message and the invalid fields. */
export function sendRefusal(response: Response, refusal: ControlRefusal): void {
  const { status, message, fields } = refusal;
  const code = status === 404 ? 'not_found' : status === 409 ? 'conflict' : 'bad_request';
  response.status(status).json({ error: { code, message, details: fields } });
}
