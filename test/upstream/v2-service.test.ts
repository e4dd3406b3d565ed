import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { isLastPage, pagingOf, readAnswer, type V2Payload } from '../../src/proxy/translate/answer.ts';
import { multipart } from '../../src/proxy/translate/multipart.ts';
import type { Account } from '../../src/features/accounts/account.ts';
import { Failure } from '../../src/lib/failure.ts';
import type { Destination, Upstream, UpstreamRequest } from '../../src/upstream/model.ts';
import { signedInProbes } from '../../src/app/tools/doctor-v2.ts';
import { probes } from '../../src/app/tools/doctor.ts';
import { freePort, RunningBridge } from '../support/bridge.ts';
import { RunningSandbox } from '../support/sandbox.ts';

const CLIENTS = 23;
const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000C001',
  users: [{ name: 'Ana Owner', email: 'ana@studio.example' }],
  clients: Array.from({ length: CLIENTS }, (_, at) => ({ number: 1_000_000 + at, name: `Client ${at}` })),
};

const unknown = '00000000-0000-4000-8000-000000000000';
const missing = (): Failure => new Failure('refused', { text: 'not found' });

describe.each([
  { envelope: 'spec', aliases: 'on' },
  { envelope: 'bare', aliases: 'off' },
] as const)('V2 of the sandbox, with %j,', (v2) => {
  let sandbox: RunningSandbox;
  let bridge: RunningBridge;
  let lane: Upstream;
  let to: Destination;

  beforeAll(async () => {
    const port = await freePort();
    const redirectUris = [`http://127.0.0.1:${String(port)}/_causeway/callback`];
    const protocol = { limits: { perMinute: null }, v2 } as const;
    sandbox = await RunningSandbox.start({ protocol, redirectUris });
    await sandbox.seed([studio]);
    const env = { CAUSEWAY_V2_BASE_URL: sandbox.url };
    const profile = { limits: { perMinute: 1_000_000 } };
    bridge = await RunningBridge.start({ port, sandbox: sandbox.url, profile, env });
    await bridge.add({ ...studio, apiKey: '0'.repeat(32), product: 'standard' });
    await bridge.migrate(studio.name, 'Ana Owner');
    const { oauth, store } = bridge.services;
    if (oauth?.v2Endpoint === undefined) throw new Error('there is no V2 lane');
    lane = oauth.v2Endpoint;
    to = destinationOf(await store.accounts.find(studio.name));
  });

  afterAll(async () => {
    await bridge.stop();
    await sandbox.close();
  });

  async function ask(
    verb: string,
    path: string,
    more: Partial<UpstreamRequest> & { readonly value?: unknown } = {},
  ): Promise<V2Payload> {
    const { value, ...rest } = more;
    const request: UpstreamRequest = {
      verb,
      segments: path.split('/'),
      query: [],
      signal: AbortSignal.timeout(60_000),
      ...(value !== undefined && { body: JSON.stringify(value) }),
      ...rest,
    };
    return readAnswer(await lane.send(to, request), { write: verb !== 'GET', missing });
  }

  it('returns a list page by page, each record once', async () => {
    const names: string[] = [];
    for (let page = 1, last = false; !last; page += 1) {
      const query = [
        ['page', String(page)],
        ['pagesize', '5'],
      ] as const;
      const payload = await ask('GET', 'clients', { query });
      const rows = payload.data as readonly { readonly name: string }[];
      names.push(...rows.map(({ name }) => name));
      const paging = payload.body && pagingOf(payload.body);
      last = isLastPage({ paging }, { page, size: 5, rows: rows.length, before: names.length - rows.length });
    }
    expect(names.toSorted()).toEqual(studio.clients.map(({ name }) => name).toSorted());
  });

  it('creates, returns and deletes a record', async () => {
    const made = await ask('POST', 'clients', { value: { name: 'Ñandú & <Co>' } });
    const { uuid } = made.data as { readonly uuid: string };
    expect((await ask('GET', `clients/${uuid}`)).data).toMatchObject({ uuid, name: 'Ñandú & <Co>' });
    const form = await multipart(
      [
        { name: 'title', value: 'Plan' },
        {
          name: 'file',
          fileName: 'plan "é".txt',
          contentType: 'text/plain',
          bytes: Buffer.from([0, 1, 255]),
        },
      ],
      'b-2f6f0c58e1',
    );
    const uploaded = await ask('POST', `clients/${uuid}/documents`, {
      body: form,
    });
    expect(uploaded.data).toMatchObject({ fileName: 'plan "é".txt', fileSize: 3 });
    await ask('DELETE', `clients/${uuid}`);
    await expect(ask('GET', `clients/${uuid}`)).rejects.toMatchObject({ text: 'not found' });
  });

  it('says what is wrong with a value', async () => {
    await expect(ask('POST', 'clients', { value: {} })).rejects.toMatchObject({
      code: 'refused',
      source: 'v2',
      text: 'Message not in expected format. The following required element was missing - /Name',
    });
  });

  it.each(['job-status', 'staff', 'lead-status', 'business-structures', 'client-types'])(
    'is read under every spelling of %s, whichever the service serves',
    async (collection) => {
      const group =
        bridge.services.settings.profile.v2.spellings.find((all) => all.includes(collection)) ?? [];
      expect(group.length).toBeGreaterThan(1);
      for (const spelling of group) expect((await ask('GET', spelling)).data).toBeInstanceOf(Array);
    },
  );

  it('has no missing record, under any spelling', async () => {
    await expect(ask('GET', `staff/${unknown}`)).rejects.toMatchObject({ text: 'not found' });
  });

  it('is found by the doctor, with and without a token', async () => {
    const unknownKeys = await probes(bridge.services.settings);
    expect(unknownKeys.find(({ what }) => what === 'CAUSEWAY_V2_BASE_URL')).toMatchObject({ good: true });
    expect(await signedInProbes(bridge.services)).toEqual([
      { what: `CAUSEWAY_V2_BASE_URL, as ${studio.name}`, good: true, detail: 'answers (200)' },
    ]);
  });
});

function destinationOf(account: Account | undefined): Destination {
  if (account?.life.stage !== 'migrated') throw new Error('the account has not moved');
  const { grantId, organisation } = account.life.binding;
  const { id: accountId, product, application } = account;
  return { accountId, product, application, grantId, organisationId: organisation.id };
}
