import { z } from 'zod';
import { shape, type Shape } from './operation.ts';
import { id, times, timesOf } from './values.ts';

/** One value of an answer: its name and form in the OpenAPI document, and where it comes from. */
export interface Field<T> {
  readonly name: string;
  readonly schema: z.ZodType;
  /** `at`: the place among its like, from 0. */
  readonly value: (of: T, at: number) => unknown;
}

export type Fields<T> = readonly Field<T>[];

export type View = Readonly<Record<string, unknown>>;

/** One value; its form checks what gives it. */
export const field = <T, Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: (of: T, at: number) => z.infer<Schema>,
): Field<T> => ({ name, schema, value });

/** The same in every answer. */
export const always = <Schema extends z.ZodType>(
  name: string,
  schema: Schema,
  value: z.infer<Schema>,
): Field<unknown> => ({ name, schema, value: () => value });

/** A list of records. */
export const each = <T, N>(name: string, fields: Fields<N>, value: (of: T) => readonly N[]): Field<T> => ({
  name,
  schema: z.array(objectOf(fields)),
  value: (of) => value(of).map(viewOf(fields)),
});

/** A record within; null where there is none. */
export const nested = <T, N>(name: string, fields: Fields<N>, value: (of: T) => N | undefined): Field<T> => ({
  name,
  schema: objectOf(fields).nullable(),
  value: (of) => {
    const inner = value(of);
    return inner === undefined ? null : viewOf(fields)(inner, 0);
  },
});

export const uuid: Field<{ readonly uuid: string }> = field('uuid', id, (of) => of.uuid);

interface Timed {
  readonly createdAt: number;
  readonly modifiedAt: number;
}

export const createdAt: Field<Timed> = field('createdAt', times.createdAt, (of) => timesOf(of).createdAt);
export const updatedAt: Field<Timed> = field('updatedAt', times.updatedAt, (of) => timesOf(of).updatedAt);

/** The form of a record of these values, and no others. */
export const objectOf = <T>(fields: Fields<T>): z.ZodObject =>
  z.strictObject(Object.fromEntries(fields.map(({ name, schema }) => [name, schema])));

/** The record itself. */
export const viewOf =
  <T>(fields: Fields<T>) =>
  (of: T, at: number): View =>
    Object.fromEntries(fields.map(({ name, value }) => [name, value(of, at)]));

/** A form of the answers with what makes it. */
export interface Answer<T> extends Shape<View> {
  readonly view: (of: T) => View;
}

/** A named form of the answers. */
export const answer = <T>(name: string, fields: Fields<T>): Answer<T> => ({
  ...shape<z.ZodType<View>>(name, objectOf(fields)),
  view: (of) => viewOf(fields)(of, 0),
});
