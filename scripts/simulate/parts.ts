import { limitPart } from './limit/part.ts';
import type { Part } from './part.ts';
import { refreshPart } from './refresh/part.ts';
import { scalePart } from './scale/part.ts';
import { writesPart } from './writes/part.ts';

/** The parts of `npm run simulate`, in this order. */
export const parts: Readonly<Record<string, Part>> = {
  refresh: refreshPart,
  limit: limitPart,
  writes: writesPart,
  scale: scalePart,
};
