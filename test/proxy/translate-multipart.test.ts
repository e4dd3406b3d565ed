import { describe, expect, it } from '@jest/globals';
import { QUICK_STEP, STEP } from '../../src/lib/time/turn.ts';
import { decodeBase64, multipart, type FormPart } from '../../src/proxy/translate/multipart.ts';
import { readFormData } from '../../src/lib/form-data.ts';
import { fc } from '../support/random.ts';

const BOUNDARY = 'b-6c1f0f2a9d7e4c55';

const file = (changes: Partial<Extract<FormPart, { fileName: string }>> = {}): FormPart => ({
  name: 'file',
  fileName: 'plan.pdf',
  contentType: 'application/pdf',
  bytes: Buffer.from('%PDF'),
  ...changes,
});

/** As the platform reads forms: a second opinion, written by others. */
async function received(parts: readonly FormPart[]): Promise<readonly (readonly [string, string | File])[]> {
  const { contentType, bytes } = await multipart(parts, BOUNDARY);
  const response = new Response(new Uint8Array(bytes), { headers: { 'content-type': contentType } });
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- what it is not good for is a server under load
  return [...(await response.formData())];
}

describe('a multipart form', () => {
  it('is written according to RFC 7578', async () => {
    const { contentType, bytes } = await multipart([{ name: 'title', value: 'Plan é' }, file()], 'xyz');
    expect(contentType).toBe('multipart/form-data; boundary="xyz"');
    expect(bytes.toString()).toBe(
      [
        '--xyz',
        'Content-Disposition: form-data; name="title"',
        '',
        'Plan é',
        '--xyz',
        'Content-Disposition: form-data; name="file"; filename="plan.pdf"',
        'Content-Type: application/pdf',
        '',
        '%PDF',
        '--xyz--',
        '',
      ].join('\r\n'),
    );
  });

  it('is read as it was written, whatever its fields and file contain', async () => {
    const text = fc.string({ unit: 'grapheme' });
    const bytes = fc.uint8Array({ maxLength: 300 }).map((array) => Buffer.from(array));
    await fc.assert(
      fc.asyncProperty(
        text,
        bytes,
        fc.stringMatching(/^[^"%\\\r\n]{1,40}$/u),
        async (value, content, fileName) => {
          fc.pre(fileName.isWellFormed() && !/[\u0000-\u001f\u007f]/.test(fileName));
          const parts = [{ name: 'title', value }, file({ fileName, bytes: content })];
          const { contentType, bytes: written } = await multipart(parts, BOUNDARY);
          const form = await readFormData(written, contentType);
          expect(form?.fields).toEqual([['title', value]]);
          expect(form?.file).toEqual({ name: fileName, contentType: 'application/pdf', content });
          const [, [, second] = []] = await received(parts);
          expect(Buffer.from(await (second as File).arrayBuffer())).toEqual(content);
        },
      ),
    );
  });

  it('keeps line breaks of a value', async () => {
    const [[, value] = []] = await received([{ name: 'note', value: 'a\r\nb\nc\r\n\r\n--' }]);
    expect(value).toBe('a\r\nb\nc\r\n\r\n--');
  });

  it.each([
    'a"; name="other',
    'a\r\nContent-Type: text/html\r\n\r\n<script>',
    'a\nX-Evil: 1',
    'a\r\n\r\nx\r\n--b-6c1f0f2a9d7e4c55\r\n',
    'a\0b',
  ])('lets no name add a header: %j', async (name) => {
    for (const parts of [
      [file({ fileName: name })],
      [file({ name })],
      [file({ contentType: name.replace('a', 'text/plain') })],
    ]) {
      const { bytes } = await multipart(parts, BOUNDARY);
      const [headers = ''] = bytes.toString().split('\r\n\r\n');
      expect(headers.split('\r\n')).toHaveLength(3);
      expect(headers).not.toMatch(/[\u0000-\u0009\u000b\u000c\u000e-\u001f]/);
      expect(await received(parts)).toHaveLength(1);
    }
  });

  it('returns a quotation mark in a file name as browsers write it', async () => {
    const { bytes, contentType } = await multipart([file({ fileName: 'the "plan".pdf' })], BOUNDARY);
    expect((await readFormData(bytes, contentType))?.file?.name).toBe('the %22plan%22.pdf');
  });

  it.each(['', 'a b', 'a\r\nb', 'é', '"', 'x'.repeat(71)])(
    'is not written with the boundary %j',
    async (boundary) => {
      await expect(multipart([file()], boundary)).rejects.toThrow(RangeError);
    },
  );

  it('is not written if a part contains the boundary', async () => {
    await expect(multipart([{ name: 'a', value: `x--${BOUNDARY}` }], BOUNDARY)).rejects.toThrow(RangeError);
    await expect(multipart([file({ bytes: Buffer.from(`--${BOUNDARY}`) })], BOUNDARY)).rejects.toThrow(
      RangeError,
    );
    // Wherever the search of a large one is interrupted.
    for (const at of [QUICK_STEP - BOUNDARY.length, QUICK_STEP, 2 * QUICK_STEP - 3]) {
      const bytes = Buffer.alloc(2 * QUICK_STEP + 100);
      bytes.write(`--${BOUNDARY}`, at);
      await expect(multipart([file({ bytes })], BOUNDARY)).rejects.toThrow(RangeError);
    }
  });

  it('has every byte of a large file in place', async () => {
    const content = Buffer.alloc(
      5 * QUICK_STEP + 3,
      Uint8Array.from({ length: 251 }, (_, at) => at),
    );
    const { bytes, contentType } = await multipart([file({ bytes: content })], BOUNDARY);
    expect((await readFormData(bytes, contentType))?.file?.content.equals(content)).toBe(true);
  });
});

describe('base64', () => {
  it('returns every byte, with or without line breaks', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array(), fc.integer({ min: 1, max: 80 }), async (array, width) => {
        const bytes = Buffer.from(array);
        const text = bytes.toString('base64');
        expect(await decodeBase64(text)).toEqual(bytes);
        const lines = text.match(new RegExp(`.{1,${width}}`, 'g')) ?? [];
        expect(await decodeBase64(`\r\n  ${lines.join('\r\n\t')} \n`)).toEqual(bytes);
      }),
    );
  });

  it('is not repaired: with a missing character it is refused', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 1 }), fc.nat(), async (array, at) => {
        const text = Buffer.from(array).toString('base64');
        const place = at % text.length;
        expect(await decodeBase64(text.slice(0, place) + text.slice(place + 1))).toBeUndefined();
      }),
    );
  });

  it.each(['QQ=', 'QQ', 'QQ=Q', '====', 'Q===', 'QQ==QQ==', 'Q-Q_', 'QQ\u00a0==', 'QQ=\0', 'é', '{}[]'])(
    'is refused: %j',
    async (text) => {
      expect(await decodeBase64(text)).toBeUndefined();
    },
  );

  it.each([1, 2, 3, STEP, STEP + 1])(
    'is decoded in steps with the same result, wherever its lines end: %i',
    async (width) => {
      const bytes = Buffer.from(Array.from({ length: STEP + 2 }, (_, at) => at % 251));
      const text = bytes.toString('base64');
      expect(text.endsWith('==')).toBe(false);
      for (const [whole, given] of [
        [bytes, text],
        [bytes.subarray(0, -1), bytes.subarray(0, -1).toString('base64')],
        [bytes.subarray(0, -2), bytes.subarray(0, -2).toString('base64')],
      ] as const) {
        const lines = Array.from({ length: Math.ceil(given.length / width) }, (_, at) =>
          given.slice(at * width, (at + 1) * width),
        );
        expect(await decodeBase64(lines.join('\r\n'))).toEqual(whole);
        expect(
          await decodeBase64(`${' '.repeat(3 * STEP)}${lines.join('\n')}${' '.repeat(3 * STEP)}`),
        ).toEqual(whole);
      }
      expect(
        await decodeBase64(`${bytes.subarray(0, -1).toString('base64')}${' '.repeat(STEP)}QQ==`),
      ).toBeUndefined();
    },
  );

  it('of nothing is empty', async () => {
    expect(await decodeBase64('')).toEqual(Buffer.alloc(0));
  });
});
