/**
 * The service of `sizes.ts`: the sandbox in a process of its own, with organisations of a given size and a token for
 * each.
 */
import { join } from 'node:path';
import { ServerProcess } from '../server-process.ts';
import { API_KEY } from '../seed.ts';
import { z } from 'zod';

const project = join(import.meta.dirname, '..', '..', '..');
const BACK = 'http://127.0.0.1:8080/_causeway/callback';
const DAYS_30 = 30 * 86_400;

/** An organisation of the sandbox. */
export interface Organisation {
  readonly id: string;
  readonly accountKey: string;
  /** Valid for thirty days. */
  readonly accessToken: string;
}

/** The application registered with the sandbox. */
export const application = { id: 'sizes', secret: 'sizes-secret' } as const;

/** The sandbox, empty, in memory. */
export const startSandbox = (folder: string): Promise<ServerProcess> =>
  ServerProcess.start({
    name: 'sandbox',
    program: process.execPath,
    args: ['--disable-warning=ExperimentalWarning', join(project, 'src', 'sandbox', 'main.ts')],
    env: {
      SANDBOX_PORT: '0',
      SANDBOX_SEED: '0',
      SANDBOX_CLIENTS: JSON.stringify([
        { id: application.id, name: 'Sizes', secrets: [application.secret], redirectUris: [BACK] },
      ]),
    },
    output: join(folder, 'sandbox.log'),
    port: (output) => {
      const port = /sandbox listening on \S+:(\d+)/.exec(output)?.[1];
      return port === undefined ? undefined : Number(port);
    },
  });

const listed = z.object({ data: z.array(z.object({ id: z.string(), name: z.string() })) });
const people = z.object({
  data: z.array(z.object({ id: z.string(), memberships: z.array(z.object({ organisationId: z.string() })) })),
});

const keyOf = (index: number): string => `C${String(index).padStart(31, '0')}`;

/** Creates organisations with `clients` clients each, and removes the limit of 60 calls a minute. */
export async function seedOrganisations(
  origin: string,
  count: number,
  clients: number,
): Promise<readonly Omit<Organisation, 'accessToken'>[]> {
  const at = `${origin}/_sandbox`;
  await sent(
    `${at}/settings`,
    json({ protocol: { limits: { perMinute: null }, durations: { access: DAYS_30 } } }),
  );
  for (let index = 0; index < count; index += 1)
    await sent(
      `${at}/seed`,
      json({
        organisations: [
          {
            name: `Organisation ${index}`,
            accountKey: keyOf(index),
            apiKeys: [API_KEY],
            users: [{ name: `Owner ${index}`, email: `owner${index}@studio.example` }],
            generate: { clients, seed: index + 1 },
          },
        ],
      }),
    );
  const { data: organisations } = listed.parse(await (await sent(`${at}/organisations`)).json());
  return organisations.map(({ id, name }) => ({ id, accountKey: keyOf(Number(name.split(' ')[1])) }));
}

/** Gives the consent of the organisation's administrator, and exchanges its code. */
export async function tokenOf(origin: string, { id }: { readonly id: string }): Promise<string> {
  const { data: users } = people.parse(await (await sent(`${origin}/_sandbox/users`)).json());
  const user = users.find(({ memberships }) => memberships.some((one) => one.organisationId === id));
  if (user === undefined) throw new Error('an organisation has no user');
  const consent = new URLSearchParams({
    ...{ response_type: 'code', client_id: application.id, redirect_uri: BACK, state: '1' },
    ...{ scope: 'openid profile email service offline_access', user: user.id },
    ...{ organisation: id, decision: 'approve' },
  });
  const { headers } = await fetch(`${origin}/identity/connect/consent`, {
    method: 'POST',
    body: consent,
    redirect: 'manual',
  });
  const code = new URL(headers.get('location') ?? 'none:').searchParams.get('code');
  if (code === null) throw new Error('the consent gave no code');
  const exchange = await fetch(`${origin}/connect/token`, {
    method: 'POST',
    headers: {
      authorization: `Basic ${Buffer.from(`${application.id}:${application.secret}`).toString('base64')}`,
    },
    body: new URLSearchParams({ grant_type: 'authorization_code', code, redirect_uri: BACK }),
  });
  return z.object({ access_token: z.string() }).parse(await exchange.json()).access_token;
}

const json = (value: object): RequestInit => ({
  method: 'POST',
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify(value),
});

async function sent(url: string, init?: RequestInit): Promise<Response> {
  const response = await fetch(url, init);
  if (!response.ok) throw new Error(`${url}: ${response.status} ${await response.text()}`);
  return response;
}
