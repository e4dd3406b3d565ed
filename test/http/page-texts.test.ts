import { describe, expect, it } from '@jest/globals';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { consentRefusalNames } from '../../src/features/consent/model.ts';
import { messages, refusalPages } from '../../src/http/customer/messages.ts';
import { languagesIn } from '../../src/http/customer/browser-languages.ts';
import { Catalogue, loadTexts } from '../../src/features/texts/catalogue.ts';
import { pluralBase } from '../../src/features/texts/text.ts';
import { TextsInForce } from '../../src/features/texts/texts-in-force.ts';
import { Words } from '../../src/features/texts/words.ts';
import { consent, openSetting, type Setting } from './connect-setting.ts';
import { Sender } from '../support/http.ts';

const folder = join(import.meta.dirname, '..', '..', 'src', 'http', 'customer', 'pages');
const catalogue = loadTexts();

describe('the texts of the pages', () => {
  it.each([...catalogue.languages])('include every message and refusal in %s', (language, texts) => {
    const words = new Words(language, texts);
    for (const { message } of Object.values(messages)) {
      expect(words.say(`messages.${message}.title`)).not.toBe('');
      expect(words.lines(`messages.${message}.lines`)).not.toEqual([]);
    }
    expect(Object.keys(refusalPages)).toEqual(consentRefusalNames);
    for (const reason of consentRefusalNames) {
      for (const part of ['title', 'missing']) expect(words.say(`refusals.${reason}.${part}`)).not.toBe('');
      expect(words.lines(`refusals.${reason}.todo`)).not.toEqual([]);
    }
  });

  it('are all used by a page or an endpoint, and no page needs a missing one', () => {
    const sources = [...globSync(join(folder, '*.eta')), ...globSync(join(folder, '..', '*-values.ts'))];
    const used = sources.map((file) => readFileSync(file, 'utf8')).join('\n');
    const names = new Set(
      [...catalogue.english.keys()]
        .map(pluralBase)
        .filter((name) => !/^(service|letters|shared)\./.test(name)),
    );
    const asked = Array.from(used.matchAll(/'((?:[a-z]\w*)\.(?:\w+))'/g), ([, name = '']) => name);
    expect(asked.filter((name) => !names.has(name))).toEqual([]);
    const byRule =
      /^(messages|refusals)\.|^connect\.lead|^choose\.(problem|same|likely|doubtful|foreign|taken)|^status\.(legacy|awaiting|consented|migrated|lost|closed)(More)?$|^status\.(refused|ended)/;
    expect([...names].filter((name) => !byRule.test(name) && !asked.includes(name))).toEqual([]);
  });
});

describe('the language of a browser', () => {
  it.each([
    [undefined, []],
    ['', []],
    ['*', []],
    ['de-AT, de;q=0.9, en;q=0.8', ['de-AT', 'de', 'en']],
    ['en;q=0.2,de', ['de', 'en']],
    ['fr;q=0, de;q=x, en', ['en']],
    ['<script>,../../x,en', ['en']],
  ])('%s is parsed as %j', (header, languages) => {
    expect(languagesIn(header)).toEqual(languages);
  });

  it('is limited', () => {
    expect(languagesIn(Array.from({ length: 5_000 }, () => 'xx').join(','))).toHaveLength(20);
  });
});

async function speak(setting: Setting, language: string | undefined): Promise<void> {
  await setting.village.accounts.set(setting.id, { language });
}

const read = async (
  setting: Setting,
  target: string,
  language: string,
): Promise<{ readonly text: string; readonly lang: string | undefined }> => {
  const sender = new Sender(`http://127.0.0.1:${String(setting.services.port)}`);
  try {
    const { text } = await sender.send({ verb: 'GET', target, headers: { 'Accept-Language': language } });
    return { text, lang: /<html lang="([^"]+)"/.exec(text)?.[1] };
  } finally {
    sender.close();
  }
};

describe('the pages of a customer', () => {
  it('are in the language of the account’s e-mails, whatever the browser prefers', async () => {
    const setting = await openSetting();
    await speak(setting, 'de-at');
    const landing = await read(setting, setting.link, 'en');
    expect(landing.lang).toBe('de');
    expect(landing.text).toContain('Weiter zur Anmeldung');
    expect(landing.text).toContain('bittet um Ihre Zustimmung');
    expect(landing.text).not.toMatch(/\{\w+\}|\*\*|undefined/);
  });

  it('keep their language until the end', async () => {
    const setting = await openSetting();
    await speak(setting, 'de');
    expect((await consent(setting, 'error=access_denied')).page.text).toContain('Zurück zur Einladung');
    const { page } = await consent(setting);
    expect(page.text).toContain('<html lang="de">');
    expect(page.text).toContain('Mit Old Mill');
  });

  it.each([
    ['he', ' dir="rtl"'],
    ['it', ''],
  ])('are in the direction of their language, %s', async (language, direction) => {
    const texts = new Catalogue(new Map([...catalogue.languages, [language, catalogue.english]]));
    const setting = await openSetting({ wording: { texts: new TextsInForce(texts) } });
    await speak(setting, language);
    const { text } = await setting.send('GET', setting.link);
    expect(text).toContain(`<html lang="${language}"${direction}>`);
  });

  it('are in English if nobody has written texts', async () => {
    const setting = await openSetting();
    await speak(setting, 'mi');
    const landing = await read(setting, setting.link, 'de');
    expect(landing.lang).toBe('en');
    expect(landing.text).toContain('Continue to sign in');
  });

  it('follow the browser if no account is known, and reveal nothing by it', async () => {
    const setting = await openSetting();
    await speak(setting, 'de');
    const [known, unknown] = [setting.link, `/_causeway/connect/${'A'.repeat(43)}`];
    await consent(setting);
    for (const [language, words] of [
      ['de-CH', 'Dieser Link funktioniert nicht mehr'],
      ['en-NZ', 'This link no longer works'],
      ['mi', 'This link no longer works'],
    ] as const) {
      const used = await read(setting, known, language);
      expect(used.text).toContain(words);
      expect(await read(setting, unknown, language)).toEqual(used);
    }
  });
});
