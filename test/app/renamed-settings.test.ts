import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { renamed } from '../../src/app/settings/renamed.ts';
import { ConfigurationFault, readSettings } from '../../src/app/settings/settings.ts';
import type { Settings } from '../../src/app/settings/model.ts';
import { names } from '../../src/app/settings/table.ts';

const least = { CAUSEWAY_ENCRYPTION_KEYS: `k1:${Buffer.alloc(32, 7).toString('base64')}` };
const renamings = {
  CAUSEWAY_LISTEN_PORT: { now: 'CAUSEWAY_PORT', since: '1.2.0' },
  CAUSEWAY_CONSOLE_TOKEN: { now: 'CAUSEWAY_ADMIN_TOKEN', since: '2.0.0' },
} as const;
const token = 'a-token-of-the-console-that-is-long-enough';

function read(env: NodeJS.ProcessEnv, files: Readonly<Record<string, string>> = {}): Settings {
  const readText = (path: string): string => files[path] ?? readFileSync(path, 'utf8');
  return readSettings({ env: { ...least, ...env }, readText, renamings });
}

function faultsOf(env: NodeJS.ProcessEnv, files: Readonly<Record<string, string>> = {}): readonly string[] {
  try {
    read(env, files);
  } catch (error) {
    if (error instanceof ConfigurationFault) return error.faults;
    throw error;
  }
  return [];
}

const portNotice =
  'CAUSEWAY_LISTEN_PORT is called CAUSEWAY_PORT since 1.2.0: its former name works until 2.0.0';

describe('a renamed setting', () => {
  it('works under its former name until the next major version, with a notice', () => {
    const { listener, notices } = read({ CAUSEWAY_LISTEN_PORT: '8090' });
    expect(listener.port).toBe(8090);
    expect(notices).toContain(portNotice);
  });

  it('has its former key in the settings file, too', () => {
    const settings = read({ CAUSEWAY_CONFIG: 'a.yaml' }, { 'a.yaml': 'listen: { port: 8091 }' });
    expect(settings.listener.port).toBe(8091);
    expect(settings.notices).toContain(portNotice);
  });

  it('can still be given as a file if it is a secret', () => {
    const settings = read({ CAUSEWAY_CONSOLE_TOKEN_FILE: 'token' }, { token });
    expect(settings.adminToken?.reveal()).toBe(token);
    expect(settings.notices.join()).toContain(
      'CAUSEWAY_CONSOLE_TOKEN_FILE is called CAUSEWAY_ADMIN_TOKEN_FILE since 2.0.0: its former name works until 3.0.0',
    );
  });

  it('is refused if both names are given in one place', () => {
    expect(faultsOf({ CAUSEWAY_LISTEN_PORT: '1', CAUSEWAY_PORT: '2' })).toEqual([
      'CAUSEWAY_PORT: is given twice, as CAUSEWAY_LISTEN_PORT and as CAUSEWAY_PORT',
    ]);
    expect(
      faultsOf({ CAUSEWAY_CONSOLE_TOKEN: token, CAUSEWAY_ADMIN_TOKEN_FILE: 'token' }, { token }),
    ).toEqual([
      'CAUSEWAY_ADMIN_TOKEN: is given twice, as CAUSEWAY_CONSOLE_TOKEN and as CAUSEWAY_ADMIN_TOKEN_FILE',
    ]);
  });

  it('is read from the environment by its former name before the file by its new one', () => {
    const files = { 'a.yaml': 'port: 8092' };
    expect(read({ CAUSEWAY_CONFIG: 'a.yaml', CAUSEWAY_LISTEN_PORT: '8093' }, files).listener.port).toBe(8093);
  });

  it('appears in faults under the name that was used', () => {
    expect(faultsOf({ CAUSEWAY_LISTEN_PORT: 'many' }).join()).toContain('CAUSEWAY_LISTEN_PORT: ');
  });

  it('has no former name that another setting uses', () => {
    expect(Object.keys(renamed).filter((former) => names.some((name) => name === former))).toEqual([]);
  });
});
