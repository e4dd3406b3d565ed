import { describe, expect, it } from '@jest/globals';
import { CommandLine, oauth } from './harness.ts';

describe('texts at the command line', () => {
  it('are listed, changed, reset and added', async () => {
    using line = new CommandLine();
    const said = async (...args: readonly string[]) => line.causeway(['texts', ...args]);
    expect((await said('list', 'en', '--changed')).out).toContain(
      'No text in this language has been changed.',
    );
    expect((await said('set', 'en', 'connect.button', 'Go on')).out).toBe(
      'connect.button is changed in en\n',
    );
    expect((await said('set', 'en', 'connect.button', 'Go on now')).code).toBe(0);
    expect((await said('list', 'en', '--changed')).out).toContain('Go on now');
    expect((await said('restore', 'en', 'connect.button', '1')).code).toBe(0);
    expect((await said('show', 'en', 'connect.button')).out).toMatch(
      /text +Go on\ndefault +Continue to sign in/,
    );
    expect((await said('reset', 'en', 'connect.button')).code).toBe(0);
    expect((await said('list', 'en', '--changed')).out).toContain(
      'No text in this language has been changed.',
    );
    expect(await said('set', 'en', 'connect.button', '{nobody}')).toMatchObject({
      code: 1,
      err: expect.stringContaining('connect.button: {nobody} cannot be used here'),
    });
    for (const asked of [
      ['show', 'en', 'connect.buton'],
      ['set', 'en', 'connect.buton', 'Go on'],
      ['reset', 'en', 'connect.buton'],
    ])
      expect(await said(...asked)).toMatchObject({
        code: 1,
        err: 'causeway: there is no text connect.buton: causeway texts list en shows them all\n',
      });
    expect((await said('set', 'en', 'connect.button', ' ')).err).toContain('must be text of 1 to');
    expect((await said('add-language', 'it', '--copy-of', 'fr')).code).toBe(0);
    expect((await said('languages')).out).toMatch(/it +fr/);
    expect((await said('remove-language', 'en')).err).toContain('cannot be removed');
    expect((await said('remove-language', 'it')).code).toBe(0);
  });

  it('are previewed as message or page, also for one account, whose status page is linked by a token', async () => {
    using line = new CommandLine({ ...oauth, CAUSEWAY_EMBED_ORIGINS: 'https://product.example' });
    await line.causeway(['texts', 'set', 'de', 'letters.first.subject', 'Bitte {account} verbinden']);
    const { out } = await line.causeway(['texts', 'preview', 'de', 'first']);
    expect(out).toMatch(/^Bitte Example Ltd verbinden\n\n/);
    expect((await line.causeway(['texts', 'preview', 'xx', 'first'])).code).toBe(1);
    expect((await line.causeway(['texts', 'preview', 'de', 'none'])).code).toBe(1);
    const page = await line.causeway(['texts', 'preview', 'de', 'connect', '--variant', '3']);
    expect([page.code, page.err]).toEqual([0, '3 of 5: Authorise again; --variant shows the others\n']);
    expect(page.out).toContain('<html lang="de">');
    // After an approval that ended before the move, whose link has been used.
    const ended = await line.causeway(['texts', 'preview', 'en', 'status', '--variant', '2']);
    expect(ended.out).toMatch(/Not authorised yet[^]*Authorise again/);
    expect(ended.out).not.toContain('the link in the invitation');
    // Before the move, V1 goes on serving the programs of a connection that ends.
    const ending = async (variant: string) =>
      /Your programs (?:stop at once|continue with the old keys)/.exec(
        (await line.causeway(['texts', 'preview', 'en', 'status', '--variant', variant])).out,
      )?.[0];
    expect([await ending('7'), await ending('8')]).toEqual([
      'Your programs stop at once',
      'Your programs continue with the old keys',
    ]);
    expect((await line.causeway(['texts', 'preview', 'de', 'connect', '--variant', '6'])).err).toContain(
      'there are 5 of them',
    );
    const account = ['Old Mill', '--account-key', `A${'1'.padStart(31, '0')}`];
    await line.causeway(['accounts', 'add', ...account]);
    await line.causeway(['accounts', 'set', 'Old Mill', '--zone', 'Pacific/Auckland', '--language', 'fr']);
    const letter = await line.causeway(['campaign', 'preview', 'Old Mill', '--format', 'json']);
    expect(JSON.parse(letter.out)).toMatchObject({
      language: 'fr',
      html: expect.stringContaining('_causeway/connect/preview'),
    });
    expect((await line.causeway(['campaign', 'preview', 'Old Mill', '--language', 'en'])).out).toContain(
      'Please authorise the connection of Old Mill',
    );
    const token = await line.causeway(['accounts', 'status-token', 'Old Mill', '--format', 'json']);
    expect(JSON.parse(token.out)).toEqual([
      {
        page: expect.stringMatching(/^\/_causeway\/status\/.+/),
        json: expect.stringMatching(/\/status\.json$/),
        token: expect.any(String),
        expires: expect.stringMatching(/Z$/),
      },
    ]);
    expect(await line.causeway(['parity', 'Old Mill', '--values'])).toMatchObject({
      code: 0,
      out: 'No values are kept: nothing differed, or it was too long ago.\n',
    });
    expect((await line.causeway(['audit'])).out).toContain('parity.values');
  });
});
