import { describe, expect, it } from '@jest/globals';
import { readCsv } from '../../src/lib/text/csv.ts';
import { csvText, textOfCsv } from '../../src/lib/text/csv-cell.ts';
import { fc } from '../support/random.ts';

/** As a spreadsheet reads a line that parts cells elsewhere than at commas: a quotation mark counts at the beginning only. */
const partsOf = (line: string, separator: RegExp): readonly string[] => line.split(separator);

const formula = /^[ "]*[=+\-@＝＋－＠]/;

describe('a cell of CSV', () => {
  it('is not a formula, whatever separator a spreadsheet uses', () => {
    for (const text of [
      '=1+1',
      'a;=1+1',
      'a; =1',
      'a;@x;-1',
      'a\t=1',
      'a\r\n=1',
      "a;'=1",
      'a;;+1',
      'a;＝1',
      ';=1',
    ]) {
      const line = `x,${csvText(text)}`;
      for (const separator of [/;/, /\t/, /[\r\n]+/, /[;\t\r\n]/])
        for (const part of partsOf(line, separator)) expect(part).not.toMatch(formula);
    }
  });

  it.each([
    ['a;b', '"a;b"'],
    ['a;=b', `"a;'=b"`],
    ['a,b', '"a,b"'],
    ['a\tb', '"a\tb"'],
    ['a"b', '"a""b"'],
    ['plain', 'plain'],
    ['-', "'-"],
    ['+49 30 23125 007', '+49 30 23125 007'],
    ['+4512345678', "'+4512345678"],
    ['+1-1', "'+1-1"],
    ['+1 2 A1', "'+1 2 A1"],
    ['a-b', 'a-b'],
  ])('is quoted if necessary: %j', (text, cell) => {
    expect(csvText(text)).toBe(cell);
  });

  it('is read back as it was written', () => {
    const piece = fc.constantFrom(
      '=',
      '-',
      '+',
      '@',
      '＝',
      "'",
      ';',
      '\t',
      '\r\n',
      '\n',
      ' ',
      ',',
      '"',
      'a',
      'é',
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const text = pieces.join('').trim();
        const [line] = readCsv(`head,other\r\n${csvText(text)},x`).slice(1);
        expect(textOfCsv(line?.cells[0] ?? '')).toBe(text);
      }),
    );
  });
});
