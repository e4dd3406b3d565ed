import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { readImportFile } from '../../src/features/accounts/import/file.ts';
import { CommandLine, oauth } from './harness.ts';

const key = (n: number): string => n.toString(16).toUpperCase().padStart(32, 'B');

interface Line {
  readonly line: number;
  readonly account?: string;
  readonly result: string;
  readonly detail?: string;
}

const imported = async (commandLine: CommandLine, text: string, ...more: readonly string[]) => {
  const path = commandLine.file('in.csv', text);
  const told = await commandLine.causeway(['accounts', 'import', path, '--format', 'json', ...more]);
  return { ...told, lines: told.out === '' ? [] : (JSON.parse(told.out) as readonly Line[]) };
};

const show = async (commandLine: CommandLine, name: string): Promise<Record<string, unknown>> =>
  JSON.parse((await commandLine.causeway(['accounts', 'show', name, '--format', 'json'])).out) as Record<
    string,
    unknown
  >;

describe('a list of accounts', () => {
  const list = [
    'name,account key,API key,product,organisation,contact name,e-mail,language,notes',
    `Old Mill Engineering,${key(1)},${key(9)},standard,Old Mill Ltd,Ada Miller,ada@example.com,en,"likes ""quotes"", and commas"`,
    `Two Rivers,${key(2)},,practice,,,grace@example.com,de,"two\nlines"`,
    '',
  ].join('\r\n');

  it('is previewed by a dry run, imported, and changes nothing the second time', async () => {
    using commandLine = new CommandLine();
    const dry = await imported(commandLine, list, '--dry-run');
    expect(dry).toMatchObject({
      code: 0,
      lines: [
        { line: 2, result: 'new' },
        { line: 3, result: 'new' },
      ],
    });
    expect((await commandLine.causeway(['accounts', 'list'])).out).toContain('There is no account yet');
    const first = await imported(commandLine, list);
    expect(first.lines).toEqual(dry.lines);
    expect(first.err).toContain('2 new, 0 changed, 0 unchanged, 0 faulty');
    expect(await show(commandLine, 'Old Mill Engineering')).toMatchObject({
      contact: 'Ada Miller',
      email: 'ada@example.com',
      expected: 'Old Mill Ltd',
      notes: 'likes "quotes", and commas',
    });
    const before = await commandLine.causeway(['accounts', 'show', 'Two Rivers', '--format', 'json']);
    const second = await imported(commandLine, list);
    expect(second).toMatchObject({ code: 0, lines: [{ result: 'same' }, { result: 'same' }] });
    expect(await commandLine.causeway(['accounts', 'show', 'Two Rivers', '--format', 'json'])).toEqual(
      before,
    );
    for (const told of [dry, first, second]) expect(told.out + told.err).not.toContain(key(1));
  });

  it('keeps accounts that were never on V1 as such in a new database', async () => {
    using old = new CommandLine(oauth);
    await old.causeway(['accounts', 'add', '--new', 'Brand New']);
    const exported = (await old.causeway(['accounts', 'export', '--with-keys'])).out;
    using fresh = new CommandLine();
    expect((await imported(fresh, exported)).lines).toMatchObject([{ result: 'new' }]);
    expect(await show(fresh, 'Brand New')).toMatchObject({ origin: 'issued' });
  });

  it('keeps closed accounts closed in a new database, and changes nothing in its own', async () => {
    using old = new CommandLine();
    await imported(old, list);
    await old.causeway(['accounts', 'close', 'Two Rivers', '--yes']);
    const exported = (await old.causeway(['accounts', 'export', '--with-keys'])).out;
    expect(await imported(old, exported)).toMatchObject({
      code: 0,
      lines: [{ result: 'same' }, { result: 'same' }],
    });
    using fresh = new CommandLine();
    const first = await imported(fresh, exported);
    expect(first).toMatchObject({
      code: 0,
      lines: [{ result: 'new' }, { result: 'new', detail: 'added as closed, as the list says' }],
    });
    expect(await show(fresh, 'Two Rivers')).toMatchObject({ stage: 'closed', email: 'grace@example.com' });
    expect(await show(fresh, 'Old Mill Engineering')).toMatchObject({ stage: 'legacy' });
    const others = exported.replace('grace@', 'anna@').replace('legacy', 'closed');
    expect((await imported(fresh, others)).lines).toMatchObject([
      { result: 'same', detail: 'the list says that it is closed, and here it is not' },
      { result: 'faulty', detail: 'the account is closed' },
    ]);
  });

  it('changes what differs and names it; an empty cell keeps the value', async () => {
    using commandLine = new CommandLine();
    await imported(commandLine, list);
    const changed = await imported(
      commandLine,
      `account key;name;e-mail;organisation\n${key(1)};Old Mill;;Old Mill Group\n${key(2)};Two Rivers;;\n`,
    );
    expect(changed.lines).toEqual([
      {
        ...{ line: 2, account: 'Old Mill', result: 'changed' },
        detail: 'name: Old Mill Engineering → Old Mill, organisation: Old Mill Ltd → Old Mill Group',
      },
      { line: 3, account: 'Two Rivers', result: 'same' },
    ]);
    expect(await show(commandLine, 'Old Mill')).toMatchObject({
      email: 'ada@example.com',
      expected: 'Old Mill Group',
    });
  });

  it('warns of a language without e-mail texts, and accepts it, as add and set do', async () => {
    using commandLine = new CommandLine();
    const text = [
      'name,account key,language',
      `Old Mill,${key(1)},xx`,
      `Two Rivers,${key(2)},de-CH`,
      `Harbour,${key(3)},`,
      'Birch,123,',
    ].join('\n');
    const { code, lines } = await imported(commandLine, text);
    expect(code).toBe(0);
    expect(lines.map(({ result, detail }) => [result, detail])).toEqual([
      ['new', 'there are no texts in xx: e-mails will be in en'],
      ['new', undefined],
      ['new', undefined],
      ['new', expect.stringContaining('the account key does not have the usual form')],
    ]);
    const note = 'note: there are no texts in ge: e-mails will be in en\n';
    const add = ['accounts', 'add', 'Fern', '--account-key', key(4), '--language', 'ge'];
    expect((await commandLine.causeway(add)).err).toContain(note);
    const set = async (language: string) =>
      (await commandLine.causeway(['accounts', 'set', 'Two Rivers', '--language', language])).err;
    expect([await set('ge'), await set('de')]).toEqual([note, '']);
  });

  it('warns of an organisation id that is no UUID, as add and set do', async () => {
    using commandLine = new CommandLine();
    const uuid = '3F0C2B7E-5A41-4B8E-9C55-0F6D2A1B7C93';
    const text = `name,account key,organisation id\nOld Mill,${key(1)},${uuid}\nBirch,${key(2)},birch`;
    const { lines } = await imported(commandLine, text);
    const words = 'the organisation id does not have the usual form';
    expect(lines.map(({ detail }) => detail)).toEqual([undefined, expect.stringContaining(words)]);
    const notes = async (...args: readonly string[]) =>
      (await commandLine.causeway(['accounts', ...args])).err.includes(`note: ${words}`);
    const add = (name: string, place: number, id: string) =>
      notes('add', name, '--account-key', key(place), '--organisation-id', id);
    expect(await add('Fern', 3, 'fern')).toBe(true);
    expect(await add('Rata', 4, uuid)).toBe(false);
    expect(await notes('set', 'Rata', '--organisation-id', 'rata')).toBe(true);
    expect(await notes('set', 'Rata', '--organisation-id', '')).toBe(false);
  });

  it('warns if two accounts have the same name, with the line of the other, and accepts both', async () => {
    using commandLine = new CommandLine();
    await commandLine.causeway(['accounts', 'add', 'Old Mill', '--account-key', key(1)]);
    const text = [
      'name,account key',
      `old mill,${key(2)}`,
      `Two Rivers,${key(3)}`,
      `Two Rivers,${key(4)}`,
      `Harbour,${key(5)}`,
    ].join('\n');
    for (const more of [['--dry-run'], []]) {
      const { code, lines, err } = await imported(commandLine, text, ...more);
      expect(code).toBe(0);
      expect(lines.map(({ result, detail }) => [result, detail])).toEqual([
        ['new', 'another account has the same name: use its id in commands'],
        ['new', undefined],
        ['new', 'the account of line 3 has the same name: use its id in commands'],
        ['new', undefined],
      ]);
      expect(err).toContain('line 2: check: another account has the same name');
      expect(err).toContain('line 4: check: the account of line 3');
    }
    const ids = (
      JSON.parse((await commandLine.causeway(['accounts', 'list', '--format', 'json'])).out) as {
        readonly id: string;
        readonly name: string;
      }[]
    ).filter(({ name }) => name === 'Two Rivers');
    const named = await commandLine.causeway(['accounts', 'show', 'Two Rivers']);
    expect(named.code).toBe(1);
    for (const { id } of ids) expect(named.err).toContain(`${id} (Not moved, no e-mail address)`);
    await commandLine.causeway(['accounts', 'set', ids[1]?.id ?? '', '--email', 'tama@example.com']);
    const told = await commandLine.causeway(['accounts', 'show', 'Two Rivers']);
    expect(told.err).toContain(`${ids[1]?.id ?? ''} (Not moved, tama@example.com)`);
    // A list that gives one of them another name warns no more.
    const renamed = await imported(
      commandLine,
      `name,account key\nTwo Rivers North,${key(4)}\nTwo Rivers,${key(3)}`,
    );
    expect(renamed.lines.map(({ result, detail }) => [result, detail])).toEqual([
      ['changed', 'name: Two Rivers → Two Rivers North'],
      ['same', undefined],
    ]);
  });

  it('imports the good lines and reports every bad one with its number and all its faults', async () => {
    using commandLine = new CommandLine();
    const { code, lines, err } = await imported(
      commandLine,
      [
        'name,account key,product,email,language',
        `Good,${key(1)},,,`,
        `No key,,,,`,
        `,${key(3)},,,`,
        `Bad product,${key(4)},gold,,`,
        `Two addresses,${key(5)},,"a@example.com, b@example.com",`,
        `A header,${key(6)},,"a@example.com\r\nBcc: all@example.com",`,
        `Everything,bad key,gold,@,!`,
        `A NUL\0,${key(7)},,,`,
        `Again,${key(1)},,,`,
        `Too many,${key(8)},,,,surplus`,
        `Good too,${key(9)},PRACTICE,a@example.com,EN`,
        `Stray,"${key(10)}"x,,,`,
        `Open,"${key(11)},,,`,
      ].join('\n'),
    );
    expect(code).toBe(1);
    expect(lines.filter(({ result }) => result === 'new').map(({ account }) => account)).toEqual([
      'Good',
      'Good too',
    ]);
    const told = lines
      .filter(({ result }) => result === 'faulty')
      .map(({ line, detail }) => `${line}: ${detail ?? ''}`);
    const name = 'a name must be one line of 1 to 200 characters';
    const product = 'the product must be standard or practice';
    const email = 'the e-mail must be one plain address (name@example.com)';
    expect(told).toEqual([
      '3: the account key is missing',
      '4: a new account needs a name',
      `5: ${product}`,
      `6: ${email}`,
      `7: ${email}`,
      `9: an account key must be 1 to 128 printable characters, without spaces; ${product}; ${email}; the language must be a code like en or pt-br`,
      `10: ${name}`,
      '11: line 2 (Good) has the same account key',
      '12: there are more cells than columns',
      '14: there is text behind a closing quotation mark',
      '15: a quotation mark is never closed',
    ]);
    expect(err).toContain('line 3: the account key is missing\n');
  });

  it('says how many lines a quotation mark that is never closed takes, and keeps them all in the faulty file', async () => {
    using commandLine = new CommandLine();
    const lines = [
      'name,account key,e-mail',
      `One,${key(1)},`,
      `"Two,${key(2)},`,
      `Three,${key(3)},c@example.com`,
    ];
    const faultyAt = join(commandLine.folder, 'faulty.csv');
    const {
      code,
      err,
      lines: told,
    } = await imported(
      commandLine,
      `${[...lines, `Four,${key(4)},`].join('\r\n')}\r\n\r\n`,
      '--faulty',
      faultyAt,
    );
    const fault =
      'a quotation mark is never closed; from line 3 to the end of the file nothing was read (3 lines)';
    expect(code).toBe(1);
    expect(told[1]).toEqual({ line: 3, result: 'faulty', detail: fault });
    expect(err).toContain('1 new, 0 changed, 0 unchanged, 3 faulty\n');
    expect(err).toContain('3 lines were not imported');
    expect(readFileSync(faultyAt, 'utf8').trimStart().split('\r\n')).toEqual([
      'name,account key,e-mail,fault',
      `"""Two",${key(2)},,"line 3: ${fault}"`,
      `Three,${key(3)},c@example.com,line 4: not read because of line 3`,
      `Four,${key(4)},,line 5: not read because of line 3`,
      '',
    ]);
  });

  it('imports nothing rather than replace the file for its faulty lines, unless told to', async () => {
    using commandLine = new CommandLine();
    const faultyAt = join(commandLine.folder, 'faulty.csv');
    const text = `name,account key\nOne,${key(1)}\n,${key(2)}\n`;
    writeFileSync(faultyAt, 'the list of yesterday');
    const refused = await imported(commandLine, text, '--faulty', faultyAt);
    expect(refused).toMatchObject({ code: 1, lines: [] });
    expect(refused.err).toContain(`${faultyAt} already exists; --force replaces it`);
    expect(readFileSync(faultyAt, 'utf8')).toBe('the list of yesterday');
    expect((await commandLine.causeway(['accounts', 'list', '--format', 'csv'])).out).not.toContain('One');
    const forced = await imported(commandLine, text, '--faulty', faultyAt, '--force');
    expect(forced.lines.map(({ result }) => result)).toEqual(['new', 'faulty']);
    expect(readFileSync(faultyAt, 'utf8')).toContain(key(2));
  });

  it('says which lines were taken by a quotation mark that another one closes further down', async () => {
    using commandLine = new CommandLine();
    const { err, lines } = await imported(
      commandLine,
      `name,account key\n"One,${key(1)}\nTwo,${key(2)}\n"Three",${key(3)}\nFour,${key(4)}\n`,
    );
    expect(lines.map(({ result }) => result)).toEqual(['faulty', 'new']);
    expect(lines[0]?.detail).toBe(
      'there is text behind a closing quotation mark; from line 2 to line 4 nothing was read (3 lines)',
    );
    expect(err).toContain('3 lines were not imported');
  });

  it('warns if a line gives an account the name and e-mail address of another customer', async () => {
    using commandLine = new CommandLine();
    const text = `name,account key,email\nPlain One,${key(1)},one@example.com\nPlain Five,${key(1)},five@example.com`;
    const folder = commandLine.folder;
    const { lines } = await imported(commandLine, text, '--faulty', join(folder, 'faulty.csv'));
    expect(lines[1]?.detail).toBe('line 2 (Plain One) has the same account key');
    const faulty = readFileSync(join(folder, 'faulty.csv'), 'utf8');
    const again = await imported(commandLine, faulty, '--dry-run');
    const words = 'is this another customer? Its key or id is that of Plain One (one@example.com)';
    expect(again.err).toContain(`line 2: check: ${words}\n`);
    const { err } = await imported(
      commandLine,
      `name,account key,email\nPlain One Ltd,${key(1)},one@example.com`,
    );
    expect(err).not.toContain('another customer');
  });

  it('says of an account that its campaign is over because every reminder was sent', async () => {
    using commandLine = new CommandLine();
    await imported(commandLine, `name,account key\nOld Mill,${key(1)}`);
    const database = new DatabaseSync(join(commandLine.folder, 'causeway.db'));
    database.exec(`insert into campaign_runs (account_id, cause, began_at, reminders, state, stop_reason, stopped_at)
      select id, 'invited', 0, 3, 'stopped', 'done', 86400000 from accounts`);
    database.close();
    const { campaign } = await show(commandLine, 'Old Mill');
    expect(campaign).toMatch(/, over since 1970-01-02.*: every reminder was sent$/);
  });

  it('of too many lines is refused with the number that a file may have', async () => {
    await expect(readImportFile(`account key\n${'K\n'.repeat(1_001)}`, 1_000)).rejects.toThrow(
      'the file has more than 1,000 lines; split it',
    );
  });

  it('gives the expected organisation by what is known of it', async () => {
    using commandLine = new CommandLine();
    const id = '3f0c2b7e-5a41-4b8e-9c55-0f6d2a1b7c93';
    const text = `name,account key,organisation,organisation id\nOld Mill,${key(1)},,${id}\nTwo Rivers,${key(2)},Rivers,${id}`;
    await imported(commandLine, text);
    expect((await commandLine.causeway(['accounts', 'show', 'Old Mill'])).out).toMatch(
      new RegExp(`^expected +${id}$`, 'm'),
    );
    expect(await show(commandLine, 'Two Rivers')).toMatchObject({ expected: `Rivers (${id})` });
  });

  it('can have tabs between its cells, as a spreadsheet copies them', async () => {
    using commandLine = new CommandLine();
    const text = `name\taccount key\te-mail\nMill, Old\t${key(1)}\told@mill.example\nTwo Rivers\t${key(2)}\t\n`;
    expect((await imported(commandLine, text)).lines).toMatchObject([
      { account: 'Mill, Old', result: 'new' },
      { account: 'Two Rivers', result: 'new' },
    ]);
    expect(await show(commandLine, 'Mill, Old')).toMatchObject({ email: 'old@mill.example' });
  });

  it('with nothing below the names of its columns is said to be empty', async () => {
    using commandLine = new CommandLine();
    const path = commandLine.file('in.csv', 'name,account key\n');
    expect(await commandLine.causeway(['accounts', 'import', path])).toMatchObject({
      code: 0,
      out: 'There is nothing to import: the file has no line below the names of the columns.\n',
    });
  });

  it('says how many new accounts have no e-mail address', async () => {
    using commandLine = new CommandLine();
    const text = `name,account key,email\nOld Mill,${key(1)},a@example.com\nTwo Rivers,${key(2)},`;
    const { err } = await imported(commandLine, text);
    expect(err).toContain('1 new account without an e-mail address: nothing can be sent there\n');
  });

  it('refuses a line whose key and id name different accounts', async () => {
    using commandLine = new CommandLine();
    await commandLine.causeway(['accounts', 'add', 'A', '--account-key', key(1), '--email', 'a@example.com']);
    await commandLine.causeway(['accounts', 'add', 'B', '--account-key', key(2)]);
    const { id } = await show(commandLine, 'A');
    const { code, lines } = await imported(
      commandLine,
      `name,account key,email,id\nNew,${key(3)},new@example.com,${String(id)}\nB,${key(2)},b@example.com,${String(id)}\n`,
    );
    expect(code).toBe(1);
    const detail = 'the account with this id has another account key: correct one or leave out the id';
    expect(lines).toMatchObject([
      { result: 'faulty', detail },
      { result: 'faulty', detail },
    ]);
    expect(await show(commandLine, 'A')).toMatchObject({ name: 'A', email: 'a@example.com' });
  });

  it('accepts usual column names, a byte order mark and semicolons', async () => {
    using commandLine = new CommandLine();
    const { code, err } = await imported(
      commandLine,
      `\uFEFFCustomer;"Account-Key";E Mail Address;Favourite colour;Organization\n"Old; Mill";${key(1)};ada@example.com;blue;Mill Ltd\n`,
    );
    expect(code).toBe(0);
    expect(err).toContain('unknown columns were ignored: "Favourite colour"');
    expect(await show(commandLine, 'Old; Mill')).toMatchObject({
      email: 'ada@example.com',
      expected: 'Mill Ltd',
    });
  });

  it('counts a single rejected line in the singular', async () => {
    using commandLine = new CommandLine();
    const one = await imported(commandLine, `name,account key\nGood,${key(1)}\nNo key,\n`);
    expect(one).toMatchObject({ code: 1 });
    expect(one.err).toContain('causeway: 1 line was not imported\n');
  });

  it.each([
    ['an empty file', '', 'the file is empty'],
    ['no header', `Old Mill,${key(1)}\n`, 'must name the columns'],
    ['a column twice', 'name,account key,Account Key\n', 'the column account key appears twice'],
    ['bytes that are no UTF-8', `name,account key\nM\uFFFDller,${key(1)}\n`, 'the file is not in UTF-8'],
  ])('is refused if it has %s', async (_name, text, words) => {
    using commandLine = new CommandLine();
    const { code, err } = await imported(commandLine, text);
    expect(code).toBe(1);
    expect(err).toContain(words);
  });

  it('of ten thousand hostile lines is judged line by line', async () => {
    using commandLine = new CommandLine();
    const hostile = [
      (n: number) => `=cmd|'/c calc'!A${n},${key(n)},a${n}@example.com`,
      (n: number) => `"Quo""ted ${n}",${key(n)},a${n}@example.com`,
      (n: number) => `${'x'.repeat(5_000)},${key(n)},`,
      (n: number) => `Nul,\0${key(n)},`,
      (n: number) => `Mail,${key(n)},"${'a'.repeat(3_000)}@example.com"`,
      (n: number) => `,,,,,,${n}`,
      (n: number) => `"""""",${n},"""`,
    ];
    // An odd number of quotation marks in the last form makes every second pair of lines one cell: bounded all the same.
    const lines = Array.from({ length: 10_000 }, (_, n) => hostile[n % 6]?.(n) ?? '');
    const { code, lines: told } = await imported(
      commandLine,
      ['name,account key,e-mail', ...lines, hostile[6]?.(1)].join('\n'),
    );
    expect(code).toBe(1);
    expect(told).toHaveLength(10_001);
    expect(told.filter(({ result }) => result === 'new')).toHaveLength(3_334);
  });
});

