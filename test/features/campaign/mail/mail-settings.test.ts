import { describe, expect, it } from '@jest/globals';
import { ConfigurationFault, readSettings } from '../../../../src/app/settings/settings.ts';

describe('the settings of e-mail', () => {
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

  it('are complete, or e-mail is off', () => {
    expect(read({}).mail).toBeUndefined();
    expect(read(mail).mail).toMatchObject({ from: { name: 'Us', address: 'us@x.example' }, language: 'en' });
    expect(wrong({ CAUSEWAY_SMTP_URL: mail.CAUSEWAY_SMTP_URL })).toContain('CAUSEWAY_MAIL_FROM: is required');
    expect(wrong({ CAUSEWAY_MAIL_FROM: mail.CAUSEWAY_MAIL_FROM })).toContain(
      'CAUSEWAY_SMTP_URL: is required',
    );
  });

  it('contain a brand, by default the host that customers know', () => {
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

  it("contain the service's name for each product; the default depends on the language", () => {
    const news = 'https://acme.example/news';
    expect(read({}).services).toEqual({
      standard: { name: undefined, announcement: undefined },
      practice: { name: undefined, announcement: undefined },
    });
    const named = read({
      CAUSEWAY_SERVICE_NAME: 'Acme',
      CAUSEWAY_SERVICE_ANNOUNCEMENT_URL: news,
      CAUSEWAY_PRACTICE_SERVICE_NAME: 'Acme Practice',
    });
    expect(named.services).toEqual({
      standard: { name: 'Acme', announcement: news },
      practice: { name: 'Acme Practice', announcement: news },
    });
    expect(read({ CAUSEWAY_TIME_ZONE: 'Pacific/Auckland' }).zone).toBe('Pacific/Auckland');
    expect(read({ CAUSEWAY_TIME_ZONE: 'europe/berlin' }).zone).toBe('Europe/Berlin');
  });

  it.each([
    ['us@x.example', { name: '', address: 'us@x.example' }],
    ['"Us, Ltd" <us@x.example>', { name: 'Us, Ltd', address: 'us@x.example' }],
    ['Tūhoe <us@x.example>', { name: 'Tūhoe', address: 'us@x.example' }],
  ])('accept %s as a sender', (text, from) => {
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
    ['CAUSEWAY_MAIL_LANGUAGE', 'pt'],
    ['CAUSEWAY_TIME_ZONE', 'Mars/Olympus'],
    ['CAUSEWAY_SERVICE_NAME', 'two\nlines'],
    ['CAUSEWAY_SERVICE_NAME', '{brand}'],
    ['CAUSEWAY_SERVICE_ANNOUNCEMENT_URL', 'http://x.example/'],
    ['CAUSEWAY_SERVICE_ANNOUNCEMENT_URL', 'https://u:p@x.example/'],
    ['CAUSEWAY_SERVICE_ANNOUNCEMENT_URL', 'https://x.example/"><script>'],
    ['CAUSEWAY_MAIL_TEXTS', 'no/such/folder'],
  ])('refuse %s=%s at start', (name, text) => {
    expect(wrong({ ...mail, [name]: text })).toMatch(new RegExp(`^  ${name}: `, 'm'));
  });

  it('never repeat a password', () => {
    expect(wrong({ ...mail, CAUSEWAY_SMTP_URL: 'smtp://user:hush@mail.example/x' })).not.toContain('hush');
  });
});
