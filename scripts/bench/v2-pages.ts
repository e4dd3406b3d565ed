import { parseArgs } from 'node:util';
import { serveSandbox } from '../../src/sandbox/serve.ts';

/**
 * Prints the cost of the first and the last of 100 pages of a long list on the sandbox's JSON API: `node
 * scripts/bench/v2-pages.ts --clients 100000`. The last may cost at most twice the first.
 */
const { values } = parseArgs({ options: { clients: { type: 'string', default: '100000' } } });
const ROUNDS = 30;
const CALLBACK = 'http://127.0.0.1:1/callback';

const application = {
  id: 'bench',
  name: 'Bench',
  secrets: ['bench'],
  redirectUris: [CALLBACK],
  practice: false,
};
const served = await serveSandbox(
  { applications: [application], protocol: { limits: { perMinute: null } } },
  { port: 0, host: '127.0.0.1' },
);
try {
  const [organisation] = await served.sandbox.seed({ size: Number(values.clients) });
  const user = organisation?.users[0];
  if (!organisation || !user) throw new Error('the seed gave no organisation');
  const headers = {
    authorization: `Bearer ${await connect(organisation.id, user.id)}`,
    'account-id': organisation.id,
  };
  for (const path of ['clients', 'clients?status=archived', 'clients?sort=updated&order=desc', 'jobs'])
    await measure(path, headers);
} finally {
  await served.close(100);
}

async function connect(organisation: string, user: string): Promise<string> {
  const consent = await fetch(`${served.url}/identity/connect/consent`, {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams({
      response_type: 'code',
      client_id: application.id,
      redirect_uri: CALLBACK,
      scope: 'openid service',
      state: 's',
      prompt: 'consent',
      user,
      organisation,
      decision: 'approve',
    }),
  });
  const code = new URL(consent.headers.get('location') ?? CALLBACK).searchParams.get('code') ?? '';
  const token = await fetch(`${served.url}/connect/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code,
      redirect_uri: CALLBACK,
      client_id: application.id,
      client_secret: 'bench',
    }),
  });
  return ((await token.json()) as { readonly access_token: string }).access_token;
}

async function measure(path: string, headers: Readonly<Record<string, string>>): Promise<void> {
  const url = (page: number): string =>
    `${served.url}/v2/${path}${path.includes('?') ? '&' : '?'}pagesize=100&page=${page}`;
  const answer = (await (await fetch(url(1), { headers })).json()) as {
    readonly meta: { readonly pagination: { readonly total_pages: number; readonly total_items: number } };
  };
  const { total_pages: pages, total_items: items } = answer.meta.pagination;
  const median = async (page: number): Promise<number> => {
    const times: number[] = [];
    for (let run = 0; run < ROUNDS; run++) {
      const start = performance.now();
      await (await fetch(url(page), { headers })).arrayBuffer();
      times.push(performance.now() - start);
    }
    return times.sort((a, b) => a - b)[ROUNDS / 2] ?? 0;
  };
  // A full page, so that both have the same size.
  const [first, middle, last] = [
    await median(1),
    await median(Math.ceil(pages / 2)),
    await median(pages - 1),
  ];
  process.stdout.write(
    `${path}: ${items} records; first page ${first.toFixed(1)} ms, middle ${middle.toFixed(1)} ms, last full page ${last.toFixed(1)} ms, ${(last / first).toFixed(2)} times the first\n`,
  );
}
