import { describe, expect, it } from '@jest/globals';
import { textOfCsv } from '../../src/lib/text/csv-cell.ts';
import { readCsv } from '../../src/lib/text/csv.ts';
import { terminalLines } from '../../src/lib/text/plain-text.ts';
import { csvLine, print } from '../../src/cli/records.ts';
import { fc } from '../support/random.ts';

describe('a table', () => {
  it('is aligned: text to the left, numbers to the right', () => {
    const records = [
      { name: 'Ōamaru', clients: 5 },
      { name: 'X', clients: 1200 },
    ];
    expect(print(records, ['name', 'clients'], 'table', '')).toBe(
      'NAME    CLIENTS\nŌamaru        5\nX          1200\n',
    );
  });

  it('escapes every character that acts on the line or is invisible', () => {
    expect(print([{ name: 'a\u001b[2Jb\n' }], ['name'], 'table', '')).toBe('NAME\na\uFFFD[2Jb\uFFFD\n');
    expect(print([{ name: 'Mill\u202elaw\u200b' }], ['name'], 'table', '')).toBe(
      'NAME\nMill\uFFFDlaw\uFFFD\n',
    );
    expect(terminalLines('\u001b[31mMill\u001b[0m\tDoe\u200d\n\u001b]0;title\u0007\u2066x\n')).toBe(
      '\u001b[31mMill\u001b[0m\tDoe\u200d\n\uFFFD]0;title\uFFFD\uFFFDx\n',
    );
  });

  describe('on a screen that is too narrow for it', () => {
    const on = (columns: number, first?: readonly string[]) => ({
      screen: { columns: () => columns, colour: false, pause: async () => false },
      first,
    });
    const records = [
      {
        account: 'Old Mill Engineering',
        calls: 12,
        email: 'office@oldmill.example',
        note: 'call again in May',
      },
      { account: '株式会社', calls: 3, email: '', note: '' },
    ];
    const names = ['account', 'calls', 'email', 'note'];

    it('wraps its cells between words, and cuts none', () => {
      expect(print(records, names, 'table', '', on(50))).toBe(
        [
          'ACCOUNT      CALLS  EMAIL                   NOTE',
          'Old Mill        12  office@oldmill.example  call',
          'Engineering                                 again',
          '                                            in May',
          '株式会社         3',
          '',
        ].join('\n'),
      );
    });

    it('leaves out the least important columns, and says which', () => {
      const told = print(records, names, 'table', '', on(44, ['account', 'note']));
      expect(told.split('\n').slice(0, 2)).toEqual([
        'ACCOUNT               CALLS  NOTE',
        'Old Mill Engineering     12  call again in',
      ]);
      expect(told).toContain('\nNot shown, because the window is too narrow: EMAIL. --format csv');
      expect(print(records, names, 'table', '', on(5))).toMatch(/^ACCOUNT\nOld Mill\nEngineering\n/);
    });

    it('is the same as in a file if it fits, and has every column in other formats', () => {
      const [one] = records;
      if (one === undefined) throw new Error('no record');
      expect(print([one], names, 'table', '', on(80))).toBe(print([one], names, 'table', ''));
      expect(print(records, names, 'csv', '', on(10))).toBe(print(records, names, 'csv', ''));
    });
  });

  it('leaves missing cells empty', () => {
    expect(print([{ a: undefined, b: 'x' }], ['a', 'b'], 'table', '')).toBe('A  B\n   x\n');
  });
});

describe('a CSV list', () => {
  it('is read back as it was written', () => {
    const cell = fc.string({ unit: 'grapheme' }).filter((text) => text === text.trim());
    const rows = fc.array(fc.array(cell, { minLength: 2, maxLength: 4 }), { maxLength: 5 });
    fc.assert(
      fc.property(rows, (table) => {
        const text = `a,b\r\n${table.map(csvLine).join('')}`;
        const kept = table.filter((row) => row.some((one) => one !== ''));
        expect(
          readCsv(text)
            .slice(1)
            .map(({ cells }) => cells.map(textOfCsv)),
        ).toEqual(kept);
      }),
    );
  });

  it('counts lines as an editor does', () => {
    expect(readCsv('a,b\n\n"x\ny",1\nz,2').map(({ line }) => line)).toEqual([1, 3, 5]);
  });

  it.each(['a,"b', '"a', 'a,b\n"', ',,,\n"x"y,z', '"a"b"'])('is parsed in finite time: %j', (text) => {
    expect(readCsv(text).length).toBeLessThan(10);
  });
});
