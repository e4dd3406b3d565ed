import { describe, expect, it } from '@jest/globals';
import { sqlOf } from '../support/sql.ts';
import { CommandLine } from './harness.ts';

const KEYS = ['C0000000000000000000000000000001', 'C0000000000000000000000000000002'] as const;

async function village(): Promise<CommandLine> {
  const line = new CommandLine();
  const list = line.file(
    'list.csv',
    [
      'name,account key,e-mail,tags,language,notes',
      `Alder,${KEYS[0]},ana@alder.example,"north, wave-1",de,call after nine`,
      `Birch,${KEYS[1]},,north,,`,
    ].join('\n'),
  );
  expect((await line.causeway(['accounts', 'import', list])).code).toBe(0);
  return line;
}

const namesIn = (out: string): readonly string[] => out.match(/Alder|Birch/g) ?? [];

describe('accounts at the command line', () => {
  it('are selected by every filter of the console, and by a saved group', async () => {
    using line = await village();
    const listed = async (...args: readonly string[]) =>
      namesIn((await line.causeway(['accounts', 'list', ...args])).out);
    expect(await listed('--tag', 'north')).toEqual(['Alder', 'Birch']);
    expect(await listed('--tag', 'wave-1', '--language', 'de')).toEqual(['Alder']);
    expect(await listed('--mail', 'no-address')).toEqual(['Birch']);
    expect(await listed('--search', 'after NINE')).toEqual(['Alder']);
    const wrong = await line.causeway(['accounts', 'list', '--mail', 'perhaps']);
    expect([wrong.code, wrong.err]).toEqual([
      2,
      expect.stringContaining('Allowed choices are none, waiting'),
    ]);
    const saved = await line.causeway(['groups', 'save', 'Without address', '--mail', 'no-address']);
    expect(saved.out).toBe('Without address is saved: mail=no-address\n');
    expect(await listed('--group', 'Without address')).toEqual(['Birch']);
    expect((await line.causeway(['groups', 'list'])).out).toContain('mail=no-address');
    expect((await line.causeway(['groups', 'remove', 'Without address'])).code).toBe(0);
    expect(await line.causeway(['accounts', 'list', '--group', 'Without address'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no group Without address'),
    });
  });

  it('are chosen by a group and further filters for a wave, a brown-out and another group', async () => {
    using line = await village();
    await line.causeway(['groups', 'save', 'silent', '--mail', 'no-address']);
    expect((await line.causeway(['waves', 'add', 'First', '--group', 'silent', '--most', '4'])).code).toBe(0);
    expect((await line.causeway(['waves', 'list', '--format', 'json'])).out).toContain('mail=no-address');
    const start = new Date(Date.now() + 48 * 3_600_000).toISOString().slice(0, 16);
    const when = ['--start', start, '--minutes', '30'];
    expect(
      (await line.causeway(['brownouts', 'plan', '--group', 'silent', '--stage', 'legacy', ...when])).out,
    ).toContain('reads of 1 account,');
    expect(await line.causeway(['groups', 'save', 'both', '--group', 'silent', '--tag', 'north'])).toEqual(
      expect.objectContaining({ code: 0, out: expect.stringMatching(/mail=no-address/) }),
    );
    expect((await line.causeway(['groups', 'list'])).out).toMatch(/both .*tag=north/);
    expect(await line.causeway(['waves', 'add', 'Next', '--group', 'nobody', '--most', '4'])).toMatchObject({
      code: 1,
      err: expect.stringContaining('there is no group nobody'),
    });
    expect(
      await line.causeway(['groups', 'save', 'Next', '--group', 'silent', '--mail', 'none']),
    ).toMatchObject({
      code: 2,
      err: expect.stringContaining('the group silent already has a filter mail: leave out --mail'),
    });
  });

  it('are tagged by name or by filter, and a dry run changes nothing', async () => {
    using line = await village();
    const dry = await line.causeway(['accounts', 'tag', 'wave-2', '--tag', 'north', '--dry-run']);
    expect(dry.out).toContain('wave-2 added');
    expect((await line.causeway(['accounts', 'list', '--tag', 'wave-2'])).err).toContain(
      'no account has the tag wave-2',
    );
    await line.causeway(['accounts', 'tag', 'wave-2', '--tag', 'north']);
    for (const command of [['invite'], ['accounts', 'tag', 'x'], ['accounts', 'list']])
      expect(await line.causeway([...command, '--tag', 'nope'])).toMatchObject({
        code: 1,
        err: expect.stringContaining('no account has the tag nope; there are north'),
      });
    await line.causeway(['accounts', 'untag', 'wave-1,wave-2', 'Alder']);
    expect(namesIn((await line.causeway(['accounts', 'list', '--tag', 'wave-2'])).out)).toEqual(['Birch']);
    expect((await line.causeway(['accounts', 'export'])).out).toContain(',north,call after nine,');
  });

  it('are reported with the reason if they cannot be tagged, and the command fails', async () => {
    using line = await village();
    const many = Array.from({ length: 60 }, (_, index) => `t${index}`).join(' ');
    expect(await line.causeway(['accounts', 'tag', many, 'Alder'])).toMatchObject({
      code: 1,
      out: expect.stringMatching(/Alder +failed +tags are at most 20 words/),
      err: expect.stringContaining('1 of 1 failed'),
    });
    await sqlOf(
      line.env.CAUSEWAY_DATABASE_URL ?? '',
      "create trigger broken before update on account_details begin select raise(abort, 'worn out'); end",
    );
    expect(await line.causeway(['accounts', 'tag', 'west', 'Alder'])).toMatchObject({
      code: 1,
      err: expect.stringMatching(/note: tag failed: .*worn out/),
    });
  });

  it('are found by what a caller quotes; a key can come from standard input', async () => {
    using line = await village();
    expect(namesIn((await line.causeway(['find', '-'], KEYS[1])).out)).toEqual(['Birch']);
    expect(namesIn((await line.causeway(['find', 'ANA@alder'])).out)).toEqual(['Alder']);
    expect((await line.causeway(['find', 'nobody'])).code).toBe(1);
    expect(await line.causeway(['accounts', 'disconnect', 'Alder', '--yes'])).toMatchObject({
      code: 1,
      out: 'Alder: it is not connected\n',
    });
    await line.causeway(['accounts', 'set', 'Alder', '--phone', '+64 9 555 0123', '--zone', 'Europe/Berlin']);
    const shown = await line.causeway(['accounts', 'show', 'Alder', '--format', 'json']);
    expect(JSON.parse(shown.out)).toMatchObject({ phone: '+64 9 555 0123', zone: 'Europe/Berlin' });
    expect((await line.causeway(['accounts', 'show', 'Alder'])).out).toMatch(/^phone +\+64 9 555 0123$/m);
    await line.causeway(['campaign', 'talk', 'Birch', 'Ring the bookkeeper']);
    expect(namesIn((await line.causeway(['find', '(09) 555-0123'])).out)).toEqual(['Alder']);
    expect(namesIn((await line.causeway(['find', 'bookkeeper'])).out)).toEqual(['Birch']);
  });
});
