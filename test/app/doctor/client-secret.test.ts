import { describe, expect, it } from '@jest/globals';
import { clientSecretProbes } from '../../../src/app/tools/client-secrets.ts';
import type { Probe } from '../../../src/app/tools/model.ts';
import { CLIENT_ID, CLIENT_SECRET, RunningSandbox } from '../../support/sandbox.ts';
import { settingsOf } from './setting.ts';

const PUBLIC_URL = 'https://bridge.example.com';

async function probed(authUrl: string, secrets: string, clientId = CLIENT_ID): Promise<readonly Probe[]> {
  const settings = settingsOf({
    CAUSEWAY_PUBLIC_URL: PUBLIC_URL,
    CAUSEWAY_V3_BASE_URL: `${authUrl}/3.0`,
    CAUSEWAY_AUTH_URL: authUrl,
    CAUSEWAY_CONNECTIONS_URL: `${authUrl}/connections`,
    CAUSEWAY_CLIENT_ID: clientId,
    CAUSEWAY_CLIENT_SECRET: secrets,
  });
  return Promise.all(clientSecretProbes(settings).map(({ run }) => run()));
}

describe('causeway doctor on client secrets', () => {
  it('presents each with a code that does not exist, and says which the service refuses', async () => {
    const redirectUris = [`${PUBLIC_URL}/_causeway/callback`];
    const sandbox = await RunningSandbox.start({ redirectUris });
    try {
      const tried = async (secrets: string, clientId?: string): Promise<unknown> =>
        (await probed(sandbox.url, secrets, clientId)).map(({ good, detail }) => [good, detail]);
      const accepted = `the service accepts client ${CLIENT_ID}`;
      expect(await tried(CLIENT_SECRET)).toEqual([[true, `${accepted} with it`]]);
      expect(await tried(`wrong,${CLIENT_SECRET}`)).toEqual([
        [true, expect.stringContaining(`${accepted}, but not with secret 1 of 2`)],
      ]);
      expect(await tried('wrong')).toEqual([[false, expect.stringContaining('invalid_client')]]);
      expect(await tried(CLIENT_SECRET, 'nobody')).toEqual([
        [false, expect.stringContaining('client nobody')],
      ]);
    } finally {
      await sandbox.close();
    }
  });

  it('says that a token endpoint which does not answer leaves the secret untried', async () => {
    expect(await probed('http://127.0.0.1:9', 'any')).toEqual([
      {
        what: 'CAUSEWAY_CLIENT_SECRET',
        good: false,
        detail: 'could not be tried: the token endpoint does not answer as one',
      },
    ]);
  });
});
