import type { RowSource } from './schema.ts';

/** V3's name of an attribute with an identifier: `task-id` becomes `task-uuid`. */
export const attributeName = (name: string): string => name.replace(/(?<=^|-)id$/, 'uuid');

/** Under which a row is found by one of its names. */
export const keyOf = ({ attribute }: RowSource, name: string): string =>
  `${attribute === true ? '@' : ''}${name.toLowerCase()}`;
