import { describe, expect, it } from '@jest/globals';
import { parsePath, putAt, spread, valueAt, type Path } from '../../src/mapping/compile/path.ts';
import type { RecordRow } from '../../src/mapping/compile/model.ts';
import { cellsOf } from '../../src/proxy/translate/cells.ts';
import { deliveredMapping } from '../support/mapping.ts';

const path = (text: string): Path => {
  const parsed = parsePath(text);
  if (parsed === undefined) throw new Error(`${text} is no path`);
  return parsed;
};
const at = (value: unknown, text: string): unknown => valueAt(value, path(text), () => undefined);

const quote = { costs: [{ name: 'a', optional: true }, { name: 'b', optional: false }, { name: 'c' }] };

describe('a path to some entries of a list', () => {
  it('selects every matching entry, in order', () => {
    expect(at(quote, 'costs[*optional=true]')).toEqual([quote.costs[0]]);
    expect(at(quote, 'costs[*optional!=true]')).toEqual([quote.costs[1], quote.costs[2]]);
    expect(at(quote, 'costs[*optional=maybe]')).toEqual([]);
    expect(at(quote, 'costs[*optional!=true][].name')).toEqual(['b', 'c']);
  });

  it('selects the first match without the star', () => {
    expect(at(quote, 'costs[optional!=true].name')).toBe('b');
  });

  it('compares words of V2 in any case, as every other word of it', () => {
    const client = {
      addresses: [
        { type: 'POSTAL', city: 'Oslo' },
        { type: 'Physical', city: 'Bergen' },
      ],
    };
    expect(at(client, 'addresses[type=postal].city')).toBe('Oslo');
    expect(at(client, 'addresses[type!=postal].city')).toBe('Bergen');
  });

  it('selects nothing if there is no list, and accepts an object with numeric keys as one', () => {
    expect(at({}, 'costs[*optional=true]')).toBeUndefined();
    expect(at({ costs: { 0: quote.costs[0], 1: quote.costs[1] } }, 'costs[*optional=true]')).toEqual([
      quote.costs[0],
    ]);
  });
});

describe('a place in every entry of a list', () => {
  const put = (target: Record<string, unknown>, text: string, value: unknown): unknown => {
    for (const [into, way] of spread(target, path(text))) putAt(into, way, value);
    return target;
  };

  it('is one in each existing entry, and none if there is no list', () => {
    expect(put({ costs: [{ a: 1 }, {}] }, 'costs[].job.uuid', 'j')).toEqual({
      costs: [{ a: 1, job: { uuid: 'j' } }, { job: { uuid: 'j' } }],
    });
    expect(put({ costs: [] }, 'costs[].job', 'j')).toEqual({ costs: [] });
    expect(put({}, 'costs[].job', 'j')).toEqual({});
  });

  it('is in the entry that V2 has already, in whatever case it writes the word', () => {
    const target = { addresses: [{ type: 'Postal', city: 'Oslo' }] };
    putAt(target, path('addresses[type=postal].city'), 'Bergen');
    expect(target).toEqual({ addresses: [{ type: 'Postal', city: 'Bergen' }] });
  });

  it('is the place itself if the path has no list', () => {
    expect(put({}, 'a.b', 1)).toEqual({ a: { b: 1 } });
  });
});

describe('a condition on an absent value', () => {
  const entries = { add: [{ id: 1, task: 'x' }, { id: 2, task: '' }, { id: 3 }, { id: 4, task: null }] };

  it('treats it as empty', () => {
    expect(at(entries, 'add[*task=][].id')).toEqual([2, 3, 4]);
    expect(at(entries, 'add[*task!=][].id')).toEqual([1]);
    expect(at(entries, 'add[task!=x].id')).toBe(2);
  });
});

describe('an entry of a list by position', () => {
  it('is put there, or into the record there', () => {
    const target: Record<string, unknown> = {};
    putAt(target, path('uuids[0]'), 'a');
    putAt(target, path('uuids[1]'), 'b');
    putAt(target, path('staff[0].uuid'), 'c');
    expect(target).toEqual({ uuids: ['a', 'b'], staff: [{ uuid: 'c' }] });
  });
});

describe('a path to a property that every object has', () => {
  it.each(['__proto__', '__proto__.harm', 'a.__proto__.harm', 'a[].__proto__', 'a[__proto__=x].b'])(
    'does not exist: %s',
    (text) => {
      expect(parsePath(text)).toBeUndefined();
    },
  );

  it('leaves the shared prototype unchanged, whatever names it has', () => {
    const target = {};
    for (const text of ['constructor.harm', 'constructor.prototype.harm', 'toString.harm'])
      putAt(target, path(text), 'x');
    expect(Reflect.get({}, 'harm')).toBeUndefined();
    expect(Reflect.get(Object, 'harm')).toBeUndefined();
  });
});

describe('a path of a record with a common prefix', () => {
  it.each([
    'part.tasks[*optional=true]',
    'part.tasks[*optional!=true]',
    'part.tasks[]',
    'part.name',
    'tasks[0].name',
  ])('%s finds as much in two parts as in one', (text) => {
    const reply = deliveredMapping().methods.find(({ id }) => id === 'client.get')?.reply;
    if (reply?.form !== 'one') throw new Error('client.get has no record');
    const rows = reply.of.rows.map((row): RecordRow =>
      row.v2 === undefined ? row : { ...row, v2: { ...row.v2, paths: [path(text)] } },
    );
    const find = (): undefined => undefined;
    const { cells } = cellsOf({ ...reply.of, rows }, { costly: new Set(), lookups: new Set() });
    const translated = cells.filter(({ holds }) => holds !== 'nothing');
    expect(translated.length).toBeGreaterThan(0);
    for (const record of [
      {},
      { part: {} },
      { part: { tasks: [] } },
      { tasks: [{ name: 'a' }], part: { name: 'b' } },
    ])
      for (const { from, walk } of translated)
        expect(walk(from(record, find), find)).toEqual(at(record, text));
  });
});
