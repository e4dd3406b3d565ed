import { describe, expect, it } from '@jest/globals';
import { inspect } from 'node:util';
import { SealBroken } from '../../src/lib/secret/seal.ts';
import { Secret } from '../../src/lib/secret/secret.ts';
import { KeyRing, KeyRingFault, newKeyLine, parseKeys } from '../../src/tokens/sealing/keyring.ts';
import { fc } from '../support/random.ts';

const key = (id: string): string => newKeyLine(id);
const ring = (...lines: string[]): KeyRing => KeyRing.parse(new Secret(lines.join(',')));
const secret = new Secret('the refresh token');

function faultsOf(text: string): readonly string[] {
  try {
    parseKeys(text);
    return [];
  } catch (error) {
    if (error instanceof KeyRingFault) return error.faults;
    throw error;
  }
}

describe('the list of encryption keys', () => {
  it('is read with spaces around its parts, first key first', () => {
    expect(parseKeys(` ${key('new')} , ${key('old')} `).map(({ id }) => id)).toEqual(['new', 'old']);
  });

  it.each([
    ['', ['key 1 is empty']],
    ['abc', ['key 1 has no id: the form is id:base64']],
    [`:${'A'.repeat(44)}`, ['key 1: an id is 1 to 32 letters, digits, "-" or "_"']],
    ['k:AAAA', ['key k has 3 bytes instead of 32']],
    [`k:${'A'.repeat(20)} ${'A'.repeat(23)}=`, ['key k is not base64']],
    [`k:${'A'.repeat(42)}B=`, ['key k is not base64']],
    ['a:AAAA,b:', ['key a has 3 bytes instead of 32', 'key b is not base64']],
  ])('is refused with a message that names each fault: %j', (text, faults) => {
    expect(faultsOf(text)).toEqual(faults);
  });

  it('is refused if an id or a key occurs twice', () => {
    const line = key('a');
    expect(faultsOf(`${line},${key('a')}`)).toEqual(['the id a is used twice']);
    expect(faultsOf(`${line},${line.replace('a:', 'b:')}`)).toEqual(['the keys a and b are the same']);
  });

  it('never shows key material in a message', () => {
    const material = Buffer.alloc(31, 7).toString('base64');
    expect(faultsOf(`k:${material}`).join()).not.toContain(material);
    expect(inspect(ring(key('a')), { depth: 9 })).not.toMatch(/<Buffer/);
  });
});

describe('a sealed value', () => {
  it('opens for its owner and column', () => {
    const keys = ring(key('a'));
    expect(keys.open(keys.seal(secret, 'g', 'c'), 'g', 'c').reveal()).toBe('the refresh token');
  });

  it('has four parts of base64url, the key id first, and is never the same twice', () => {
    const keys = ring(key('a'));
    expect(keys.seal(secret, 'g', 'c')).toMatch(/^a(?::[A-Za-z0-9_-]+){3}$/);
    expect(keys.seal(secret, 'g', 'c')).not.toBe(keys.seal(secret, 'g', 'c'));
    expect(KeyRing.keyIdOf(keys.seal(secret, 'g', 'c'))).toBe('a');
  });

  it.each([
    ['another owner', 'h', 'c'],
    ['another column', 'g', 'd'],
    ['a border moved between owner and column', 'gc', ''],
  ])('does not open for %s', (_, owner, column) => {
    const keys = ring(key('a'));
    const sealed = keys.seal(secret, 'g', 'c');
    expect(() => keys.open(sealed, owner, column)).toThrow(SealBroken);
  });

  it('does not open under another key of the same id, nor under a relabelled one', () => {
    const [a, b] = [key('a'), key('b')];
    const sealed = ring(a).seal(secret, 'g', 'c');
    expect(() => ring(key('a')).open(sealed, 'g', 'c')).toThrow(SealBroken);
    expect(() => ring(a, b).open(sealed.replace(/^a:/, 'b:'), 'g', 'c')).toThrow(SealBroken);
  });

  it('opens with every key of the ring, and is sealed with the first', () => {
    const [old, young] = [key('old'), key('young')];
    const sealed = ring(old).seal(secret, 'g', 'c');
    const both = ring(young, old);
    expect(both.open(sealed, 'g', 'c').reveal()).toBe(secret.reveal());
    expect(KeyRing.keyIdOf(both.seal(secret, 'g', 'c'))).toBe('young');
    expect(both.ids).toEqual(['young', 'old']);
  });

  it('is the text that was sealed, whatever it is, and broken by any change', () => {
    const keys = ring(key('a'));
    fc.assert(
      fc.property(
        fc.string({ unit: 'grapheme' }),
        fc.string(),
        fc.string(),
        fc.nat(),
        (text, owner, column, at) => {
          const sealed = keys.seal(new Secret(text), owner, column);
          expect(keys.open(sealed, owner, column).reveal()).toBe(text);
          const place = 2 + (at % (sealed.length - 2));
          const other = sealed[place] === 'A' ? 'B' : 'A';
          const broken = `${sealed.slice(0, place)}${other}${sealed.slice(place + 1)}`;
          // The last character of a part may carry bits that base64url does not use.
          const same = (part: string): string => Buffer.from(part, 'base64url').toString('hex');
          fc.pre(broken.split(':').map(same).join() !== sealed.split(':').map(same).join());
          expect(() => keys.open(broken, owner, column)).toThrow(SealBroken);
        },
      ),
    );
  });

  it.each(['', 'a', 'a:b:c', 'a:::', 'a:b:c:d', 'a:b:c:d:e', 'zz:AAAA:AAAA:AAAA'])(
    'is not %j, and the message quotes nothing of it',
    (text) => {
      expect(() => ring(key('a')).open(text, 'g', 'c')).toThrow(
        'the sealed c of g cannot be opened: another key or another owner',
      );
    },
  );
});

describe('a keyed hash', () => {
  it('is the same for the same secret, and differs for another purpose, secret or key', () => {
    const keys = ring(key('a'));
    const [mine] = keys.index(secret, 'account-key');
    expect(keys.index(new Secret('the refresh token'), 'account-key')).toEqual([mine]);
    expect(keys.index(secret, 'api-key')).not.toContain(mine);
    expect(keys.index(new Secret('x'), 'account-key')).not.toContain(mine);
    expect(ring(key('a')).index(secret, 'account-key')).not.toContain(mine);
    expect(mine).toMatch(/^[A-Za-z0-9_-]{43}$/);
  });

  it('exists once for each key, that of the sealing key first', () => {
    const [old, young] = [key('old'), key('young')];
    const both = ring(young, old).index(secret, 'state');
    expect(both).toEqual([...ring(young).index(secret, 'state'), ...ring(old).index(secret, 'state')]);
  });
});
