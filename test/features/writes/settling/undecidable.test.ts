import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from '@jest/globals';
import { deliveredMapping } from '../../../support/mapping.ts';

const page = readFileSync(
  join(import.meta.dirname, '..', '..', '..', '..', 'docs', 'support', 'writes.md'),
  'utf8',
);
const table = /### Methods whose effect no read shows\n([\s\S]*?)\n## /.exec(page)?.[1] ?? '';

it('the list for program owners contains exactly the methods whose effect no read shows', () => {
  const told = table
    .split('\n')
    .flatMap((row) => Array.from(row.split('|')[1]?.matchAll(/`([^`]+)`/g) ?? []));
  const none = deliveredMapping().methods.filter(({ settle }) => settle?.way === 'none');
  expect(told.map(([, method]) => method).toSorted()).toEqual(none.map(({ id }) => id).toSorted());
});
