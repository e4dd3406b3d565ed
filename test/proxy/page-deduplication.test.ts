import { describe, expect, it } from '@jest/globals';
import { PageDeduplication } from '../../src/proxy/forward/page-deduplication.ts';

interface Row {
  readonly id?: string;
  readonly name: string;
}

const row = (name: string, id?: string): Row => ({ name, ...(id !== undefined && { id }) });
const names = (rows: readonly Row[] | undefined): string | undefined =>
  rows?.map(({ name }) => name).join('');
const walk = (): PageDeduplication<Row> => new PageDeduplication<Row>(({ id }) => id);

describe('the records of a paged list', () => {
  it('are returned once even if an earlier record moves them onto the next page', () => {
    const deduplication = walk();
    expect(names(deduplication.fresh([row('a', '1'), row('b', '2')]))).toBe('ab');
    deduplication.turn();
    expect(names(deduplication.fresh([row('b', '2'), row('c', '3')]))).toBe('c');
  });

  it('count as new if they have no identifier, on any page, even if equal', () => {
    const deduplication = walk();
    for (let page = 0; page < 4; page += 1) {
      expect(names(deduplication.fresh([row('a'), row('b', String(page)), row('a')]))).toBe('aba');
      deduplication.turn();
    }
    expect(names(deduplication.fresh([row('a'), row('b', '3')]))).toBe('a');
  });

  it('without any identifier show no moves', () => {
    const deduplication = walk();
    deduplication.fresh([row('a'), row('b')]);
    deduplication.turn();
    expect(deduplication.remembers).toBe(false);
    expect(deduplication.behind([row('a'), row('b')])).toBeUndefined();
  });

  it('that have moved are those after the last known one, including those without an identifier', () => {
    const deduplication = walk();
    deduplication.fresh([row('a', '1'), row('b', '2')]);
    deduplication.turn();
    expect(deduplication.remembers).toBe(true);
    deduplication.fresh([row('d', '4')]);
    const behind = deduplication.behind([row('b', '2'), row('x'), row('c', '3'), row('d', '4')]);
    expect(names(behind)).toBe('xcd');
    expect(names(deduplication.moved(behind ?? []))).toBe('xc');
  });
});
