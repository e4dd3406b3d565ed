import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { faultsOf, loadTexts, missingIn, TextsFault } from '../../../src/features/texts/catalogue.ts';
import { isPluralForm, placeholdersIn, pluralBase } from '../../../src/features/texts/text.ts';
import { unnamedService } from '../../../src/features/texts/service-name.ts';
import { Words } from '../../../src/features/texts/words.ts';

const folder = join(import.meta.dirname, '..', '..', '..', 'src', 'features', 'texts', 'languages');
const languages = readdirSync(folder).map((name) => name.replace('.yaml', ''));
const catalogue = loadTexts();
const { english } = catalogue;
const others = languages.filter((language) => language !== 'en');
const textsOf = (language: string) => catalogue.of(language).texts;

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'causeway-texts-'));

  write(name: string, content: unknown): void {
    writeFileSync(join(this.path, name), typeof content === 'string' ? content : stringify(content));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function faultsIn(path: string): readonly string[] {
  try {
    loadTexts(path);
  } catch (error) {
    if (error instanceof TextsFault) return error.faults;
    throw error;
  }
  return [];
}

/** The forms of the service's name are the translator's to choose. */
const values = (text: string | readonly string[]): readonly string[] =>
  placeholdersIn(text)
    .filter((name) => !/service$/i.test(name))
    .toSorted();

const bold = (text: string | readonly string[]): number => [text].flat().join(' ').split('**').length;

describe('the texts of the product', () => {
  it('go on in lower case after the comma of a German greeting', () => {
    const first = [...textsOf('de')].flatMap(([path, text]) =>
      /^letters\..*\.body$/.test(path) && Array.isArray(text) ? [String(text[0])] : [],
    );
    expect(first.filter((line) => !/^(?:\{brand\}|Sie|[a-zäöü]+) /.test(line))).toEqual([]);
  });

  it('are in English, German, French, Spanish and Dutch', () => {
    expect(languages.toSorted()).toEqual(['de', 'en', 'es', 'fr', 'nl']);
    expect([...catalogue.languages.keys()].toSorted()).toEqual(['de', 'en', 'es', 'fr', 'nl']);
  });

  it.each(languages)('are complete in %s, and each is one that a page or e-mail can use', (language) => {
    const texts = textsOf(language);
    expect(missingIn(english, texts)).toEqual([]);
    expect([...texts].flatMap(([path, text]) => faultsOf(english, path, text))).toEqual([]);
  });

  it.each(others)('match in %s and English: values, emphasis, number of lines', (language) => {
    const texts = textsOf(language);
    const shape = (text: string | readonly string[]) => ({
      values: values(text),
      bold: bold(text),
      lines: [text].flat().length,
    });
    for (const [path, text] of english)
      expect([path, shape(texts.get(path) ?? '')]).toEqual([path, shape(text)]);
  });

  it.each(others)('are translated into %s, not copied', (language) => {
    const texts = textsOf(language);
    const same = [...english].filter(
      ([path, text]) =>
        JSON.stringify(texts.get(path)) === JSON.stringify(text) &&
        !path.startsWith('service.') &&
        // The word is the same in these languages.
        !['Documentation', 'Service', 'Organisation'].includes(String(text)),
    );
    expect(same).toEqual([]);
  });

  it.each(languages)(
    'have the same order in %s as in English, so that the files can be compared',
    (language) => {
      const order = (of: string): readonly string[] =>
        JSON.stringify(parse(readFileSync(join(folder, `${of}.yaml`), 'utf8')), (_key, value: unknown) =>
          typeof value === 'string' || Array.isArray(value) ? '' : value,
        ).split(',');
      expect(order(language)).toEqual(order('en'));
    },
  );

  it.each(languages)('have a plural form in %s for every number', (language) => {
    const plurals = [...english.keys()].filter(isPluralForm).map(pluralBase);
    expect(plurals.length).toBeGreaterThan(0);
    const words = new Words(language, textsOf(language));
    for (const name of new Set(plurals)) {
      const said = [0, 1, 2, 5, 11, 21, 1_000, 1_000_000].map((count) => words.count(name, count));
      expect(new Set(said).size).toBe(said.length);
      expect(said.join()).not.toMatch(/[{}]/);
    }
    const [one, two] = [1, 2].map((count) => words.count('connected.titleMany', count).replace(/\d+/, ''));
    expect(one).not.toBe(two);
  });
});

describe('the punctuation of French texts', () => {
  const french = [...textsOf('fr').values()].flat();

  it('never begins a line, and « never ends one', () => {
    expect(french.filter((text) => /« | [»:;?!]/.test(text))).toEqual([]);
    expect(textsOf('fr').get('unsubscribe.title')).toBe('Ne plus recevoir ces messages\u202f?');
    expect(french.some((text) => text.includes('«\u00a0Authorise 3rd Party Full Access\u00a0»'))).toBe(true);
  });

  it('gets no spaces that the texts do not have, such as in times and placeholders', () => {
    const written = parse(readFileSync(join(folder, 'fr.yaml'), 'utf8')) as object;
    const lines: string[] = [];
    JSON.stringify(written, (_key, value: unknown) => {
      if (typeof value === 'string') lines.push(value);
      return value;
    });
    expect(french.map((text) => text.replaceAll(/[\u00a0\u202f]/g, ' '))).toEqual(lines);
  });
});

describe('the name of the service', () => {
  it.each([
    ['en', 'You sign in to Acme', 'You sign in to the service', 'Acme does not', 'The service does not'],
    ['de', 'melden sich bei Acme an', 'melden sich beim Dienst an', 'Acme antwortet', 'Der Dienst antwortet'],
    ['fr', 'connectez à Acme', 'connectez au service', 'Acme ne répond', 'Le service ne répond'],
    ['es', 'sesión en Acme', 'sesión en el servicio', 'Acme no responde', 'El servicio no responde'],
    ['nl', 'aan bij Acme', 'aan bij de dienst', 'Acme antwoordt', 'De dienst antwoordt'],
  ])('appears within the sentence as %s requires', (language, named, unnamed, begins, beginsUnnamed) => {
    const texts = textsOf(language);
    const withName = new Words(language, texts, { service: 'Acme', zone: 'UTC' });
    const without = new Words(language, texts, { service: unnamedService.standard.name, zone: 'UTC' });
    expect(withName.say('connect.noPassword')).toContain(named);
    expect(without.say('connect.noPassword')).toContain(unnamed);
    expect(withName.say('refusals.serviceSilent.title')).toContain(begins);
    expect(without.say('refusals.serviceSilent.title')).toContain(beginsUnnamed);
  });

  it.each(languages)('replaces “the service” throughout %s if it is configured', (language) => {
    const texts = textsOf(language);
    const unnamed = ['the service', 'der Dienst', 'le service', 'el servicio', 'de dienst'];
    const words = new Words(language, texts, { service: 'Acme', zone: 'UTC' });
    const said = [...texts].flatMap(([path, text]) =>
      path.startsWith('service.') ? [] : typeof text === 'string' ? [words.say(path)] : words.lines(path),
    );
    expect(
      said.filter((text) => unnamed.some((one) => text.toLowerCase().includes(one.toLowerCase()))),
    ).toEqual([]);
  });
});

describe('times in texts', () => {
  const at = Date.parse('2026-12-20T11:30:00Z');
  const words = (language: string, zone: string) => new Words(language, textsOf(language), { zone });

  it.each([
    ['en', 'UTC', '20 December 2026', '20 December 2026 at 11:30 UTC'],
    ['en', 'Pacific/Auckland', '21 December 2026', '21 December 2026 at 00:30 GMT+13'],
    ['de', 'Europe/Berlin', '20. Dezember 2026', '20. Dezember 2026 um 12:30 MEZ'],
    ['fr', 'Europe/Paris', '20 décembre 2026', '20 décembre 2026 à 12:30 UTC+1'],
    ['es', 'Europe/Madrid', '20 de diciembre de 2026', '20 de diciembre de 2026 a las 12:30 CET'],
    ['nl', 'Europe/Amsterdam', '20 december 2026', '20 december 2026 om 12:30 CET'],
  ])('are shown in %s and the zone %s', (language, zone, day, moment) => {
    expect(words(language, zone).day(at).text).toBe(day);
    expect(words(language, zone).moment(at).text).toBe(moment);
    expect(words(language, zone).day(at).html).toContain('<time datetime="2026-12-20T11:30:00.000Z">');
  });

  it('without a time of day are the same day everywhere', () => {
    expect(words('en', 'Pacific/Auckland').date('2026-12-31')).toEqual({
      text: '31 December 2026',
      html: '<time datetime="2026-12-31">31 December 2026</time>',
    });
  });
});

describe('placeholders in texts', () => {
  it('escape every name, and interpret no emphasis or placeholder within a name', () => {
    const words = new Words('en', new Map([['a', '**{x}** & {y}']]));
    expect(words.rich('a', { x: '<b>**{y}**', y: '"' })).toBe(
      '<strong>&lt;b&gt;**{y}**</strong> &amp; &quot;',
    );
    expect(() => words.say('b')).toThrow('there is no text b in en');
  });
});

describe('custom texts', () => {
  it('replace single entries and leave the others', () => {
    using own = new Folder();
    own.write('en.yaml', {
      letters: { invitation: { subject: 'Hello from {brand}', body: ['One.', 'Two.'] } },
      connect: { title: 'Welcome, {account}' },
    });
    const texts = loadTexts(own.path).of('en').texts;
    const changed = [...texts].filter(
      ([path, text]) => JSON.stringify(english.get(path)) !== JSON.stringify(text),
    );
    expect(Object.fromEntries(changed)).toEqual({
      'letters.invitation.subject': 'Hello from {brand}',
      'letters.invitation.body': ['One.', 'Two.'],
      'connect.title': 'Welcome, {account}',
    });
  });

  it('can be empty, and can form a new language', () => {
    using own = new Folder();
    own.write('de.yaml', '');
    own.write('pt-BR.yaml', readFileSync(join(folder, 'es.yaml'), 'utf8'));
    expect([...loadTexts(own.path).languages.keys()].toSorted()).toEqual([
      'de',
      'en',
      'es',
      'fr',
      'nl',
      'pt-br',
    ]);
  });

  it.each([
    ['en.yaml', 'letters: [', /^en\.yaml: cannot be read as YAML/],
    [
      'en.yaml',
      { letters: { invitation: { subjekt: 'x' } } },
      /^en\.yaml: letters\.invitation\.subjekt: there is no such/,
    ],
    ['en.yaml', { shared: { why: '' } }, /^en\.yaml: shared\.why: must be text/],
    ['en.yaml', { shared: { why: 12 } }, /^en\.yaml: shared\.why: must be text/],
    ['en.yaml', { shared: { why: ['a'] } }, /^en\.yaml: shared\.why: must be text/],
    ['en.yaml', { letters: { lost: { body: 'one line' } } }, /letters\.lost\.body: must be a list/],
    ['en.yaml', { shared: { why: '{organisation}' } }, /shared\.why: \{organisation\} cannot be used here/],
    ['en.yaml', { letters: { lost: { subject: '{name}!' } } }, /\{name\} cannot be used here/],
    ['en.yaml', { forward: { text: ['Please approve.'] } }, /forward\.text: \{address\} is needed here/],
    ['pt.yaml', { shared: { why: 'x' } }, /^pt\.yaml: .* is missing/],
    ['my texts.yaml', {}, /^my texts\.yaml: the name must be a language/],
  ])('are refused if they are wrong: %s %j', (name, content, fault) => {
    using own = new Folder();
    own.write(name, content);
    const faults = faultsIn(own.path);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]).toMatch(fault);
  });
});
