import { describe, expect, it } from '@jest/globals';
import { judgeTokens } from '../../../src/app/doctor/console-tokens.ts';
import { probesOf } from '../../../src/app/tools/doctor.ts';
import { readSettings } from '../../../src/app/settings/settings.ts';
import type { ConsoleToken } from '../../../src/features/admin/tokens/token.ts';
import { newKeyLine } from '../../../src/tokens/sealing/keyring.ts';
import { OpenIdTestProvider } from '../../support/openid-provider.ts';

const token = (name: string, rest: Partial<ConsoleToken> = {}): ConsoleToken => ({
  ...{ id: name, name, scope: 'operate', createdAt: 0 },
  ...{ lastUsedAt: undefined, revokedAt: undefined, expiresAt: undefined, subject: undefined },
  ...rest,
});

async function asked(issuer: string): Promise<unknown> {
  const env = {
    CAUSEWAY_ENCRYPTION_KEYS: newKeyLine(),
    CAUSEWAY_OPENID_ISSUER: issuer,
    CAUSEWAY_OPENID_CLIENT_ID: 'console',
    CAUSEWAY_OPENID_ROLES: 'admin=a',
  };
  const row = probesOf(readSettings({ env })).find(({ what }) => what === 'CAUSEWAY_OPENID_ISSUER');
  return row?.run();
}

describe('causeway doctor, on sign-in to the console,', () => {
  it('says whether an OpenID provider answers under exactly this name', async () => {
    await using provider = await OpenIdTestProvider.start();
    expect(await asked(provider.issuer)).toMatchObject({
      good: true,
      detail: 'is an OpenID provider, with PKCE',
    });
    expect(await asked(provider.issuer.replace('127.0.0.1', 'localhost'))).toMatchObject({
      good: false,
      detail: expect.stringContaining('under another name'),
    });
    expect(await asked('http://127.0.0.1:9')).toMatchObject({
      good: false,
      detail: expect.stringContaining('does not answer'),
    });
  });

  it('warns of tokens with write access that never expire, and if no token would work in an emergency', () => {
    const emergency = token('safe', { scope: 'administer', expiresAt: 9 });
    expect(judgeTokens([token('ada'), token('eve', { revokedAt: 1 }), emergency], 2, true)).toMatchObject([
      { state: 'warning', why: 'ada may act and never expires' },
    ]);
    const person = token('Bob <b@x>', { subject: 'b', scope: 'administer' });
    expect(judgeTokens([person], 2, true)).toMatchObject([
      { state: 'warning', why: expect.stringMatching(/^no token would open/) },
    ]);
    expect(judgeTokens([emergency, token('see', { scope: 'read' })], 2, true)).toMatchObject({ state: 'ok' });
  });
});
