import { beforeEach, describe, expect, it } from '@jest/globals';
import { CONSOLE, openConsole, type ConsoleSetting, type Visitor } from './console-setting.ts';

let at: ConsoleSetting;
let ada: Visitor;

beforeEach(async () => {
  at = await openConsole();
  ada = await at.signedIn('ada-2');
});

const EDIT = '/texts/edit';
const INVITED = 'letters.invitation';
const SUBJECT = `text:${INVITED}.subject`;
const place = [
  ['language', 'en'],
  ['section', INVITED],
] as const;

const save = (...more: readonly (readonly [string, string])[]) =>
  ada.act(EDIT, [...place, ['do', 'save'], ...more]);
const subjectInForce = () => at.services.texts.catalogue.english.get(`${INVITED}.subject`);

describe('the editor of texts', () => {
  it('stores a text, which is used from then on', async () => {
    const page = await ada.get(`${EDIT}?language=en&section=${INVITED}`);
    expect(page.text).toContain('Please authorise the connection of {account}');
    expect(page.text).toContain('Placeholders: {account} {asker} {brand}');
    const saved = await save(
      [SUBJECT, '{brand}: {account}, please <approve>'],
      [`seen:${INVITED}.subject`, '0'],
    );
    expect(saved).toMatchObject({ status: 303 });
    expect(saved.headers.location).toContain('saved=1');
    expect(subjectInForce()).toBe('{brand}: {account}, please <approve>');
    const again = await ada.get(saved.headers.location?.slice(CONSOLE.length) ?? '');
    expect(again.text).toContain('One text changed.');
    expect(again.text).toContain('please &lt;approve&gt;');
    expect((await at.admin.audit(1))[0]).toMatchObject({ who: 'ada-2', action: 'texts.save' });
  });

  it('shows the fault beside the text, stores nothing, and keeps the input', async () => {
    const answer = await save([SUBJECT, 'For {nobody}'], [`text:${INVITED}.heading`, 'A better heading']);
    expect(answer.status).toBe(400);
    expect(answer.text).toContain('{nobody} cannot be used here');
    expect(answer.text).toContain('For {nobody}</textarea>');
    expect(answer.text).toContain('A better heading</textarea>');
    expect(await at.services.store.console.texts.latest()).toBe(0);
  });

  it("does not let one operator overwrite another's latest change", async () => {
    await save([SUBJECT, 'First'], [`seen:${INVITED}.subject`, '0']);
    await save([SUBJECT, 'Second'], [`seen:${INVITED}.subject`, '1']);
    const late = await save([SUBJECT, 'Third'], [`seen:${INVITED}.subject`, '1']);
    expect(late.status).toBe(409);
    expect(late.text).toContain('ada-2 has changed');
    expect(late.text).toContain('Third</textarea>');
    expect(subjectInForce()).toBe('Second');
    // What is shown now is seen: saving it again is meant.
    expect(late.text).toContain(`name="seen:${INVITED}.subject" value="2"`);
  });

  it('shows the input in frames, without storing it', async () => {
    const page = await ada.act(EDIT, [...place, ['do', 'preview:0'], [`text:${INVITED}.heading`, 'Drafted']]);
    expect(page.text).toContain('Preview, not saved');
    const frame = /src="([^"]+sample[^"]+)"/.exec(page.text)?.[1]?.replaceAll('&amp;', '&') ?? '';
    const shown = await ada.get(frame.slice(CONSOLE.length));
    expect(shown.text).toContain('Drafted');
    expect(shown.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    expect((await ada.get(`/texts/sample?language=en&section=${INVITED}`)).text).not.toContain('Drafted');
    const receipt = await ada.get('/texts/sample?language=en&section=letters.receipt');
    expect(receipt.text).toContain('Sam Example (sam@example.com)');
    expect(receipt.text).not.toContain('/connect/preview');
    const customers = await ada.get('/texts/sample?language=de&section=connect&variant=2');
    expect(customers.text).toContain('<html lang="de">');
    expect(customers.headers['content-security-policy']).toContain("form-action 'none'");
  });

  it('restores a text of the product', async () => {
    await save([SUBJECT, 'First']);
    await save([SUBJECT, 'Second'], [`seen:${INVITED}.subject`, '1']);
    const path = `${INVITED}.subject`;
    const history = await ada.get(`/texts/history?language=en&path=${path}`);
    expect(history.text).toMatch(/Second[^]*First/);
    const fields = [
      ['language', 'en'],
      ['path', path],
      ['change', '1'],
    ] as const;
    expect(await ada.act('/texts/restore', fields)).toMatchObject({ status: 303 });
    expect(subjectInForce()).toBe('First');
    await save([SUBJECT, ''], [`seen:${INVITED}.subject`, '3']);
    expect(subjectInForce()).toBe('Please authorise the connection of {account}');
  });

  it('adds a language, which accounts can then use, and removes it', async () => {
    const added = await ada.act('/texts/languages', [
      ['language', 'pt-BR'],
      ['copyOf', 'es'],
    ]);
    expect(added.headers.location).toContain('language=pt-br');
    expect(at.services.texts.catalogue.of('pt-br').language).toBe('pt-br');
    expect((await ada.get('/texts')).text).toContain('added here, as a copy of es');
    const twice = await ada.act('/texts/languages', [
      ['language', 'pt-br'],
      ['copyOf', 'es'],
    ]);
    expect([twice.status, twice.text]).toEqual([409, expect.stringContaining('already')]);
    await ada.act('/texts/languages/remove', [['language', 'pt-br']]);
    expect(at.services.texts.catalogue.of('pt-br').language).toBe('en');
  });

  it('says why a test could not be sent, and keeps the input', async () => {
    const test = (to: string) =>
      ada.act(EDIT, [...place, ['do', 'test'], ['to', to], [SUBJECT, 'Typed {account}']]);
    expect(await test('nobody')).toMatchObject({
      status: 400,
      text: expect.stringContaining('one plain e-mail address'),
    });
    const refused = await test('ada@example.com');
    expect([refused.status, refused.text]).toEqual([400, expect.stringContaining('did not accept it')]);
    expect(refused.text).toContain('Typed {account}</textarea>');
  });

  it('refuses changes with a read token', async () => {
    const visitor = await at.signedIn('looks', 'read');
    const page = await visitor.get(`${EDIT}?language=en&section=${INVITED}`);
    expect(page.text).not.toContain('value="save"');
    expect((await visitor.act(EDIT, [...place, ['do', 'save'], [SUBJECT, 'x']])).status).toBe(403);
  });
});
