import { describe, expect, it } from '@jest/globals';
import { MINUTE } from '../../src/lib/time/clock.ts';
import { Failure } from '../../src/lib/failure.ts';
import { idMapAddress } from '../../src/mapping/crosswalk/id-map.ts';
import type { UpstreamAnswer } from '../../src/upstream/model.ts';
import { DocumentsEndpoint } from '../../src/http/legacy/documents.ts';
import { dispositionOf, harmlessType } from '../../src/http/legacy/file-name.ts';
import { LinkSeal } from '../../src/features/documents/links.ts';
import { addAccount, arrive, depart, linkFor, openVillage } from '../features/harness.ts';
import { Sender } from '../support/http.ts';
import { failureForm, openTestServer } from './harness.ts';

const ADDRESS = 'http://v3/files/plan%20%C3%A9.pdf?sig=CANARY';

async function open(file: () => UpstreamAnswer = () => pdf(), hasV2 = true) {
  const village = await openVillage();
  const links = new LinkSeal(village.ring, village.clock);
  const { id } = await addAccount(village);
  const fetched: string[] = [];
  const lane = {
    send: village.v3.send.bind(village.v3),
    fetch: async (to: { readonly accountId: string }, url: string) => {
      fetched.push(`${to.accountId} ${url}`);
      return file();
    },
  };
  const v2 = {
    send: () => Promise.reject(new Failure('internal')),
    fetch: async (to: { readonly accountId: string }, url: string) => {
      fetched.push(`v2 ${to.accountId} ${url}`);
      return file();
    },
  };
  const services = await openTestServer({
    make: ({ dialect, log }) => ({
      documents: new DocumentsEndpoint({
        links,
        repository: village.store.accounts,
        crosswalk: village.store.crosswalk,
        v3: lane,
        v2: hasV2 ? v2 : undefined,
        dialect,
        log,
      }),
    }),
  });
  const move = async () => arrive(village, await depart(village, await linkFor(village, id)));
  const link = (accountId = id, url = ADDRESS, lane?: 'v2' | 'v3') =>
    links.make({ accountId, url, lane, expiresAt: village.clock.now() + 10 * MINUTE });
  const send = async (token: string, verb = 'GET') => {
    const sender = new Sender(`http://127.0.0.1:${services.port}`);
    try {
      return await sender.send({ verb, target: `/_causeway/documents/${token}` });
    } finally {
      sender.close();
    }
  };
  return { village, services, id, fetched, move, link, send };
}

function pdf(
  headers: Readonly<Record<string, string>> = {},
  contentType = 'application/pdf',
): UpstreamAnswer {
  return {
    status: 200,
    contentType,
    headers,
    millis: 1,
    body: (async function* () {
      yield Buffer.from('%PDF-');
      yield Buffer.from('1.7');
    })(),
  };
}

/** One bit of its last byte is another. */
function tampered(token: string): string {
  const bytes = Buffer.from(token, 'base64url');
  bytes.writeUInt8(bytes.readUInt8(bytes.length - 1) ^ 1, bytes.length - 1);
  return bytes.toString('base64url');
}

