import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { exampleClient, exampleStaff, ok, UNKNOWN_CLIENT } from './example.ts';
import { missing, refusal, Service, textOf } from './service.ts';

let service: Service;
const content = Buffer.from('Grüße\n\u0000\u00ff');
const encoded = content.toString('base64');

beforeEach(async () => {
  service = await Service.start();
  await service.seed({ staff: exampleStaff, clients: [exampleClient] });
});

afterEach(async () => {
  await service.stop();
  expect(service.errors).toEqual([]);
});

const upload = (elements: string): string => `<Document>${elements}</Document>`;
const whole =
  '<Title>T &amp; C</Title><Text>Note</Text><Folder>Letters</Folder><FileName>Größe “1”.pdf</FileName>' +
  `<Content>${encoded.slice(0, 4)}\r\n${encoded.slice(4)}</Content>`;

describe('client.api/document and client.api/documents', () => {
  it('uploads, lists and returns the file on V1, whose links need no keys', async () => {
    expect(await service.v1('GET', 'client.api/documents/1000000')).toBe(ok('Documents', '<Documents />'));
    const answer = await service.v1(
      'POST',
      'client.api/document',
      upload(`<ClientID>1000000</ClientID>${whole}`),
    );
    expect(answer).toBe(ok('Document', '<ID>1000000</ID>'));
    const listed = await service.v1('GET', 'client.api/documents/1000000');
    const url = textOf(listed, 'URL') ?? '';
    expect(url).toMatch(/^http:\/\/service\.example\/v1\/files\/[\w-]{43}$/);
    expect(listed).toBe(
      ok(
        'Documents',
        '<Documents><Document><Title>T &amp; C</Title><Text>Note</Text><Folder>Letters</Folder><Date>20261120</Date>' +
          `<CreatedBy>API</CreatedBy><URL>${url}</URL></Document></Documents>`,
      ),
    );
    const file = await fetch(url.replace('http://service.example', service.url));
    expect(Buffer.from(await file.arrayBuffer())).toEqual(content);
    expect(file.headers.get('content-type')).toBe('application/pdf');
    expect(file.headers.get('content-disposition')).toBe(
      `attachment; filename="Gr__e _1_.pdf"; filename*=UTF-8''Gr%C3%B6%C3%9Fe%20%E2%80%9C1%E2%80%9D.pdf`,
    );
  });

  it('returns UUIDs on V3, whose links include the organisation', async () => {
    const body = upload(`<ClientUUID>${exampleClient.uuid}</ClientUUID>${whole}`);
    expect(await service.v3('POST', 'client.api/document', body)).toMatch(
      /<Status>OK<\/Status><UUID>[\da-f-]{36}<\/UUID><\/Response>$/,
    );
    const url = textOf(await service.v3('GET', `client.api/documents/${exampleClient.uuid}`), 'URL') ?? '';
    expect(url).toMatch(/^http:\/\/service\.example\/3\.0\/files\/[\da-f-]{36}$/);
    const path = url.replace('http://service.example/', '');
    expect((await service.call('GET', path)).status).toBe(200);
    const foreign = await service.call('GET', path, undefined, { organisation: 'two' });
    expect(foreign.status).toBe(404);
    expect(foreign.text).toContain('<Status>ERROR</Status>');
  });

  it('returns both identifiers in transition mode', async () => {
    const body = upload(`<ClientID>1000000</ClientID>${whole}`);
    expect(await service.v1('POST', 'client.api/document?uuidMode=transition', body)).toMatch(
      /<Status>OK<\/Status><ID>1000000<\/ID><UUID>[\da-f-]{36}<\/UUID><\/Response>$/,
    );
  });

  it('treats a name as a name, never as a path or a header', async () => {
    const named = whole.replace('Größe “1”.pdf', '../../etc/pass"wd\r\nX: y.html');
    await service.v1('POST', 'client.api/document', upload(`<ClientID>1000000</ClientID>${named}`));
    const url = textOf(await service.v1('GET', 'client.api/documents/1000000'), 'URL') ?? '';
    const file = await service.call('GET', url.replace('http://service.example/', ''));
    expect(file.headers.get('content-disposition')).toMatch(/^attachment; filename="pass_wd_X: y\.html"; /);
    expect(file.headers.get('x-content-type-options')).toBe('nosniff');
  });

  it.each([
    [whole, missing('/Document/ClientID')],
    [`<ClientID>1</ClientID>${whole.replace('T &amp; C', '')}`, missing('/Document/Title')],
    [`<ClientID>1</ClientID><Title>T</Title><Content>${encoded}</Content>`, missing('/Document/FileName')],
    ['<ClientID>1</ClientID><Title>T</Title><FileName>f</FileName>', missing('/Document/Content')],
    [`<ClientID>1</ClientID>${whole}`, UNKNOWN_CLIENT],
    [
      '<ClientID>1000000</ClientID><Title>T</Title><FileName>f</FileName><Content>not base64!</Content>',
      'The content of the document is not base64',
    ],
    [
      '<ClientID>1000000</ClientID><Title>T</Title><FileName>f</FileName><Content>QUI</Content>',
      'The content of the document is not base64',
    ],
  ])('refuses %s', async (elements, text) => {
    expect(await service.v1('POST', 'client.api/document', upload(elements))).toBe(refusal('Document', text));
    expect(await service.v1('GET', 'client.api/documents/1000000')).toContain('<Documents />');
  });

  it('finds no documents of an unknown client', async () => {
    expect(await service.v1('GET', 'client.api/documents/1')).toBe(refusal('Documents', UNKNOWN_CLIENT));
  });

  it('accepts a file of several megabytes', async () => {
    const large = Buffer.alloc(6_000_000, 7).toString('base64');
    const body = upload(
      `<ClientID>1000000</ClientID>${whole.replace(/<Content>.*/s, `<Content>${large}</Content>`)}`,
    );
    expect((await service.call('POST', 'v1/client.api/document', body)).text).toContain(
      '<Status>OK</Status>',
    );
  });

  it('returns a 404 in the form of the service for an unknown link', async () => {
    const answer = await service.call('GET', 'v1/files/unknown');
    expect(answer.status).toBe(404);
    expect(answer.text).toContain('<Response><Status>ERROR</Status>');
  });
});
