import { describe, expect, it } from '@jest/globals';
import { Secret } from '../../src/lib/secret/secret.ts';
import { KeyRing, newKeyLine } from '../../src/tokens/sealing/keyring.ts';
import { LinkSeal } from '../../src/features/documents/links.ts';
import { HandClock, START } from '../support/clock.ts';
import { MINUTE } from '../../src/lib/time/clock.ts';

const payload = {
  accountId: 'a1',
  url: 'https://service.example/3.0/files/1?x=é',
  expiresAt: START + MINUTE,
};

function seal(keys = newKeyLine('a'), clock = new HandClock()): LinkSeal {
  return new LinkSeal(KeyRing.parse(new Secret(keys)), clock);
}

describe('a document link', () => {
  it('contains its data, unreadably', () => {
    const links = seal();
    const token = links.make(payload);
    expect(token).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(token, 'base64url').toString('latin1')).not.toContain('service');
    expect(links.read(token)).toEqual(payload);
  });

  it('expires after its time', () => {
    const clock = new HandClock();
    const links = seal(newKeyLine('a'), clock);
    const token = links.make(payload);
    clock.advance(MINUTE - 1);
    expect(links.read(token)).toEqual(payload);
    clock.advance(1);
    expect(links.read(token)).toBeUndefined();
  });

  it('can be read with every key of the ring', () => {
    const [old, young] = [newKeyLine('old'), newKeyLine('young')];
    expect(seal(`${young},${old}`).read(seal(old).make(payload))).toEqual(payload);
    expect(seal(young).read(seal(old).make(payload))).toBeUndefined();
  });

  it('is refused if any byte changes, if it is cut, and if it is something else', () => {
    const links = seal();
    const bytes = Buffer.from(links.make(payload), 'base64url');
    for (let at = 0; at < bytes.length; at += 1) {
      const broken = Buffer.from(bytes);
      broken[at] = (broken[at] ?? 0) ^ 1;
      expect(links.read(broken.toString('base64url'))).toBeUndefined();
    }
    for (const text of ['', 'A', '../x', bytes.subarray(0, 30).toString('base64url'), 'A'.repeat(9_000)])
      expect(links.read(text)).toBeUndefined();
  });
});
