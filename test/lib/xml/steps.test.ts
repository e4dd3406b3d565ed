import { describe, expect, it } from '@jest/globals';
import { STEP } from '../../../src/lib/time/turn.ts';
import { decodeBody, decodeBodyInSteps } from '../../../src/lib/xml/bytes/decode.ts';
import { buildDocument, buildDocumentInSteps, element } from '../../../src/lib/xml/document.ts';
import { documentLimits, readDocument, readDocumentInSteps } from '../../../src/lib/xml/read.ts';
import { fc } from '../../support/random.ts';
import { turnsDuring } from '../../support/turns.ts';
import { trees } from './trees.ts';
import { faultOf } from './fault.ts';

const MIB = 1_048_576;
const HALVES = '😀';

const joined = (bytes: Buffer): string => [...decodeBodyInSteps(bytes)].join('');

describe('a large body', () => {
  const text = `<a>${'é😀x&amp;\r\n'.repeat(20_000)}</a>`;
  const declared = (encoding: string): string => `<?xml version="1.0" encoding="${encoding}"?>`;

  it.each([
    ['UTF-8', Buffer.from(text)],
    ['UTF-8, each character of four bytes', Buffer.from(`<a>${HALVES.repeat(50_000)}</a>`)],
    ['UTF-8 with a mark', Buffer.from(`\ufeff${text}`)],
    ['UTF-16', Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16, the other way', Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['ISO-8859-1', Buffer.from(`${declared('ISO-8859-1')}${text.replaceAll(HALVES, '')}`, 'latin1')],
    ['Windows-1252', Buffer.from(`${declared('windows-1252')}${text.replaceAll(HALVES, '\x80')}`, 'latin1')],
  ])('is decoded in steps with the same result: %s', (_name, bytes) => {
    expect(bytes.length).toBeGreaterThan(STEP);
    expect(joined(bytes)).toBe(decodeBody(bytes));
  });

  it('that is cut inside a character is refused in steps, too', () => {
    const bytes = Buffer.from(`${'x'.repeat(STEP - 1)}é`).subarray(0, STEP);
    expect(faultOf(() => joined(bytes)).reason).toBe('encoding');
  });

  it('yields to other work after each step of decoding and reading', async () => {
    const bytes = Buffer.from(`<a><b>${'QUJD'.repeat(4 * MIB)}</b></a>`);
    const { value, turns } = await turnsDuring(() =>
      readDocumentInSteps(decodeBodyInSteps(bytes), documentLimits),
    );
    expect(value?.children[0]?.text.length).toBe(16 * MIB);
    expect(turns).toBeGreaterThanOrEqual(bytes.length / STEP - 1);
  });

  it('is read in steps with the same result, wherever the pieces end', async () => {
    await fc.assert(
      fc.asyncProperty(trees, fc.integer({ min: 1, max: 40 }), async (tree, size) => {
        const text = buildDocument(tree);
        const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, at) =>
          text.slice(at * size, (at + 1) * size),
        );
        expect(await readDocumentInSteps(pieces)).toEqual(readDocument(text));
      }),
    );
  });

  it('is undefined if it is white space, and refused if it is incomplete', async () => {
    expect(await readDocumentInSteps([' '.repeat(100), '\r\n'])).toBeUndefined();
    expect(await readDocumentInSteps([])).toBeUndefined();
    await expect(readDocumentInSteps(['<a>', '</a', ''])).rejects.toThrow('XML refused');
    await expect(readDocumentInSteps(['<!-- -->', '<!DOCTYPE a>', '<a/>'])).rejects.toThrow('doctype');
    await expect(readDocumentInSteps(['<!doctype a>', '<a/>'])).rejects.toThrow('doctype');
  });
});

describe('a large document', () => {
  it('is built in steps with the same result', async () => {
    await fc.assert(
      fc.asyncProperty(trees, async (tree) => {
        // More elements than are built at once.
        const many = element(
          'Many',
          Array.from({ length: 250 }, () => tree),
        );
        expect((await buildDocumentInSteps(many)).toString('utf8')).toBe(buildDocument(many));
        expect((await buildDocumentInSteps(tree)).toString('utf8')).toBe(buildDocument(tree));
      }),
      { numRuns: 30 },
    );
  });

  it.each([
    `${'x'.repeat(STEP - 1)}${HALVES}${'<\r&\u0001'.repeat(30_000)}\ud800`,
    HALVES.repeat(STEP),
    `x${HALVES.repeat(STEP)}`,
    `\ud800${'\udc00'.repeat(3 * STEP)}`,
  ])('is never cut inside a character (text %#)', async (text) => {
    const document = element('Document', [element('Content', text)]);
    expect((await buildDocumentInSteps(document)).toString('utf8')).toBe(buildDocument(document));
  });

  it('yields to other work after each step', async () => {
    const document = element('Document', [element('Content', 'a&é'.repeat(4 * MIB))]);
    const { value, turns } = await turnsDuring(() => buildDocumentInSteps(document));
    expect(value.length).toBeGreaterThan(24 * MIB);
    // What is escaped grows; the steps are of what was given.
    expect(turns).toBeGreaterThanOrEqual((12 * MIB) / STEP - 1);
  });
});
