import { expect, it } from '@jest/globals';
import { readQuery } from '../../src/proxy/call/read-call.ts';

it.each([
  ['Zo%C3%AB+%F0%9F%8D%9E', 'Zoë 🍞'],
  ['caf%E9', 'café'],
  ['100%', '100%'],
  // As JavaScript's escape writes them.
  ['caf%E9%u2019s+%uD83C%uDF5E', 'café’s 🍞'],
  ['%uD83C+%u12', '\uFFFD %u12'],
])('a query of %s is read as %s', (written, text) => {
  expect(readQuery(`query=${written}`).query).toEqual([['query', text]]);
});
