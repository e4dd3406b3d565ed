import { describe, expect, it } from '@jest/globals';
import { Masking } from '../../src/features/samples/masking.ts';
import { ReadableSamples } from '../../src/features/samples/readable.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import type { XmlElement } from '../../src/lib/xml/element.ts';
import { readDocument } from '../../src/lib/xml/read.ts';
import type { Method } from '../../src/mapping/compile/model.ts';
import { readGoldenCall } from '../../src/replay/golden.ts';
import { contentDifferences, differencesOf, playedFrom } from '../../src/replay/judging.ts';
import { replyChange } from '../../src/replay/reply-change.ts';
import { KeyRing } from '../../src/tokens/sealing/keyring.ts';
import { deliveredMapping } from '../support/mapping.ts';

/** A reply of V1 to `client.get`. */
const reply = (attributes: string, isArchived = 'No'): XmlElement =>
  readDocument(
    `<Response${attributes}><Status>OK</Status><Client><ID>7</ID><IsArchived>${isArchived}</IsArchived></Client></Response>`,
  );

/** When the calls are played. */
const within = { from: Date.parse('2021-03-04T10:10:00Z'), to: Date.parse('2021-03-04T10:30:00Z') };

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
    expect(contentDifferences(getClient(), 'v1', recorded(played), played, within)).toEqual([]);
  });

  it('differ by a value and by any other attribute', () => {
    const paths = (other: XmlElement): readonly string[] =>
      contentDifferences(getClient(), 'v1', recorded(played), other, within).map(({ path }) => path);
    expect(paths(reply(' api-method="Get"', 'Yes'))).toEqual(['Response/Client/IsArchived']);
    expect(paths(reply(' api-method="Get" other="1"'))).toEqual(['Response/@other']);
  });
});

describe('two times in replies to the same call, played twice', () => {
  const dated = (time: string): XmlElement =>
    readDocument(`<Response><Job><Date>${time}</Date></Job></Response>`);
  const causes = (before: string, after: string): readonly string[] =>
    contentDifferences(getClient(), 'v3', dated(before), dated(after), within).map(({ cause }) => cause);

  it('are no difference if the calls were made then, such as the times of a new record', () => {
    expect(causes('2021-03-04T10:11:12', '2021-03-04T10:12:02')).toEqual([]);
    expect(causes('2021-03-04T10:10:00Z', '2021-03-04T10:29:59Z')).toEqual([]);
  });

  it('are no difference if V1 wrote one before the end of the first call, by which a recording is dated', () => {
    const ended = Date.parse('2021-03-04T10:10:00Z');
    const causesOf = (before: string): readonly string[] =>
      contentDifferences(
        getClient(),
        'v1',
        dated(before),
        dated('2021-03-04T10:10:01'),
        playedFrom(ended, 0),
      ).map(({ cause }) => cause);
    expect(causesOf('2021-03-04T10:09:57')).toEqual([]);
    expect(causesOf('2021-03-04T10:08:05')).toEqual([]);
    expect(causesOf('2021-03-04T10:07:00')).toHaveLength(1);
  });

  it.each([
    ['a zone', '2021-03-04T10:11:12', '2021-03-04T10:11:12Z'],
    ['another zone', '2021-03-04T10:11:12Z', '2021-03-04T10:11:12+13:00'],
    ['a fraction', '2021-03-04T10:11:12', '2021-03-04T10:11:12.000'],
    ['lost seconds, in a record from before the calls', '2021-03-03T10:11:12', '2021-03-03T10:11:00'],
    ['lost seconds, in a due date', '2021-03-05T10:11:12', '2021-03-05T10:11:00'],
    ['a time from before the calls', '2021-03-04T10:09:00', '2021-03-04T10:11:00'],
  ])('differ by %s', (_, before, after) => {
    expect(causes(before, after)).toHaveLength(1);
  });
});

describe('a refusal by V1', () => {
  const refused = {
    ...{ status: 200, isOk: false },
    root: readDocument(
      '<Response><Status>ERROR</Status><ErrorDescription>No such record</ErrorDescription></Response>',
    ),
  };
  const found = (id: string, after: Parameters<typeof differencesOf>[3]): readonly string[] => {
    const method = deliveredMapping().methods.find((one) => one.id === id);
    if (method === undefined) throw new Error(`the mapping has no ${id}`);
    return differencesOf(method, 'v3', refused, after, within).map(({ detail }) => detail);
  };

  it('is the same refusal on V3', () => {
    expect(found('client.get', refused)).toEqual([]);
    expect(found('client.update', refused)).toEqual([]);
  });

  it('differs from a reply that cannot be read, and from an unknown outcome', () => {
    expect(found('client.get', { status: 200, isOk: false, root: undefined })).toEqual([
      'V1 refuses it with status 200, and here: its reply cannot be read, status 200',
    ]);
    const root = readDocument(
      '<Response><Status>ERROR</Status><ErrorDescription>The outcome is unknown</ErrorDescription></Response>',
    );
    expect(found('client.update', { status: 504, isOk: false, root })).toEqual([
      'V1 refuses it with status 200, and here: The outcome is unknown',
    ]);
  });
});

describe('a golden file and the same call, played', () => {
  const DECLARATION = '<?xml version="1.0" encoding="UTF-8"?>';
  const document = `${DECLARATION}<Response api-method="Get"><Status>OK</Status><Client><ID>7</ID><Address></Address></Client></Response>`;
  const file = `### call

GET /client.api/get/7?apiKey=A&accountKey=B HTTP/1.1

### identifiers

kind,number,uuid

### reply

HTTP/1.1 200 OK
Content-Type: text/xml; charset=utf-8

${document}
`;
  const played = {
    status: 200,
    contentType: 'text/xml; charset=utf-8',
    text: document,
    root: readDocument(document),
  };

  async function change(from: string, to: string): Promise<string | undefined> {
    const { replies } = await readGoldenCall({
      path: 'client/get-0001.http',
      content: file.replace(from, to),
    });
    return replyChange(getClient(), replies.v3, played, within);
  }

  it.each([
    ['the status', '200 OK', '500 Error', 'the HTTP status "500" is "200"'],
    ['the content type', 'text/xml;', 'text/plain;', /^the content type "text\/plain; .* is "text\/xml; /],
    ['the declaration', DECLARATION, '<?xml version="1.0"?>', /^the form of the reply: .*UTF-8/],
    ['the api-method', 'api-method="Get"', 'api-method="Other"', /^the form of the reply: .*Other.*Get/],
    ['white space', '</Status>', '</Status> ', 'the form of the reply: " " is "<Client>"'],
    [
      'the form of empty elements',
      '<Address></Address>',
      '<Address />',
      /^the form of the reply: "<Address \/>" is/,
    ],
    ['a value', '<ID>7</ID>', '<ID>8</ID>', /Response\/Client/],
  ])('differ if only %s differs', async (_, from, to, words) => {
    expect(file).toContain(from);
    expect(await change(from, to)).toEqual(typeof words === 'string' ? words : expect.stringMatching(words));
  });

  it('agree if the file has the same reply', async () => {
    expect(await change('', '')).toBeUndefined();
  });
});
