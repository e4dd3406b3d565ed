import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { Playground } from './playground.ts';

let at: Playground;

beforeEach(async () => {
  at = await Playground.open();
});

afterEach(async () => {
  await at.close();
});

const organisationPath = () => `/_sandbox/screens/organisations/${at.one.id}`;

describe('the service’s own screens', () => {
  it.each(['/', '/_sandbox', '/_sandbox/'])('list organisations and users under %s', async (path) => {
    const { status, text } = await at.call(path);
    expect(status).toBe(200);
    expect(text).toContain('Harbour Lane Studio');
    expect(text).toContain('Two &lt;Rivers&gt;');
    expect(text).toContain('Maren Holt');
    expect(text).toContain('2026-03-02T10:00:00.000Z');
  });

  it('never show a secret of an application', async () => {
    expect((await at.call('/')).text).not.toContain('old secret');
  });

  it('have a stylesheet and an icon of their own', async () => {
    const style = await at.call('/_sandbox/style.css');
    expect(style.headers.get('content-type')).toBe('text/css; charset=utf-8');
    expect(style.text).toContain('color-scheme: light dark');
    expect((await at.call('/_sandbox/icon.svg')).headers.get('content-type')).toContain('image/svg+xml');
  });

  it('change the switches of an organisation', async () => {
    const page = await at.call(organisationPath());
    expect(page.text).toContain('name="v1AfterConsent"');
    const answer = await at.form(organisationPath(), [
      ['practice', 'AU'],
      ['v1AfterConsent', 'refuses'],
      ['timeAllocation', 'true'],
    ]);
    expect(answer.status).toBe(303);
    expect(await at.control(`organisations/${at.one.id}`)).toMatchObject({
      switches: { practice: 'AU', v1AfterConsent: 'refuses', timeAllocation: true, v1: 'open' },
    });
    expect((await at.call(`${organisationPath()}?saved`)).text).toContain('Saved.');
  });

  it('disconnect an application', async () => {
    const { access } = await at.connect();
    const { text } = await at.call(organisationPath());
    const id = /name="connection" value="([^"]+)"/.exec(text)?.[1] ?? '';
    expect((await at.form(`${organisationPath()}/disconnect`, [['connection', id]])).status).toBe(303);
    expect((await at.v3(access)).status).toBe(403);
    expect((await at.call(organisationPath())).text).not.toContain('name="connection"');
  });

  it('move the clock', async () => {
    await at.form('/_sandbox/screens/clock', [['advanceSeconds', '1860']]);
    expect(await at.control('clock')).toMatchObject({ now: '2026-03-02T10:31:00.000Z' });
  });

  it.each([
    ['/_sandbox/screens/clock', 'advanceSeconds', 'soon'],
    ['/_sandbox/screens/clock', 'other', '1'],
  ])('refuse nonsense: %s %s=%s', async (path, name, value) => {
    expect((await at.form(path, [[name, value]])).status).toBe(400);
  });

  it('are 404 for an organisation nobody knows, and refuse other sites', async () => {
    expect((await at.call('/_sandbox/screens/organisations/none')).status).toBe(404);
    const foreign = await at.form(organisationPath(), [['v1', 'closed']], { 'sec-fetch-site': 'cross-site' });
    expect(foreign.status).toBe(403);
  });
});
