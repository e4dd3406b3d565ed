import { describe, expect, it } from '@jest/globals';
import { apiMethod, legacyWords, openReply } from '../../src/mapping/dialect.ts';
import { isMasked } from '../../src/mapping/formats.ts';
import { twoPlaces } from '../../src/mapping/numbers.ts';
import { fc } from '../support/random.ts';

describe('the attribute api-method', () => {
  it.each([
    ['client.api/list', 'List'],
    ['client.api/get/1000000', 'Get'],
    ['client.api/GET/1', 'Get'],
    ['client.api/addrelationship', 'Addrelationship'],
    ['client.api/contact/193/customfield', 'Contact'],
    ['time.api/staff/7', 'Staff'],
    ['customfield.api/definition', 'Definition'],
    ['client.api', undefined],
    ['client.api/', undefined],
    ['client/list', undefined],
    ['client.api/<x>', undefined],
    ['', undefined],
  ])('of a call of %s is %s', (path, method) => {
    expect(apiMethod(path.split('/'))).toBe(method);
  });

  it('is in the first line of a reply, after the declaration', () => {
    expect(openReply(['client.api', 'list'])).toBe(
      '<?xml version="1.0" encoding="UTF-8"?>\r\n<Response api-method="List"><Status>OK</Status>',
    );
  });
});

describe('decimals', () => {
  it('are never floats: their digits stay as they are', () => {
    fc.assert(
      fc.property(
        fc.bigInt({ min: 0n, max: 10n ** 40n }),
        fc.integer({ min: 0, max: 99 }),
        fc.boolean(),
        fc.integer({ min: 0, max: 6 }),
        (whole, cents, negative, zeros) => {
          const fraction = String(cents).padStart(2, '0');
          const sign = negative && (whole > 0n || cents > 0) ? '-' : '';
          expect(twoPlaces(`${sign}${whole}.${fraction}${'0'.repeat(zeros)}`)).toBe(
            `${sign}${whole}.${fraction}`,
          );
        },
      ),
    );
  });

  it('stay unchanged if they have two places', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^-?\d{1,30}(\.\d{0,8})?$/), (text) => {
        const once = twoPlaces(text);
        expect(once).toMatch(/^-?\d+\.\d\d$/);
        expect(twoPlaces(once)).toBe(once);
      }),
    );
  });
});

describe('the check for masked tax numbers', () => {
  it.each(['*', '***', '******789', '**********1', '***12'])('treats %s as masked', (text) => {
    expect(isMasked(text)).toBe(true);
  });

  it.each(['', '123456789', '789', '****6789', '*1*', 'AB*'])('treats %s as not masked', (text) => {
    expect(isMasked(text)).toBe(false);
  });
});

describe('a message of the service', () => {
  it.each([
    ['/Lead/ClientUUID', '/Lead/ClientID'],
    [
      'The following required element was missing - /Client/UUID',
      'The following required element was missing - /Client/ID',
    ],
    ['UUID and ContactUUID', 'ID and ContactID'],
    ['/CustomFields/CustomField/UUID', '/CustomFields/CustomField/UUID'],
    ['a UUIDs b', 'a UUIDs b'],
    ['Invalid client identifier', 'Invalid client identifier'],
  ])('such as "%s" is passed on as "%s"', (words, legacy) => {
    expect(legacyWords(words)).toBe(legacy);
  });
});
