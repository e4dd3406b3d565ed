import { describe, expect, it } from '@jest/globals';
import { Desk } from './harness.ts';

const key = (id: string, byte: number): string => `${id}:${Buffer.alloc(32, byte).toString('base64')}`;

async function deskWithAccount(): Promise<Desk> {
  const desk = new Desk({ CAUSEWAY_ENCRYPTION_KEYS: key('k1', 1) });
  const added = await desk.causeway(['accounts', 'add', 'Harbour Lane', '--account-key', '-'], 'KEY-CANARY');
  expect(added.code).toBe(0);
  return desk;
}

const statusOf = async (desk: Desk): Promise<unknown> =>
  JSON.parse((await desk.causeway(['keys', 'status', '--format', 'json'])).out);

describe('causeway keys', () => {
  it('takes an account from one key to the next, and then the old one out', async () => {
    using desk = await deskWithAccount();
    expect(await statusOf(desk)).toMatchObject([{ key: 'k1', role: 'seals', values: 1 }]);

    desk.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k2', 2)},${key('k1', 1)}`;
    expect(await statusOf(desk)).toMatchObject([
      { key: 'k2', role: 'seals', values: 0 },
      { key: 'k1', role: 'opens', values: 1, detail: 'needed: causeway keys rotate seals its values anew' },
    ]);
    const rotated = await desk.causeway(['keys', 'rotate']);
    expect(rotated).toMatchObject({ code: 0, err: '' });
    expect(rotated.out).toMatch(/^account keys +1$/m);
    expect(rotated.out).not.toContain('CANARY');
    expect(await statusOf(desk)).toMatchObject([
      { key: 'k2', values: 1 },
      { key: 'k1', values: 0, detail: 'can be taken out' },
    ]);

    desk.env.CAUSEWAY_ENCRYPTION_KEYS = key('k2', 2);
    const exported = await desk.causeway(['accounts', 'export', '--with-keys']);
    expect(exported.out).toContain('KEY-CANARY');
    // The same key again is the same account still.
    const again = await desk.causeway(['accounts', 'add', 'Twin', '--account-key', '-'], 'KEY-CANARY');
    expect(again.err).toContain('exists already');
  });

  it('refuses to start without a key that still seals something, and changes nothing', async () => {
    using desk = await deskWithAccount();
    desk.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k2', 2)},${key('k1', 1)}`;
    await desk.causeway(['accounts', 'list']);
    desk.env.CAUSEWAY_ENCRYPTION_KEYS = key('k2', 2);
    const refused = await desk.causeway(['accounts', 'list']);
    expect(refused.code).not.toBe(0);
    expect(refused.err).toContain('encryption key k1');
    desk.env.CAUSEWAY_ENCRYPTION_KEYS = key('k1', 1);
    // The first key has changed before: with it alone nothing of the mark can be opened.
    expect((await desk.causeway(['accounts', 'list'])).err).toContain('encryption key k2');
    desk.env.CAUSEWAY_ENCRYPTION_KEYS = `${key('k1', 1)},${key('k2', 2)}`;
    expect((await desk.causeway(['accounts', 'list'])).out).toContain('Harbour Lane');
  });
});
