import { describe, expect, it } from '@jest/globals';
import { readFormData } from '../../src/lib/form-data.ts';
import { fc } from '../support/random.ts';

const TYPE = 'multipart/form-data; boundary=b';
const field = (name: string, value: string): string =>
  `--b\r\nContent-Disposition: form-data; name="${name}"\r\n\r\n${value}\r\n`;
const FILE =
  '--b\r\nContent-Disposition: form-data; name="file"; filename="C:\\a\\list.csv"\r\nContent-Type: text/csv\r\n\r\na,b\r\n\r\n';
const form = (...parts: readonly string[]): Buffer => Buffer.from(`${parts.join('')}--b--\r\n`);

describe('a posted form', () => {
  it('has its fields in order and its file, whose name is unchanged', async () => {
    expect(await readFormData(form(field('a', '1'), FILE, field('a', 'é\r\n')), TYPE)).toEqual({
      fields: [
        ['a', '1'],
        ['a', 'é\r\n'],
      ],
      file: { name: 'C:\\a\\list.csv', contentType: 'text/csv', content: Buffer.from('a,b\r\n') },
    });
  });

  it('can have no file, an empty field, and bytes after its end', async () => {
    const body = Buffer.concat([form(field('a', '')), Buffer.from('epilogue')]);
    expect(await readFormData(body, TYPE)).toEqual({ fields: [['a', '']], file: undefined });
  });

  it.each([
    ['is cut off in a field', form(field('a', '1')).subarray(0, -20), TYPE],
    ['is cut off in its file', Buffer.from(FILE.slice(0, -4)), TYPE],
    ['is cut off before its end', Buffer.from(field('a', '1')), TYPE],
    ['has a part without a name', form('--b\r\nContent-Disposition: form-data\r\n\r\n1\r\n'), TYPE],
    ['has more than twenty parts', form(...Array.from({ length: 21 }, () => field('a', '1'))), TYPE],
    ['has another boundary', form(field('a', '1')), 'multipart/form-data; boundary=c'],
    ['has no boundary', form(field('a', '1')), 'multipart/form-data; charset=utf-8'],
    ['is of another type', Buffer.from('a=1'), 'application/x-www-form-urlencoded'],
    ['is empty', Buffer.alloc(0), TYPE],
  ])('is refused if it %s', async (_, body, type) => {
    expect(await readFormData(body, type)).toBeUndefined();
  });

  it('never causes an exception, however its bytes are damaged', async () => {
    const whole = form(field('a', '1'), FILE);
    await fc.assert(
      fc.asyncProperty(fc.nat(whole.length - 1), fc.uint8Array({ maxLength: 6 }), async (at, bytes) => {
        const body = Buffer.concat([whole.subarray(0, at), bytes, whole.subarray(at + bytes.length)]);
        const read = await readFormData(body, TYPE);
        expect([undefined, 'object']).toContain(read && typeof read);
      }),
    );
  });
});
