import type { XmlLimits } from './element.ts';

/** Enough for a legacy program's message, with a margin: the largest known record has some hundred elements. */
export const defaultLimits: XmlLimits = {
  depth: 64,
  elements: 20_000,
  attributes: 64,
  nameLength: 256,
  textLength: 1_048_576,
};

/** For methods that carry a document's content in one element. */
export const documentLimits: XmlLimits = { ...defaultLimits, textLength: 32 * 1_048_576 };

/** For whole lists, whose length in characters is limited by their readers: a client has some 35 elements. */
export const listLimits: XmlLimits = { ...documentLimits, elements: 1_000_000 };
