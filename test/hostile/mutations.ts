const message = Buffer.from(
  '<?xml version="1.0" encoding="UTF-8"?>\r\n<Client xmlns:xsi="urn:x"><ID>0</ID><Name>Müller &amp; Söhne &#252;</Name>' +
    '<Email>a@b.example</Email><IsProspect>Yes</IsProspect><Contacts><Contact><Name>Uli</Name><IsPrimary>yes</IsPrimary>' +
    '</Contact></Contacts><Address>1\r\n2</Address><!-- c --><City><![CDATA[<x>]]></City></Client>',
  'utf8',
);

const pieces = [
  '<',
  '>',
  '&',
  ';',
  '"',
  '<!--',
  '-->',
  '<![CDATA[',
  ']]>',
  '<?',
  '?>',
  '</',
  '/>',
  '&#0;',
  '&#x110000;',
  '\0',
  '\ufffe',
  '<Name>',
  '</Client>',
  '<!DOCTYPE a>',
  '\u2028',
].map((piece) => Buffer.from(piece, 'utf8'));

/** Numbers in [0, 1), the same for the same seed (mulberry32). */
function random(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/** A good message with one to four places cut out, doubled, overwritten or filled; the same for the same seed. */
export function mutations(count: number, seed: number): readonly Buffer[] {
  const randomSource = random(seed);
  const below = (limit: number): number => Math.floor(randomSource() * limit);
  const mutate = (bytes: Buffer): Buffer => {
    const at = below(bytes.length);
    const [before, after] = [bytes.subarray(0, at), bytes.subarray(at)];
    const length = below(12);
    switch (below(4)) {
      case 0:
        return Buffer.concat([before, after.subarray(length)]);
      case 1:
        return Buffer.concat([before, after.subarray(0, length), after]);
      case 2:
        return Buffer.concat([before, Buffer.from([below(256)]), after.subarray(1)]);
      default:
        return Buffer.concat([before, pieces[below(pieces.length)] ?? before, after]);
    }
  };
  return Array.from({ length: count }, () => {
    let bytes: Buffer = message;
    for (let times = 1 + below(4); times > 0; times -= 1) bytes = mutate(bytes);
    return bytes;
  });
}
