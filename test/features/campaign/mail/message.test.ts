import { describe, expect, it } from '@jest/globals';
import { Secret } from '../../../../src/lib/secret/secret.ts';
import PostalMime, { type Email } from 'postal-mime';
import { contrast, readableOn } from '../../../../src/features/campaign/brand.ts';
import { isReport, messageKinds, type OutgoingMessage } from '../../../../src/features/campaign/outbox.ts';
import { messageOf, type Stationery } from '../../../../src/features/campaign/mail/message.ts';
import { account, brand, message, LINK, stationery, UNSUBSCRIBE } from './messages.ts';

const NOW = Date.parse('2026-11-20T09:30:00Z');

interface Written {
  readonly source: string;
  readonly head: string;
  readonly mail: Email;
  readonly header: (name: string) => readonly string[];
}

async function written(given: OutgoingMessage, paper: Stationery = stationery): Promise<Written> {
  const bytes = await messageOf(given, paper, NOW);
  const source = bytes.toString('latin1');
  const mail = await PostalMime.parse(bytes);
  return {
    source,
    head: source.slice(0, source.indexOf('\r\n\r\n')),
    mail,
    header: (name) => mail.headers.filter(({ key }) => key === name.toLowerCase()).map(({ value }) => value),
  };
}

const languages = ['en', 'de', 'fr', 'es', 'nl'];
const kinds = languages.flatMap((language) => messageKinds.map((kind) => [kind, language] as const));
const asking = kinds.filter(([kind]) => !isReport(kind));

