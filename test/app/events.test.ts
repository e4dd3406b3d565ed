import { describe, expect, it } from '@jest/globals';
import { ConfigurationFault, describeSettings, readSettings } from '../../src/app/settings/settings.ts';
import type { Settings } from '../../src/app/settings/model.ts';
import { newKeyLine } from '../../src/tokens/sealing/keyring.ts';

const least = { CAUSEWAY_ENCRYPTION_KEYS: newKeyLine() };
const SECRET = 'a-secret-of-more-than-24-characters';
const read = (env: Readonly<Record<string, string>>): Settings => readSettings({ env: { ...least, ...env } });

function faultsOf(env: Readonly<Record<string, string>>): readonly string[] {
  try {
    read(env);
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.faults;
  }
  return [];
}

describe('the settings of outgoing events', () => {
  it('turn events off unless both are given', () => {
    expect(read({}).events).toBeUndefined();
    const url = { CAUSEWAY_EVENTS_URL: 'https://hooks.example.com/x' };
    const secret = { CAUSEWAY_EVENTS_SECRET: SECRET };
    expect(faultsOf(url).join()).toMatch(/^CAUSEWAY_EVENTS_SECRET: is required/);
    expect(faultsOf(secret).join()).toMatch(/^CAUSEWAY_EVENTS_URL: is required/);
    expect(read({ ...url, ...secret }).events?.secret.reveal()).toBe(SECRET);
  });

  it.each([
    'https://hooks.example.com/a/b?token=x&y=1',
    'http://127.0.0.1:9000/hook',
    'http://localhost/hook',
  ])('accept %s unchanged', (url) => {
    const { events } = read({ CAUSEWAY_EVENTS_URL: url, CAUSEWAY_EVENTS_SECRET: SECRET });
    expect(events?.url.reveal()).toBe(url);
  });

  it.each([
    'http://hooks.example.com/x',
    'http://127.0.0.1.example.com/x',
    'https://user:password@hooks.example.com/x',
    'https://hooks.example.com/#part',
    'ftp://hooks.example.com/',
    '/hook',
  ])('refuse %s, and do not repeat it', (url) => {
    const faults = faultsOf({ CAUSEWAY_EVENTS_URL: url, CAUSEWAY_EVENTS_SECRET: SECRET });
    expect(faults).toHaveLength(1);
    expect(faults[0]).toMatch(/^CAUSEWAY_EVENTS_URL: must /);
    expect(faults[0]).not.toContain(url);
  });

  it('refuse a short secret, and show neither setting', () => {
    const env = { ...least, CAUSEWAY_EVENTS_URL: 'https://hooks.example.com/x?token=of-mine' };
    expect(faultsOf({ ...env, CAUSEWAY_EVENTS_SECRET: 'short' })).toEqual([
      'CAUSEWAY_EVENTS_SECRET: must have at least 24 characters',
    ]);
    const shown = JSON.stringify(describeSettings({ env: { ...env, CAUSEWAY_EVENTS_SECRET: SECRET } }));
    expect(shown).not.toContain('of-mine');
    expect(shown).not.toContain(SECRET);
  });
});
