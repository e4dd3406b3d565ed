import { describe, expect, it } from '@jest/globals';
import { disagreement } from '../../../src/lib/xml/second/second-reader.ts';

const found = (text: string): string | undefined => disagreement(Buffer.from(text));

describe('the second reader', () => {
  it.each([
    '<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="List"><Status>OK</Status><Clients><Client><ID>7</ID><Name>A &amp; B &lt;c&gt;</Name><Address>1 High Street\r\nFloor 2</Address><Email></Email></Client></Clients></Response>',
    '<Response><Status>OK</Status><Clients /></Response>',
    '<Response><Status>OK</Status><Note><![CDATA[1 < 2 && 3]]></Note><!-- kept apart --><Name>Ōamaru &#8217;</Name></Response>',
  ])('reads %j as the first one does', (text) => {
    expect(found(text)).toBeUndefined();
  });

  it('agrees on what is not XML', () => {
    expect(found('<Response><Status>OK</Response>')).toBeUndefined();
    expect(found('{"Title": "Unauthorized"}')).toBeUndefined();
  });

  it('reports that it reads what the first one refuses, and quotes no value', () => {
    const told = found('<Response><Status>OK</Status><Name>Miller&nbsp;Ltd</Name></Response>');
    expect(told).toBe('the whole reply: only the second reader can read it');
  });
});
