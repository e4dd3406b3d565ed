import { describe, expect, it } from '@jest/globals';
import { CommandLine } from './harness.ts';

describe('texts on the command line', () => {
  it('are listed, changed, put back and added to', async () => {
    using line = new CommandLine();
    const said = async (...args: readonly string[]) => line.causeway(['texts', ...args]);
    expect((await said('list', 'en', '--changed')).out).toContain('No text of this language is changed.');
    expect((await said('set', 'en', 'connect.button', 'Go on')).out).toBe(
      'connect.button is changed in en\n',
    );
    expect((await said('set', 'en', 'connect.button', 'Go on now')).code).toBe(0);
    expect((await said('list', 'en', '--changed')).out).toContain('Go on now');
    expect((await said('restore', 'en', 'connect.button', '1')).code).toBe(0);
    expect((await said('show', 'en', 'connect.button')).out).toMatch(/text +Go on\nown +Continue to sign in/);
    expect((await said('reset', 'en', 'connect.button')).code).toBe(0);
    expect((await said('list', 'en', '--changed')).out).toContain('No text of this language is changed.');
    expect(await said('set', 'en', 'connect.button', '{nobody}')).toMatchObject({
      code: 1,
      err: expect.stringContaining('connect.button: {nobody} cannot stand here'),
    });
    expect((await said('set', 'en', 'connect.button', ' ')).err).toContain('must be text of 1 to');
    expect((await said('add-language', 'it', '--copy-of', 'fr')).code).toBe(0);
    expect((await said('languages')).out).toMatch(/it +fr/);
    expect((await said('remove-language', 'en')).err).toContain('cannot be removed');
    expect((await said('remove-language', 'it')).code).toBe(0);
  });
});
