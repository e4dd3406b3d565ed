import { describe, expect, it } from '@jest/globals';
import { loadTexts, type Text } from '../../../src/features/texts/catalogue.ts';
import { WHOLE, withChanges, type TextChange } from '../../../src/features/texts/changed/changes.ts';
import { pathsOf, sectionsOf } from '../../../src/features/texts/sections.ts';
import { TextsInForce } from '../../../src/features/texts/texts-in-force.ts';
import { typedText } from '../../../src/features/admin/texts/texts.ts';
import { previewsOf } from '../../../src/http/customer/previews.ts';
import { Pages } from '../../../src/http/customer/pages.ts';
import { messageNamed } from '../../../src/features/admin/texts/sample-messages.ts';
import { describeOnBoth } from '../../db/engines.ts';

const built = loadTexts();
const by = { at: 1, who: 'ada' };
let seq = 0;
const change = (language: string, path: string, text: Text | undefined): TextChange => ({
  ...{ language, path, text, ...by },
  seq: (seq += 1),
});
const BUTTON = 'connect.button';

describe("the operators' changes of texts", () => {
  it('replace the product’s texts, and only those they name', () => {
    const { catalogue } = withChanges(built, [change('de', BUTTON, 'Los')]);
    expect(catalogue.languages.get('de')?.get(BUTTON)).toBe('Los');
    expect(catalogue.languages.get('de')?.get('connect.title')).toBe(
      built.languages.get('de')?.get('connect.title'),
    );
    expect(catalogue.english).toEqual(built.english);
  });

  it('add a language that starts as a copy and is translated step by step', () => {
    const added = change('it', WHOLE, 'es');
    const { catalogue } = withChanges(built, [added, change('it', BUTTON, 'Continua')]);
    expect(catalogue.of('it-ch')).toMatchObject({ language: 'it' });
    expect(catalogue.of('it').texts.get(BUTTON)).toBe('Continua');
    expect(catalogue.of('it').texts.get('gone.title')).toBe(built.of('es').texts.get('gone.title'));
    expect(withChanges(built, [change('it', WHOLE, undefined)]).catalogue.languages.has('it')).toBe(false);
  });

  it('are kept but not used if they do not fit this release', () => {
    const old = [change('en', 'connect.gone', 'x'), change('en', BUTTON, '{unheard}')];
    const { catalogue, unusable } = withChanges(built, old);
    expect(unusable).toEqual(old);
    expect(catalogue.english).toEqual(built.english);
  });

  it("are entered line by line if English has a list, and empty to restore the product's text", () => {
    expect(typedText({ path: 'a', english: ['x'] }, ' one \r\n\r\ntwo\n')).toEqual(['one', 'two']);
    expect(typedText({ path: 'a', english: 'x' }, 'one\ntwo')).toBe('one two');
    expect(typedText({ path: 'a', english: 'x' }, ' \n')).toBeUndefined();
  });

  it('have the plural forms of their language', () => {
    const forms = (language: string) =>
      pathsOf(built.english, language, 'status').filter((path) => path.startsWith('status.keysDays.'));
    expect(forms('en')).toEqual(['status.keysDays.one', 'status.keysDays.other']);
    expect(forms('pl')).toEqual(expect.arrayContaining(['status.keysDays.few', 'status.keysDays.many']));
  });
});

describe('a preview of texts', () => {
  const texts = new TextsInForce(built);
  const pages = new Pages();

  it('exists for every text, in every language', () => {
    for (const section of sectionsOf(built.english)) {
      const mail = section === 'shared' || messageNamed(section.replace('letters.', '')) !== undefined;
      const previews = previewsOf(section);
      expect([section, mail || previews.length > 0]).toEqual([section, true]);
      for (const language of built.languages.keys())
        for (const preview of previews) {
          const html = pages.preview(preview, language, texts, Date.UTC(2026, 10, 25));
          expect(html).toContain(`<html lang="${language}">`);
          // Every placeholder has a value.
          expect(html).not.toMatch(/\{\w+\}|undefined/);
        }
    }
  });
});

describeOnBoth('changes of texts', (bench) => {
  it('are numbered, kept, and never overwritten by a user who saw an older version', async () => {
    const { texts } = (await bench.store()).console;
    const first = { language: 'en', path: BUTTON, text: 'Go' };
    expect(await texts.write([{ ...first, expected: 0 }], by)).toBeUndefined();
    const [seen] = await texts.current();
    expect(seen).toMatchObject({ ...first, ...by });
    const next = { ...first, text: ['a', 'b'], expected: seen?.seq };
    expect(await texts.write([next], { at: 2, who: 'ben' })).toBeUndefined();
    const late = [
      { language: 'en', path: 'connect.title', text: 'x' },
      { ...first, expected: seen?.seq },
    ];
    expect(await texts.write(late, by)).toMatchObject({ who: 'ben', text: ['a', 'b'] });
    expect((await texts.history('en', BUTTON)).map(({ text }) => text)).toEqual([['a', 'b'], 'Go']);
    expect(await texts.current()).toHaveLength(1);
    const inForce = new TextsInForce(built, texts);
    await texts.write([{ ...first, text: 'Weiter' }], by);
    await inForce.refresh();
    expect(inForce.catalogue.english.get(BUTTON)).toBe('Weiter');
    await texts.write([{ ...first, text: undefined }], by);
    await inForce.refresh();
    expect(inForce.catalogue.english).toEqual(built.english);
  });
});
