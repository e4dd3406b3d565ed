import { exactly, get, missing, ok, post, refused, studio, type Table } from '../case.ts';
import { documentLosses } from '../clientLosses.ts';
import { studioSeed } from '../seed.ts';

const UNKNOWN_CLIENT = 'Invalid client identifier';
const base64 = (text: string): string => Buffer.from(text, 'utf8').toString('base64');
const wrapped = (text: string): string => base64(text).replace(/.{20}/g, '$&\r\n');
const document = (inner: string): string => `<Document>${inner}</Document>`;
const LIST = 'client.api/documents/1000001';

/** Every link in an answer is followed, without any header, on every lane. */
export const documents: Table = {
  title: 'documents',
  seed: [studioSeed],
  losses: documentLosses,
  cases: [
    studio(
      'the documents of a client, each link fetched',
      get(
        'client.api/documents/1000000',
        ok(
          '<Documents><Document><Title>Agreement &amp; terms</Title><Text>signed</Text><Folder>Legal</Folder><Date>20260216</Date><CreatedBy>Ada Example</CreatedBy><URL>',
          '<Document><Title>Empty</Title><Text></Text><Folder></Folder><Date>20260217</Date><CreatedBy></CreatedBy><URL>',
        ),
      ),
    ),
    studio('a client without documents', get(LIST, exactly('<Documents />'))),
    studio(
      'a document is uploaded, listed and fetched',
      post(
        'client.api/document',
        document(
          `<ClientID>1000001</ClientID><Title>Plan &lt;A&gt;</Title><Text>für Zoë</Text><Folder>Plans</Folder><FileName>plan – größe.txt</FileName><Content>${base64('Grundriß €\r\n')}</Content>`,
        ),
        ok('<Status>OK</Status><ID>'),
      ),
      get(
        LIST,
        ok(
          '<Title>Plan &lt;A&gt;</Title><Text>für Zoë</Text><Folder>Plans</Folder><Date>20261120</Date><CreatedBy>API</CreatedBy>',
        ),
      ),
    ),
    studio(
      'a document of 600 kB in wrapped base64',
      post(
        'client.api/document',
        document(
          `<ClientID>1000001</ClientID><Title>Large</Title><filename>large.pdf</filename><Content>\n${wrapped('0123456789 größer '.repeat(24_000))}\n</Content>`,
        ),
        ok('<ID>'),
      ),
      get(LIST, ok('<Title>Large</Title>')),
    ),
    studio(
      'a file name that tries to be a path',
      post(
        'client.api/document',
        document(
          `<ClientID>1000001</ClientID><Title>Path</Title><FileName>../../etc/pass"wd\\x.txt</FileName><Content>${base64('<script>')}</Content>`,
        ),
        ok('<ID>'),
      ),
      get(LIST, ok('<Title>Path</Title>')),
    ),
    studio(
      'an upload that lacks something',
      post(
        'client.api/document',
        document('<Title>T</Title><FileName>f</FileName><Content>QQ==</Content>'),
        missing('/Document/ClientID'),
      ),
      post(
        'client.api/document',
        document('<ClientID>1000001</ClientID><FileName>f</FileName><Content>QQ==</Content>'),
        missing('/Document/Title'),
      ),
      post(
        'client.api/document',
        document('<ClientID>1000001</ClientID><Title>T</Title><Content>QQ==</Content>'),
        missing('/Document/FileName'),
      ),
      post(
        'client.api/document',
        document('<ClientID>1000001</ClientID><Title>T</Title><FileName>f</FileName>'),
        missing('/Document/Content'),
      ),
      post(
        'client.api/document',
        document(
          '<ClientID>999999999</ClientID><Title>T</Title><FileName>f</FileName><Content>QQ==</Content>',
        ),
        refused(UNKNOWN_CLIENT),
      ),
      post('client.api/document', '', missing('/Document/ClientID')),
      post('client.api/document', '<File><ClientID>1000001</ClientID></File>', missing('/Document/ClientID')),
    ),
    studio(
      'an upload that is no base64',
      post(
        'client.api/document',
        document(
          '<ClientID>1000001</ClientID><Title>T</Title><FileName>f</FileName><Content>not base64!</Content>',
        ),
        refused('The content of the document is not base64'),
      ),
    ),
    studio(
      'documents of nobody',
      get('client.api/documents/999999999', refused(UNKNOWN_CLIENT)),
      get('client.api/documents/1000003', refused(UNKNOWN_CLIENT)),
    ),
  ],
};
