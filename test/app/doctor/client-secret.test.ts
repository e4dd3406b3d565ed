import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, expect, it } from '@jest/globals';
import { clientSecretProbes } from '../../../src/app/tools/client-secrets.ts';
import type { Probe } from '../../../src/app/tools/probe.ts';
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

describe('causeway doctor, on client secrets,', () => {
  it('tries each with a code that does not exist, and names those the service refuses', async () => {
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

  it.each([
    ['invalid_grant', 400, true, 'accepts client'],
    ['unauthorized_client', 400, false, 'may not use the authorisation code grant'],
    ['invalid_request', 400, undefined, 'not checked: the token endpoint does not say'],
    [undefined, 401, undefined, 'not checked: the token endpoint does not say'],
    [undefined, 429, undefined, 'not checked: the token endpoint does not say'],
  ])('judges a token endpoint that answers %s with %d', async (error, status, good, words) => {
    const server = createServer((_, response) => {
      response.writeHead(status).end(error === undefined ? '' : JSON.stringify({ error }));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    try {
      expect(await probed(`http://127.0.0.1:${port}`, 'one,two')).toEqual([
        {
          what: 'CAUSEWAY_CLIENT_SECRET',
          good: good ?? true,
          ...(good === undefined && { instead: expect.any(String) as unknown }),
          detail: expect.stringContaining(words) as unknown,
        },
      ]);
    } finally {
      server.close();
    }
  });

  it('leaves a token endpoint that does not answer to the check of its address', async () => {
    expect(await probed('http://127.0.0.1:9', 'any')).toMatchObject([
      {
        good: true,
        detail: 'not checked: the token endpoint does not answer',
        instead: expect.any(String) as unknown,
      },
    ]);
  });
});
