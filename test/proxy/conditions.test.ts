import { describe, expect, it } from '@jest/globals';
import { deliveredMapping } from '../support/mapping.ts';
import type { Find } from '../../src/mapping/compile/path.ts';
import { toJson } from '../../src/proxy/translate/json/json-body.ts';
import type { Given } from '../../src/proxy/translate/lookups/given.ts';

const mapping = deliveredMapping();
const body = mapping.methods.find(({ id }) => id === 'customfield.client.put')?.body;
if (body === undefined) throw new Error('customfield.client.put has no request');
const { of } = body;

const types: Readonly<Record<string, { readonly name: string; readonly type: string }>> = {
  a: { name: 'Remark', type: 'text' },
  b: { name: 'Choice', type: 'DROPDOWN' },
  c: { name: 'Count', type: 'number' },
  d: { name: 'Agreed', type: 'checkbox' },
};

/** The JSON of one value; `known`: whether the list of definitions has been fetched. */
function written(value: Given, known = true): unknown {
  const find: Find = (table, key) => (known && table === 'customFields' ? types[key] : undefined);
  const json = toJson(
    { CustomField: [value] },
    of,
    {
      empty: 'null',
      keyOf: (_table, _field, text) => (known ? text : undefined),
      find,
      unknown: (kind) => `Unknown ${kind}`,
      dropped: () => undefined,
    },
    'CustomFields',
  );
  return json.customFields;
}

describe('a value of a custom field', () => {
  it.each([
    [{ UUID: 'a', Text: 'x' }, 'x'],
    [{ ID: 'b', Text: '' }, null],
    [{ UUID: 'c', Number: '007' }, '007'],
    [{ UUID: 'c', Decimal: '1.5' }, '1.5'],
    [{ UUID: 'd', ID: 'd', Boolean: 'Yes' }, 'true'],
  ])('%j is sent as %j', (value, sent) => {
    expect(written(value)).toEqual([{ uuid: Object.values(value)[0], value: sent }]);
  });

  it.each([
    [{ UUID: 'c', Text: '3' }, 'The custom field Count takes exactly one value element, Number'],
    [
      { UUID: 'c', Number: '3', Decimal: '3' },
      'The custom field Count takes exactly one value element, Number',
    ],
    [{ UUID: 'c' }, 'The custom field Count takes exactly one value element, Number'],
    [{ ID: 'd', Text: 'yes' }, 'The custom field Agreed takes exactly one value element, Boolean'],
    [
      { Text: 'x' },
      'Message not in expected format. The following required element was missing - /CustomFields/CustomField/UUID',
    ],
    [
      { UUID: ' ', ID: '', Text: 'x' },
      'Message not in expected format. The following required element was missing - /CustomFields/CustomField/UUID',
    ],
    [{ UUID: 'a', ID: 'b', Text: 'x' }, 'Unknown customField'],
  ])('%j is refused', (value, words) => {
    expect(() => written(value)).toThrow(words);
  });

  it('is not checked before the definitions are known', () => {
    expect(written({ ID: 'c', Text: '3' }, false)).toEqual([{ uuid: 'c', value: '3' }]);
  });
});