describe('a document link', () => {
  it('returns the file of its account as an attachment', async () => {
    const { send, link, move, fetched, id } = await open();
    await move();
    const { status, headers, text } = await send(link());
    expect({ status, text }).toEqual({ status: 200, text: '%PDF-1.7' });
    expect(headers).toMatchObject({
      'content-type': 'application/pdf',
      'content-disposition': `attachment; filename="plan _.pdf"; filename*=UTF-8''plan%20%C3%A9.pdf`,
      'x-content-type-options': 'nosniff',
      'x-causeway-source': 'v3',
    });
    expect(headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
    expect(fetched).toEqual([`${id} ${ADDRESS}`]);
  });

  it.each([
    ['garbage', async () => 'garbage'],
    ['of an unknown account', async ({ link }: Awaited<ReturnType<typeof open>>) => link('nobody')],
    [
      'expired',
      async ({ link, village }: Awaited<ReturnType<typeof open>>) => {
        const token = link();
        village.clock.advance(10 * MINUTE);
        return token;
      },
    ],
    ['tampered with', async ({ link }: Awaited<ReturnType<typeof open>>) => tampered(link())],
  ])('that is %s is not found, in XML', async (_name, make) => {
    const setting = await open();
    await setting.move();
    const { status, headers, text } = await setting.send(await make(setting));
    expect(status).toBe(404);
    expect(headers['content-type']).toBe('text/xml; charset=utf-8');
    expect(text).toMatch(failureForm);
    expect(setting.fetched).toEqual([]);
  });

  it('of a file on V2 is fetched from V2', async () => {
    const { send, link, move, fetched, id } = await open();
    await move();
    const { status, headers, text } = await send(link(id, ADDRESS, 'v2'));
    expect({ status, text, source: headers['x-causeway-source'] }).toEqual({
      status: 200,
      text: '%PDF-1.7',
      source: 'v2',
    });
    expect(fetched).toEqual([`v2 ${id} ${ADDRESS}`]);
  });

  it('of a file on V2 is not found once there is no V2', async () => {
    const { send, link, move, fetched, id } = await open(undefined, false);
    await move();
    expect((await send(link(id, ADDRESS, 'v2'))).status).toBe(404);
    expect(fetched).toEqual([]);
  });

  it('of an account that has not moved is not found', async () => {
    const { send, link } = await open();
    expect((await send(link())).status).toBe(404);
  });

  it.each([
    ['a missing file', () => ({ ...pdf(), status: 404 }), 404],
    ['a fault of the service', () => ({ ...pdf(), status: 500 }), 502],
    [
      'no answer',
      () => {
        throw new Failure('upstreamTimeout');
      },
      504,
    ],
    [
      'an address elsewhere',
      () => {
        throw new TypeError('CANARY');
      },
      500,
    ],
  ])('reports %s in XML', async (_name, file, status) => {
    const { send, link, move, services } = await open(file);
    await move();
    const answer = await send(link());
    expect(answer.status).toBe(status);
    expect(answer.text).toMatch(failureForm);
    expect(answer.text).not.toMatch(/CANARY|v3/);
    expect(services.log.lines.some(({ event }) => event === 'document.failed')).toBe(true);
  });

  it("returns an account's table of numbers and UUIDs without an upstream call", async () => {
    const { send, link, move, fetched, id, village } = await open();
    await village.store.crosswalk.learn(id, [
      { kind: 'client', number: 7, uuid: '0c000000-0000-4000-8000-000000000007' },
      { kind: 'staff', number: 7, uuid: '5a000000-0000-4000-8000-000000000007' },
    ]);
    const table = (kind: string) => link(id, idMapAddress(kind));
    expect((await send(table('client'))).status).toBe(404);
    await move();
    const { status, headers, text } = await send(table('staff'));
    expect(status).toBe(200);
    expect(text).toContain('ID,UUID\r\n7,5a000000-0000-4000-8000-000000000007\r\n');
    expect(text).not.toContain('0c000000');
    expect(headers).toMatchObject({
      'content-type': 'text/csv; charset=utf-8',
      'content-disposition': 'attachment; filename="staff.csv"',
      'cache-control': 'private, no-store',
      'x-causeway-source': 'bridge',
    });
    expect((await send(table('nothing'))).text).toBe('ID,UUID\r\n');
    expect(fetched).toEqual([]);
  });

  it('accepts GET only', async () => {
    const { send, link, move } = await open();
    await move();
    const { status, text, headers } = await send(link(), 'POST');
    expect(status).toBe(405);
    expect(headers.allow).toBe('GET');
    expect(text).toMatch(failureForm);
  });

  it('is cut if the file is', async () => {
    const { send, link, move } = await open(() => ({
      ...pdf(),
      body: (async function* () {
        yield Buffer.alloc(100_000);
        throw new Failure('upstreamAnswer');
      })(),
    }));
    await move();
    await expect(send(link())).rejects.toThrow();
  });
});

describe('the media type of a file', () => {
  it.each([
    ['application/pdf', 'application/pdf'],
    ['IMAGE/PNG', 'image/png'],
    ['text/plain; charset=utf-8', 'text/plain; charset=utf-8'],
    ['text/html', 'application/octet-stream'],
    ['image/svg+xml', 'application/octet-stream'],
    ['text/xml', 'application/octet-stream'],
    ['', 'application/octet-stream'],
    ['application/pdf\r\nX: y', 'application/octet-stream'],
  ])('%j is sent as %s', (given, sent) => {
    expect(harmlessType(given)).toBe(sent);
  });
});

describe('the name of a file', () => {
  it.each([
    [undefined, 'http://v3/f/a.pdf', 'a.pdf'],
    ['attachment; filename="b c.pdf"', 'http://v3/f/a.pdf', 'b c.pdf'],
    ['attachment; filename=d.pdf', 'http://v3/f/a.pdf', 'd.pdf'],
    ["attachment; filename=x; filename*=UTF-8''caf%C3%A9.pdf", 'http://v3/f/a.pdf', 'caf_.pdf'],
    ['attachment; filename="../../etc/passwd"', 'http://v3/f/a.pdf', '_.._etc_passwd'],
    ['attachment; filename="..\\\\..\\\\boot.ini"', 'http://v3/f/a.pdf', '__..__boot.ini'],
    ['attachment; filename="a%0d%0aX: y.pdf"', 'http://v3/f/a.pdf', 'a_0d_0aX_ y.pdf'],
    [undefined, 'http://v3/', 'document'],
    [undefined, 'http://v3/%2e%2e', 'document'],
    [undefined, 'http://v3/%ff', 'document'],
    [undefined, 'not an address', 'document'],
  ])('%j at %s is %s', (given, url, name) => {
    const disposition = dispositionOf(given, url);
    expect(/filename="([^"]*)"/.exec(disposition)?.[1]).toBe(name);
    expect(disposition).toMatch(
      /^attachment; filename="[\x20-\x7e]*"; filename\*=UTF-8''[A-Za-z0-9%._~!-]*$/,
    );
  });

  it('hides nothing behind direction marks, and is limited', () => {
    const disposition = dispositionOf(
      `attachment; filename*=UTF-8''a%E2%80%AEfdp.exe${'x'.repeat(300)}.pdf`,
      'http://v3/',
    );
    expect(disposition).not.toMatch(/%E2%80%AE/);
    expect(disposition.length).toBeLessThan(400);
  });
});