describe('an export', () => {
  it('can be imported again: formulas stay text, and keys appear only on request', async () => {
    using commandLine = new CommandLine();
    const name = '=HYPERLINK("http://example.com")';
    await commandLine.causeway([
      'accounts',
      'add',
      name,
      '--account-key',
      key(1),
      '--notes',
      '+1 "x", y',
      '--email',
      'a@example.com',
    ]);
    await commandLine.causeway([
      'accounts',
      'add',
      'With API key',
      '--account-key',
      key(2),
      '--api-key',
      key(3),
    ]);
    const plain = await commandLine.causeway(['accounts', 'export']);
    expect(plain.out).not.toContain(key(1));
    expect(plain.out).toContain(`"'=HYPERLINK(""http://example.com"")"`);
    const full = `${commandLine.folder}/full.csv`;
    expect(
      (await commandLine.causeway(['accounts', 'export', '--with-keys', '--output', full])).out,
    ).toContain('2 accounts were written');
    const again = ['accounts', 'export', '--output', full];
    const refused = { code: 1, err: `causeway: ${full} already exists; --force replaces it\n` };
    expect(await commandLine.causeway(again)).toMatchObject(refused);
    expect(readFileSync(full, 'utf8')).toContain(key(1));
    expect((await commandLine.causeway([...again, '--with-keys', '--force'])).code).toBe(0);
    for (const path of [full, commandLine.file('plain.csv', plain.out)]) {
      const { code, err } = await commandLine.causeway(['accounts', 'import', path]);
      expect(err).toBe('0 new, 0 changed, 2 unchanged, 0 faulty\n');
      expect(code).toBe(0);
    }
    using other = new CommandLine();
    await other.causeway(['accounts', 'import', full]);
    expect(
      (await other.causeway(['accounts', 'export', '--with-keys'])).out.replaceAll(/[0-9a-f-]{36}/g, 'id'),
    ).toBe(
      (await commandLine.causeway(['accounts', 'export', '--with-keys'])).out.replaceAll(
        /[0-9a-f-]{36}/g,
        'id',
      ),
    );
  });
});