describe('every e-mail', () => {
  it.each(asking)('contains what it must: %s, %s', async (kind, language) => {
    const { mail } = await written(message({ kind, language }));
    for (const body of [mail.text ?? '', mail.html ?? '']) {
      for (const words of [
        'Tidewater Software',
        'Old Mill Engineering',
        'Old Mill Engineering Ltd',
        'Mere Tūhoe',
        'Authorise 3rd Party Full Access',
        'support@tidewater.example',
        LINK,
        UNSUBSCRIBE,
        '2026',
      ])
        expect(body).toContain(words);
      expect(body).not.toMatch(/\{\w+\}|undefined|null|\[object/);
    }
    expect(mail.subject).toContain('Old Mill Engineering');
    expect(mail.html).toContain(`<html lang="${language}"`);
  });

  it.each(
    languages.flatMap((language) =>
      (['invitation', 'reminder'] as const).map((kind) => [kind, language] as const),
    ),
  )('to a customer without old keys does not speak of approving again: %s, %s', async (kind, language) => {
    const first = { ...account, name: 'Fern & Sons', organisation: undefined, first: true };
    const { mail } = await written(message({ kind, language, account: first }));
    for (const body of [mail.text ?? '', mail.html ?? '']) {
      expect(body).toContain(LINK);
      expect(body).not.toMatch(/once more|again|no change|noch einmal|wieder bestätigt|ändert sich/);
    }
  });

  it.each(kinds)('announces a brown-out if it asks for an approval: %s, %s', async (kind, language) => {
    const from = Date.parse('2026-11-27T09:07:00Z');
    const brownout = { from, to: from + 31 * 60_000 };
    const told = message({ kind, language, account: { ...account, brownout } });
    const { mail } = await written(told);
    for (const body of [mail.text ?? '', mail.html ?? ''])
      for (const time of ['09:07', '09:38']) expect(body.includes(time)).toBe(!isReport(kind));
  });

  it.each(languages)(
    'that is a notice says who approved, when, and how to end it, and asks for nothing: %s',
    async (language) => {
      const page = 'https://bridge.example/_causeway/connection/abc';
      const notice = {
        kind: 'notice',
        link: new Secret(page),
        by: 'Ana <b>Whitcombe</b> (ana@x.example)',
      } as const;
      const { mail } = await written(message({ ...notice, language }));
      expect(mail.text).toContain('Ana <b>Whitcombe</b> (ana@x.example)');
      expect(mail.html).toContain('Ana &lt;b&gt;Whitcombe&lt;/b&gt; (ana@x.example)');
      for (const body of [mail.text ?? '', mail.html ?? '']) {
        for (const words of [
          'Old Mill Engineering Ltd',
          'Tidewater Software',
          UNSUBSCRIBE,
          page,
          '9:30',
          '2026',
        ])
          expect(body).toContain(words);
        expect(body).not.toMatch(/_causeway\/connect\/|Authorise 3rd|\{\w+\}|undefined|null|\[object/);
      }
    },
  );

  it.each(languages)(
    'that is a receipt says what was approved, by whom, when and how to end it: %s',
    async (language) => {
      const page = 'https://bridge.example/_causeway/connection/abc';
      const by = 'Ana Whitcombe (ana@x.example)';
      const receipt = { kind: 'receipt', link: new Secret(page), by } as const;
      const { mail } = await written(message({ ...receipt, language }));
      for (const body of [mail.text ?? '', mail.html ?? '']) {
        for (const words of ['Old Mill Engineering', by, '9:30', UNSUBSCRIBE, page])
          expect(body).toContain(words);
        expect(body).not.toMatch(/_causeway\/connect\/|Authorise 3rd|\{\w+\}|undefined|null|\[object/);
      }
    },
  );

  it('that is a receipt tells its reader how to end the connection, and a notice tells others', async () => {
    const page = new Secret('https://bridge.example/_causeway/connection/abc');
    const own = 'press “Disconnect” on the page behind the button';
    for (const [kind, isOwn] of [
      ['receipt', true],
      ['notice', false],
    ] as const)
      expect((await written(message({ kind, link: page }))).mail.text?.includes(own)).toBe(isOwn);
  });

  it('has its own text for each kind, in each language', async () => {
    const subjects = await Promise.all(
      kinds.map(async ([kind, language]) => {
        return (await written(message({ kind, language }))).mail.subject;
      }),
    );
    expect(new Set(subjects).size).toBe(kinds.length);
  });

  it('has the headers that mail programs use', async () => {
    const { header } = await written(message());
    expect(header('message-id')).toEqual(['<m1.7f3a@bridge.example>']);
    expect(header('date')).toEqual(['Fri, 20 Nov 2026 09:30:00 +0000']);
    expect(header('list-unsubscribe')).toEqual([`<${UNSUBSCRIBE}>`]);
    expect(header('list-unsubscribe-post')).toEqual(['List-Unsubscribe=One-Click']);
    expect(header('auto-submitted')).toEqual(['auto-generated']);
    expect(header('from')).toEqual(['Tidewater Software <connect@tidewater.example>']);
    expect(header('reply-to')).toEqual(['Tidewater Software <support@tidewater.example>']);
    expect(header('content-type')[0]).toMatch(/^multipart\/alternative/);
  });

  it('keeps an address in its header unbroken, however long it is', async () => {
    const { head } = await written(message());
    expect(head.split('\r\n')).toContain(`List-Unsubscribe: <${UNSUBSCRIBE}>`);
  });

  it('loads no external content', async () => {
    const { mail } = await written(message());
    expect(mail.html).not.toMatch(/\ssrc=|url\(|@import|<link|<script|<form/);
    const leads = Array.from((mail.html ?? '').matchAll(/href="([^"]+)"/g), ([, href]) => href);
    expect(new Set(leads)).toEqual(new Set([LINK, UNSUBSCRIBE, 'mailto:support@tidewater.example']));
  });
});

describe('names in an e-mail', () => {
  const nasty = 'Eve\r\nBcc: all@x.example\u0000\n\n<b>"hi"</b> & \u202egnp.exe';
  const cleaned = 'Eve Bcc: all@x.example <b>"hi"</b> & gnp.exe';

  it('cannot become headers', async () => {
    const paper = {
      ...stationery,
      brand: { ...brand, name: nasty },
      from: { name: nasty, address: 'a@x.example' },
    };
    const { header, head, mail } = await written(
      message({
        to: { name: nasty, address: 'mere@oldmill.example' },
        account: { ...account, name: nasty, organisation: nasty },
      }),
      paper,
    );
    expect(header('bcc')).toEqual([]);
    expect(head).not.toMatch(/^bcc/im);
    expect(mail.to).toEqual([{ name: cleaned, address: 'mere@oldmill.example' }]);
    expect(mail.from).toEqual({ name: cleaned, address: 'a@x.example' });
    expect(mail.subject).toBe(`Please authorise the connection of ${cleaned}`);
  });

  it('are cut between characters, not within an emoji', async () => {
    const { mail } = await written(message({ account: { ...account, name: '👩'.repeat(100) } }));
    expect(mail.text).toContain(`${'👩'.repeat(79)}…`);
    expect(mail.text).not.toContain('\ufffd');
  });

  it('cannot become markup', async () => {
    const { mail } = await written(
      message({ account: { ...account, name: nasty, organisation: undefined } }),
    );
    expect(mail.html).toContain('Eve Bcc: all@x.example &lt;b&gt;&quot;hi&quot;&lt;/b&gt; &amp; gnp.exe');
    expect(mail.html).not.toContain('<b>');
    expect(mail.text).toContain(cleaned);
  });

  it('cannot become placeholders', async () => {
    const { mail } = await written(
      message({ account: { ...account, name: '{brand} {name}', organisation: undefined } }),
    );
    expect(mail.subject).toBe('Please authorise the connection of {brand} {name}');
  });

  it('are cut to a readable length', async () => {
    const { mail } = await written(
      message({ account: { ...account, name: 'x'.repeat(5_000), organisation: undefined } }),
    );
    expect(mail.subject?.length).toBeLessThan(250);
  });

  it('may be missing', async () => {
    const { mail } = await written(message({ to: { name: undefined, address: 'mere@oldmill.example' } }));
    expect(mail.text).toMatch(/^Hello,/);
    expect(mail.to).toEqual([{ name: '', address: 'mere@oldmill.example' }]);
  });
});

describe('the variable part of an e-mail', () => {
  it('follows the language of the account, its base language, or the default', async () => {
    const german = { ...stationery, language: 'de' };
    expect((await written(message({ language: 'de-at' }))).header('content-language')).toEqual(['de']);
    expect((await written(message(), german)).header('content-language')).toEqual(['de']);
    expect((await written(message({ language: 'mi' }), german)).header('content-language')).toEqual(['de']);
    expect((await written(message({ language: 'EN' }), german)).header('content-language')).toEqual(['en']);
  });

  it('shows dates as the language writes them', async () => {
    expect((await written(message())).mail.text).toContain('20 December 2026');
    expect((await written(message({ language: 'de' }))).mail.text).toContain('20. Dezember 2026');
  });

  it.each([
    ['en', '20 December 2026 at 10:00 UTC', '20 December 2026', '20 November 2026 at 22:30 GMT+13'],
    ['de', '20. Dezember 2026 um 10:00 UTC', '20. Dezember 2026', '20. November 2026 um 22:30 GMT+13'],
    ['fr', '20 décembre 2026 à 10:00 UTC', '20 décembre 2026', '20 novembre 2026 à 22:30 UTC+13'],
    [
      'es',
      '20 de diciembre de 2026 a las 10:00 UTC',
      '20 de diciembre de 2026',
      '20 de noviembre de 2026 a las 22:30 GMT+13',
    ],
    ['nl', '20 december 2026 om 10:00 UTC', '20 december 2026', '20 november 2026 om 22:30 GMT+13'],
  ])(
    'shows times in %s in the time zone of the account, or of the installation',
    async (language, utc, day, there) => {
      const text = async (changes: object, zone = 'UTC'): Promise<string> =>
        (await written(message({ language, ...changes }), { ...stationery, zone })).mail.text ?? '';
      const zone = 'Pacific/Auckland';
      for (const kind of ['invitation', 'reminder', 'lost', 'lost-reminder', 'fresh'] as const) {
        expect(await text({ kind })).toContain(utc);
        expect(await text({ kind, zone })).toContain(`${day}\n`);
        expect(await text({ kind }, zone)).toContain(`${day}\n`);
        expect(await text({ kind, zone: 'UTC' }, zone)).toContain(utc);
      }
      for (const kind of ['notice', 'receipt'] as const)
        expect(await text({ kind, by: 'Sam', link: undefined, zone })).toContain(there);
    },
  );

  it('names the sender if there is no support address', async () => {
    const { mail, header } = await written(message(), {
      ...stationery,
      brand: { ...brand, support: undefined },
    });
    expect(mail.text).toContain('Just reply to this e-mail');
    expect(header('reply-to')).toEqual([]);
  });

  it('names the organisation only if that says more than the account', async () => {
    const { mail } = await written(message({ account: { ...account, name: 'Mill', organisation: 'Mill' } }));
    expect(mail.text).not.toContain('Organisation:');
  });

  it('shows the logo: a remote one by its address, another one embedded', async () => {
    const remote = 'https://tidewater.example/logo.png?a=1&b=2';
    const by = await written(message(), { ...stationery, brand: { ...brand, logo: remote } });
    expect(by.mail.html).toContain(
      'src="https://tidewater.example/logo.png?a=1&amp;b=2" alt="Tidewater Software"',
    );
    const inside = await written(message(), {
      ...stationery,
      brand: { ...brand, logo: 'data:image/png;base64,iVBORw==' },
    });
    expect(inside.mail.html).toContain('src="cid:logo@causeway"');
    // A fixed height and a limited width would squash a wide logo.
    expect(inside.mail.html).toContain('height:auto;max-height:40px;width:auto;max-width:240px;');
    expect(inside.mail.attachments).toMatchObject([
      { contentId: '<logo@causeway>', mimeType: 'image/png', disposition: 'inline' },
    ]);
  });
});

describe('the text of a button', () => {
  it.each([
    '#000000',
    '#ffffff',
    '#0b5cad',
    '#ffdd00',
    '#767676',
    '#808080',
    '#ff0000',
    '#00aa00',
    '#7f7fff',
  ])('is legible on %s', (colour) => {
    expect(contrast(colour, readableOn(colour))).toBeGreaterThanOrEqual(4.5);
  });
});
