import { describe, expect, it } from '@jest/globals';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { ConfigurationFault, readSettings } from '../../../../src/app/settings/settings.ts';
import { loadTexts, TextsFault } from '../../../../src/features/campaign/mail/texts.ts';

class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'causeway-texts-'));

  write(name: string, content: unknown): void {
    writeFileSync(join(this.path, name), typeof content === 'string' ? content : stringify(content));
  }

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true });
  }
}

function faultsOf(folder: string): readonly string[] {
  try {
    loadTexts(folder);
  } catch (error) {
    if (error instanceof TextsFault) return error.faults;
    throw error;
  }
  return [];
}

describe('texts of one’s own', () => {
  it('replace single entries and leave the others', () => {
    using folder = new Folder();
    folder.write('en.yaml', {
      letters: { invitation: { subject: 'Hello from {brand}', body: ['One.', 'Two.'] } },
      shared: { questionsSupport: 'Ask {support}' },
    });
    const own = loadTexts().get('en');
    const texts = loadTexts(folder.path).get('en');
    expect(texts?.letters.invitation).toEqual({
      ...own?.letters.invitation,
      subject: 'Hello from {brand}',
      body: ['One.', 'Two.'],
    });
    expect(texts?.letters.lost).toEqual(own?.letters.lost);
    expect(texts?.shared).toEqual({ ...own?.shared, questionsSupport: 'Ask {support}' });
  });

  it('may be empty, and may be a whole new language', () => {
    using folder = new Folder();
    folder.write('de.yaml', '');
    folder.write('pt-BR.yaml', loadTexts().get('en'));
    expect([...loadTexts(folder.path).keys()].sort()).toEqual(['de', 'en', 'pt-br']);
  });

  it.each([
    ['en.yaml', 'letters: [', /^en\.yaml: cannot be read as YAML/],
    ['en.yaml', { letters: { invitation: { subjekt: 'x' } } }, /^en\.yaml: letters\.invitation: .*subjekt/],
    ['en.yaml', { letters: { greeting: {} } }, /^en\.yaml: letters/],
    ['en.yaml', { shared: { why: '' } }, /^en\.yaml: shared\.why/],
    ['en.yaml', { shared: { why: '{organisation}' } }, /shared\.why: \{organisation\} cannot stand here/],
    ['en.yaml', { letters: { lost: { subject: '{name}!' } } }, /\{name\} cannot stand here/],
    ['fr.yaml', { shared: { why: 'x' } }, /^fr\.yaml: /],
    ['my texts.yaml', {}, /^my texts\.yaml: the name must be a language/],
  ])('are refused where they are wrong: %s %j', (name, content, fault) => {
    using folder = new Folder();
    folder.write(name, content);
    const faults = faultsOf(folder.path);
    expect(faults.length).toBeGreaterThan(0);
    expect(faults[0]).toMatch(fault);
  });
});

describe('the settings of mails', () => {
  const base = { CAUSEWAY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}` };
  const mail = { CAUSEWAY_SMTP_URL: 'smtp://127.0.0.1:1025', CAUSEWAY_MAIL_FROM: 'Us <us@x.example>' };
  const read = (env: Readonly<Record<string, string>>) => readSettings({ env: { ...base, ...env } });
  const wrong = (env: Readonly<Record<string, string>>): string => {
    try {
      read(env);
      return '';
    } catch (error) {
      if (error instanceof ConfigurationFault) return error.message;
      throw error;
    }
  };

  it('are there whole, or there is no mail', () => {
    expect(read({}).mail).toBeUndefined();
    expect(read(mail).mail).toMatchObject({ from: { name: 'Us', address: 'us@x.example' }, language: 'en' });
    expect(wrong({ CAUSEWAY_SMTP_URL: mail.CAUSEWAY_SMTP_URL })).toContain('CAUSEWAY_MAIL_FROM: is needed');
    expect(wrong({ CAUSEWAY_MAIL_FROM: mail.CAUSEWAY_MAIL_FROM })).toContain('CAUSEWAY_SMTP_URL: is needed');
  });

  it('give a brand, by default the host customers know', () => {
    expect(read({ CAUSEWAY_PUBLIC_URL: 'https://bridge.example:8443/x' }).brand).toEqual({
      name: 'bridge.example:8443',
      logo: undefined,
      colour: '#0b5cad',
      onColour: '#ffffff',
      support: undefined,
    });
    expect(read({ CAUSEWAY_BRAND_COLOUR: '#FFDD00' }).brand).toMatchObject({
      colour: '#ffdd00',
      onColour: '#000000',
    });
  });

  it.each([
    ['us@x.example', { name: '', address: 'us@x.example' }],
    ['"Us, Ltd" <us@x.example>', { name: 'Us, Ltd', address: 'us@x.example' }],
    ['Tūhoe <us@x.example>', { name: 'Tūhoe', address: 'us@x.example' }],
  ])('take %s as a sender', (text, from) => {
    expect(read({ ...mail, CAUSEWAY_MAIL_FROM: text }).mail?.from).toEqual(from);
  });

  it.each([
    ['CAUSEWAY_MAIL_FROM', 'Us'],
    ['CAUSEWAY_MAIL_FROM', 'Us <us@x.example>, him@x.example'],
    ['CAUSEWAY_MAIL_FROM', 'Us\r\nBcc: <us@x.example>'],
    ['CAUSEWAY_SMTP_URL', 'smtp://user@mail.example'],
    ['CAUSEWAY_BRAND_COLOUR', 'red'],
    ['CAUSEWAY_BRAND_COLOUR', '#12345'],
    ['CAUSEWAY_BRAND_LOGO', 'http://x.example/logo.png'],
    ['CAUSEWAY_BRAND_LOGO', 'data:text/html;base64,aaaa'],
    ['CAUSEWAY_BRAND_LOGO', 'https://x.example/"><script>'],
    ['CAUSEWAY_SUPPORT_ADDRESS', 'Us <us@x.example>'],
    ['CAUSEWAY_MAIL_LANGUAGE', 'klingon'],
    ['CAUSEWAY_MAIL_LANGUAGE', 'fr'],
    ['CAUSEWAY_MAIL_TEXTS', 'no/such/folder'],
  ])('refuse %s=%s at start', (name, text) => {
    expect(wrong({ ...mail, [name]: text })).toMatch(new RegExp(`^  ${name}: `, 'm'));
  });

  it('never repeat a password', () => {
    expect(wrong({ ...mail, CAUSEWAY_SMTP_URL: 'smtp://user:hush@mail.example/x' })).not.toContain('hush');
  });
});