describe('an export of names that begin with apostrophes or wide signs', () => {
  it.each(["'=1+1", "''-", "'", "'Twas", '＝1+1', '@'])('can be imported again: %j', async (name) => {
    using commandLine = new CommandLine();
    await commandLine.causeway(['accounts', 'add', '--account-key', key(1), '--', name]);
    const { out } = await commandLine.causeway(['accounts', 'export']);
    expect(out).not.toMatch(/^"?[=+\-@＝＋－＠]/m);
    const { err } = await commandLine.causeway(['accounts', 'import', commandLine.file('list.csv', out)]);
    expect(err).toBe('0 new, 0 changed, 1 unchanged, 0 faulty\n');
  });
});

describe('an account at the command line', () => {
  let commandLine: CommandLine;
  beforeAll(async () => {
    commandLine = new CommandLine(oauth);
    await commandLine.causeway(['accounts', 'add', 'Old Mill', '--account-key', key(1)]);
  });
  afterAll(() => {
    commandLine[Symbol.dispose]();
  });

  it('counts as incomplete while it has nobody to write to', async () => {
    expect(
      (await commandLine.causeway(['accounts', 'list', '--incomplete', '--format', 'json'])).out,
    ).toContain('"toComplete": "e-mail"');
    const { out } = await commandLine.causeway([
      'accounts',
      'set',
      'Old Mill',
      '--email',
      ' ada@example.com ',
      '--name',
      'Old Mill Ltd',
    ]);
    expect(out).toBe('Old Mill was changed: name, e-mail\n');
    expect(
      (await commandLine.causeway(['accounts', 'set', 'Old Mill Ltd', '--email', 'ada@example.com'])).out,
    ).toContain('nothing was changed');
    expect((await commandLine.causeway(['accounts', 'list', '--incomplete'])).out).toBe(
      'No account has missing details.\n',
    );
    expect((await show(commandLine, 'Old Mill Ltd')).timeline).toMatchObject([
      {},
      { kind: 'changed', detail: 'name, e-mail' },
    ]);
  });

  it('loses a value if an empty text is given', async () => {
    await commandLine.causeway(['accounts', 'set', 'Old Mill Ltd', '--notes', 'one']);
    expect((await commandLine.causeway(['accounts', 'set', 'Old Mill Ltd', '--notes', ''])).out).toContain(
      'notes',
    );
    expect((await show(commandLine, 'Old Mill Ltd')).notes).toBeUndefined();
  });

  it.each([
    ['a list of addresses', ['--email', 'a@example.com,b@example.com'], 1],
    ['an address with a line', ['--email', 'a@example.com\nBcc: x@example.com'], 1],
    ['a name of two lines', ['--name', 'a\nb'], 1],
    ['an unknown product', ['--product', 'gold'], 2],
    ['nothing at all', [], 2],
  ] as const)('is not changed by %s', async (_name, options, code) => {
    const before = await show(commandLine, 'Old Mill Ltd');
    expect((await commandLine.causeway(['accounts', 'set', 'Old Mill Ltd', ...options])).code).toBe(code);
    expect(await show(commandLine, 'Old Mill Ltd')).toEqual(before);
  });

  it('that never had V1 keys gets a legacy pair, once, and a link', async () => {
    const { code, out } = await commandLine.causeway(['accounts', 'add', 'Brand New', '--new']);
    expect(code).toBe(0);
    const [, apiKey = '', accountKey = ''] =
      /API key +([0-9A-F]{32})\naccount key +([0-9A-F]{32})\n/.exec(out) ?? [];
    expect(apiKey).not.toBe(accountKey);
    expect(out).toContain('https://causeway.example.com/_causeway/connect/');
    expect(await show(commandLine, 'Brand New')).toMatchObject({ origin: 'issued', stage: 'legacy' });
    expect((await commandLine.causeway(['accounts', 'show', 'Brand New'])).out).not.toContain(accountKey);
    expect(
      (await commandLine.causeway(['accounts', 'add', 'Both', '--new', '--account-key', key(7)])).code,
    ).toBe(2);
  });

  it('is closed for good, together with its links', async () => {
    await commandLine.causeway(['accounts', 'add', 'Short', '--account-key', key(5)]);
    await commandLine.causeway(['invite', 'Short']);
    expect((await commandLine.causeway(['accounts', 'close', 'Short', '--dry-run'])).out).toContain(
      'would be closed',
    );
    const asked = await commandLine.causeway(['accounts', 'close', 'Short']);
    expect(asked).toMatchObject({ code: 1 });
    expect(asked.out).toContain('Short (Not moved) would be closed: this cannot be undone; calls');
    expect(asked.err).toContain('--yes does it');
    expect(await show(commandLine, 'Short')).toMatchObject({ stage: 'legacy' });
    expect((await commandLine.causeway(['accounts', 'close', 'Short', 'Nobody', '--yes'])).code).toBe(1);
    expect(await show(commandLine, 'Short')).toMatchObject({ stage: 'legacy' });
    expect((await commandLine.causeway(['accounts', 'close', 'Short', '--yes'])).code).toBe(0);
    expect(await show(commandLine, 'Short')).toMatchObject({ stage: 'closed' });
    expect((await commandLine.causeway(['accounts', 'close', 'Short', '--yes'])).code).toBe(1);
    expect((await commandLine.causeway(['invite', 'Short'])).code).toBe(1);
  });
});

describe('invitations and reminders at the command line', () => {
  const mail = {
    ...oauth,
    CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:9',
    CAUSEWAY_MAIL_FROM: 'Causeway <c@example.com>',
  };

  const commandLine = async (): Promise<CommandLine> => {
    const made = new CommandLine(mail);
    await imported(
      made,
      `name,account key,email\nWith,${key(1)},a@example.com\nWithout,${key(2)},\nOther,${key(3)},b@example.com\n`,
    );
    return made;
  };
  const results = (out: string): readonly string[] =>
    (JSON.parse(out) as readonly { account: string; result: string }[])
      .map(({ account, result }) => `${account}: ${result}`)
      .sort();

  it('say that nothing is sent while the database is in doubt', async () => {
    using made = await commandLine();
    const copy = join(made.folder, 'copy');
    await made.causeway(['backup', copy]);
    expect((await made.causeway(['invite', 'With'])).err).not.toContain('no e-mail is sent');
    await made.causeway(['restore', copy, '--yes']);
    const note =
      /^note: no e-mail is sent until .*\(causeway deployment acknowledge\): a backup was restored/m;
    expect((await made.causeway(['invite', 'With'])).err).toMatch(note);
    expect((await made.causeway(['remind', 'With'])).err).toMatch(note);
    expect((await made.causeway(['withdraw', 'With'])).err).not.toMatch(note);
  });

  it('are previewed, then queued once for every account with an address', async () => {
    using made = await commandLine();
    const all = ['invite', '--all', '--format', 'json'] as const;
    expect(results((await made.causeway([...all, '--dry-run'])).out)).toEqual([
      'Other: invitation would be queued',
      'With: invitation would be queued',
      'Without: left',
    ]);
    const first = await made.causeway(all);
    expect(first.code).toBe(0);
    expect(results(first.out)).toEqual([
      'Other: invitation queued',
      'With: invitation queued',
      'Without: left',
    ]);
    expect(results((await made.causeway(['invite', '--stage', 'legacy', '--format', 'json'])).out)).toEqual([
      'Other: left',
      'With: left',
      'Without: left',
    ]);
    expect(first.out).not.toContain('/_causeway/connect/');
    expect((await show(made, 'With')).mails).toMatchObject([{ kind: 'invitation', state: 'queued' }]);
  });

  it('end with code 1 if a named account has no address', async () => {
    using made = await commandLine();
    const { code, out, err } = await made.causeway(['invite', 'With', 'Without']);
    expect(code).toBe(1);
    expect(out).toContain('invitation queued');
    expect(err).toContain('1 of 2 accounts were left as they are');
  });

  it.each<readonly [readonly string[], readonly string[]]>([
    [['--product', 'practice'], ['Two']],
    [
      ['--language', 'de'],
      ['One', 'Two'],
    ],
    [['--language', 'en'], ['Three']],
    [['--language', 'de', '--product', 'standard'], ['One']],
    [['--search', 'HARBOUR'], ['Three']],
    [['--stage', 'lost', '--product', 'practice'], []],
  ])('are limited to a group, as lists and moves are: %j', async (group, names) => {
    using made = new CommandLine(mail);
    await imported(
      made,
      [
        'name,account key,email,product,language,organisation',
        `One,${key(1)},a@example.com,standard,de,`,
        `Two,${key(2)},b@example.com,practice,de-at,`,
        `Three,${key(3)},c@example.com,standard,,Harbour Ltd`,
      ].join('\n'),
    );
    for (const command of ['invite', 'remind', 'withdraw'] as const) {
      const { out } = await made.causeway([command, ...group, '--format', 'json']);
      expect((JSON.parse(out) as { account: string }[]).map(({ account }) => account).toSorted()).toEqual(
        names,
      );
    }
    const { out } = await made.causeway(['accounts', 'list', ...group, '--format', 'json']);
    expect((JSON.parse(out) as { name: string }[]).map(({ name }) => name).toSorted()).toEqual(names);
    const moved = await made.causeway(['cutover', ...group.filter((one) => !/stage|lost/.test(one))]);
    expect(moved).toMatchObject({ code: 0, out: 'There is no account to cut over.\n' });
  });

  it('are withdrawn together with their links', async () => {
    using made = await commandLine();
    await made.causeway(['invite', 'With']);
    expect((await made.causeway(['withdraw', 'With', '--dry-run'])).out).toContain('would be withdrawn');
    expect((await made.causeway(['withdraw', 'With'])).code).toBe(0);
    expect((await show(made, 'With')).mails).toMatchObject([{ state: 'withdrawn' }]);
    expect((await made.causeway(['withdraw', 'With'])).code).toBe(1);
    expect((await made.causeway(['remind', 'With'])).out).toContain('was withdrawn');
  });

  it('are not mailed if a link is asked for', async () => {
    using made = await commandLine();
    expect((await made.causeway(['invite', 'Without', '--link'])).out).toContain('/_causeway/connect/');
    const later = await made.causeway(['invite', 'Without', '--link', '--at', '2099-01-05T09:00']);
    expect(later).toMatchObject({ code: 2, out: '' });
    expect(later.err).toContain('--at is for e-mail');
  });

  it.each([
    [['invite']],
    [['invite', 'With', '--all']],
    [['remind', '--all', '--stage', 'lost']],
    [['withdraw']],
  ])('need to know their accounts: %j', async (args) => {
    using made = await commandLine();
    expect((await made.causeway(args)).code).toBe(2);
  });

  it('need a mail server for a reminder', async () => {
    using made = new CommandLine(oauth);
    await made.causeway(['accounts', 'add', 'X', '--account-key', key(1), '--email', 'a@example.com']);
    const { code, err } = await made.causeway(['remind', 'X']);
    expect(code).toBe(1);
    expect(err).toContain('CAUSEWAY_SMTP_URL');
  });
});
