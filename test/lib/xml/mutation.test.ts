import { describe, expect, it } from '@jest/globals';
import { decodeBody } from '../../../src/lib/xml/bytes/decode.ts';
import { XmlFault } from '../../../src/lib/xml/element.ts';
import { readDocument } from '../../../src/lib/xml/read.ts';
import { splitReply } from '../../../src/lib/xml/bytes/split.ts';
import { fc } from '../../support/random.ts';

const documents = [
  '<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="List"><Status>OK</Status><Clients>' +
    '<Client a="1" b=\'2\'><ID>1</ID><Name>Zoë &amp; 😀 &#65;&#x42;</Name><X /><Y></Y></Client><!-- c -->' +
    '<Client><N><![CDATA[x ]] y]]></N></Client></Clients></Response>\n',
  '<Response><a b="c&lt;d">x</a><?pi data?><b c:d="e"/>]] &gt;</Response>',
  "<?xml version='1.0' standalone='yes' ?><Response  x = 'y' ><a\n/></Response\n><!-- end -->",
];

const fragments =
  '< > & " \' / ? ! - -- ]]> <!-- --> <![CDATA[ ]] &# &#x &amp; ; = xml <?xml ?> x 1 : </ /> <a> </a> % [ ] # \0 \u0001 é 😀 \uFFFE \u0085 \u2028'.split(
    ' ',
  );

/** A place as a share of the length, what to leave out there, and what to put in. */
const edit = fc.record({
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  leaveOut: fc.nat(4),
  putIn: fc.oneof(
    fc.constantFrom('', ' ', '\n', '\r', '\t', ...fragments),
    fc.string({ unit: 'binary', maxLength: 3 }),
  ),
});

const mutants = fc
  .tuple(fc.constantFrom(...documents), fc.array(edit, { minLength: 1, maxLength: 3 }))
  .map(([document, edits]) =>
    edits.reduce((text, { at, leaveOut, putIn }) => {
      const place = Math.floor(at * text.length);
      return text.slice(0, place) + putIn + text.slice(place + leaveOut);
    }, document),
  )
  // With a mark a caller's declaration is judged, a reply's is not: the one difference wanted.
  .filter((text) => !text.startsWith('\uFEFF'));

const chunksOf = async function* (bytes: Buffer, size: number): AsyncGenerator<Buffer> {
  for (let at = 0; at < bytes.length; at += size) yield bytes.subarray(at, at + size);
};

/** The root's name, or `undefined` for a refusal; anything else that is thrown fails the test. */
function rootOf(bytes: Buffer): string | undefined {
  try {
    return readDocument(decodeBody(bytes)).name;
  } catch (error) {
    if (error instanceof XmlFault) return undefined;
    throw error;
  }
}

async function isSplit(bytes: Buffer, size: number): Promise<boolean> {
  try {
    for await (const parts of splitReply(chunksOf(bytes, size))) expect(parts).not.toHaveLength(0);
    return true;
  } catch (error) {
    if (error instanceof XmlFault) return false;
    throw error;
  }
}

describe('damaged documents', () => {
  it('are read by both readers or refused by both, and nothing else is thrown', async () => {
    await fc.assert(
      fc.asyncProperty(mutants, fc.integer({ min: 1, max: 50 }), async (text, size) => {
        const bytes = Buffer.from(text);
        expect(await isSplit(bytes, size)).toBe(rootOf(bytes) === 'Response');
      }),
      { numRuns: 2_000 },
    );
  });

  it('of random bytes are refused or read, and nothing else is thrown', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 64 }), (bytes) => {
        expect(['string', 'undefined']).toContain(typeof rootOf(Buffer.from(bytes)));
      }),
      { numRuns: 2_000 },
    );
  });
});
