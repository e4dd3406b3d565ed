import { describe, expect, it } from '@jest/globals';
import { contactWords, Dialect } from '../../src/http/legacy/dialect.ts';
import { Failure } from '../../src/lib/failure.ts';
import { errorDocument } from '../../src/lib/xml/document.ts';

const described = (failure: Failure, contact?: string): string => {
  const { body } = new Dialect(errorDocument, 500, contact).reply(failure, '/client.api/list');
  return /<ErrorDescription>(.*)<\/ErrorDescription>/.exec(body.toString('utf8'))?.[1] ?? '';
};

describe('the refusal of a connection that must be authorised again', () => {
  const again = new Failure('consentNeeded');

  it('names the integrator and the address to write to', () => {
    const text = described(again, contactWords({ name: 'Tide & Water', support: 'help@tide.example' }));
    expect(text).toContain('This connection must be authorised again');
    expect(text).toMatch(/Tide &amp; Water manages this connection: please write to help@tide\.example$/);
  });

  it('names the integrator if no address is set', () => {
    const text = described(again, contactWords({ name: 'Tidewater', support: undefined }));
    expect(text).toMatch(/Tidewater manages this connection: please ask there$/);
  });

  it('is the only customised one: other refusals are unchanged', () => {
    const contact = contactWords({ name: 'Tidewater', support: 'help@tide.example' });
    expect(described(new Failure('keysRefused'), contact)).toBe('Invalid API key or account key');
  });
});
