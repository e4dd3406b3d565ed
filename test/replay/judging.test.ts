import { describe, expect, it } from '@jest/globals';
import { Masking } from '../../src/features/samples/masking.ts';
import { ReadableSamples } from '../../src/features/samples/readable.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import type { Method } from '../../src/mapping/compile/model.ts';
import { contentDifferences } from '../../src/replay/judging.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { deliveredMapping } from '../support/mapping.ts';

/** A reply of V1 to `client.get`. */
const reply = (attributes: string, isArchived = 'No'): XmlElement =>
  readDocument(
    `<Response${attributes}><Status>OK</Status><Client><ID>7</ID><IsArchived>${isArchived}</IsArchived></Client></Response>`,
  );

const ring = KeyRing.parse(new Secret(`k1:${Buffer.alloc(32, 1).toString('base64')}`));

function getClient(): Method {
  const found = deliveredMapping().methods.find(({ id }) => id === 'client.get');
  if (found === undefined) throw new Error('the mapping has no client.get');
  return found;
}

/** The reply as a recording keeps it. */
function recorded(root: XmlElement): XmlElement {
  const masking = Masking.of(ring, 'an-account');
  if (masking === undefined) throw new Error('there is no key');
  return new ReadableSamples((text) => masking.hash(text)).element(masking.masked(root, getClient()));
}

describe('a recorded reply and the same call, played', () => {
  const played = reply(' api-method="Get"');

  it('do not differ by the api-method that a recording leaves out', () => {
    expect(contentDifferences(getClient(), 'v1', recorded(played), played)).toEqual([]);
  });

  it('differ by a value and by any other attribute', () => {
    const paths = (other: XmlElement): readonly string[] =>
      contentDifferences(getClient(), 'v1', recorded(played), other).map(({ path }) => path);
    expect(paths(reply(' api-method="Get"', 'Yes'))).toEqual(['Response/Client/IsArchived']);
    expect(paths(reply(' api-method="Get" other="1"'))).toEqual(['Response/@other']);
  });
});
