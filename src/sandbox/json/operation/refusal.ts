import type { FieldError } from '../../control/json.ts';

export type RefusalStatus = 400 | 403 | 404 | 405 | 409 | 413 | 415 | 422 | 500;

/** A refused call; nothing was changed. */
export class JsonRefusal extends Error {
  readonly status: RefusalStatus;
  readonly fields: readonly FieldError[];
  /** For 405: the methods that the path supports. */
  readonly allow: readonly string[];

  constructor(
    status: RefusalStatus,
    message: string,
    {
      fields = [],
      allow = [],
    }: { readonly fields?: readonly FieldError[]; readonly allow?: readonly string[] } = {},
  ) {
    super(message);
    this.name = 'JsonRefusal';
    this.status = status;
    this.fields = fields;
    this.allow = allow;
  }
}

/** 404. */
export const notFound = (what = 'record'): JsonRefusal => new JsonRefusal(404, `There is no such ${what}.`);

/** 400: the request cannot be read, or a parameter is wrong. */
export const badRequest = (message: string, fields: readonly FieldError[] = []): JsonRefusal =>
  new JsonRefusal(400, message, { fields });

/** 409: another record has this value in the field. */
export const conflict = (field: string, message: string): JsonRefusal =>
  new JsonRefusal(409, message, { fields: [{ field, message }] });

/** 422 with every field that is wrong. */
export const fieldErrors = (fields: readonly FieldError[]): JsonRefusal =>
  new JsonRefusal(422, 'The request has field errors.', { fields });

/** 422 for one field. */
export const invalid = (field: string, message: string): JsonRefusal => fieldErrors([{ field, message }]);
