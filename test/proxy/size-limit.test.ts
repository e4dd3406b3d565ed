import { afterEach, describe, expect, it } from '@jest/globals';
import { SizeLimit } from '../../src/proxy/call/size-limit.ts';
import { ask, closeWorlds, refusal, uuid, world, type Played } from './world.ts';

afterEach(closeWorlds);

const HEAD = '<Response><Status>OK</Status>';
/** More than any answer may hold; nobody takes it whole. */
const ENDLESS = 3_000;
const filler = 'b'.repeat(64 * 1024);

/** A body that does not end by itself within reason, and how much of it was taken. */
function endless(piece: string, head = HEAD): { readonly played: Played; readonly taken: () => number } {
  let taken = 0;
  async function* body(): AsyncGenerator<Buffer> {
    yield Buffer.from(head);
    for (; taken < ENDLESS; taken += 1) yield Buffer.from(piece);
  }
  return { played: { body: body() }, taken: () => taken };
}

const client = `<Client><UUID>${uuid('c1', 1)}</UUID><Name>${filler}</Name></Client>`;
const GET = `GET client.api/get/${uuid('c1', 1)}`;
const LIST = 'GET client.api/list';
const POST = 'POST client.api/add';
const GENERIC_POST = 'POST other.api/enable';
const instructions = '<?a b?>'.repeat(8 * 1024);

describe('a reply without end', () => {
  it.each([
    ['records where there is one', GET, client, HEAD, 'upstreamAnswer'],
    ['records outside the list', LIST, client, HEAD, 'upstreamAnswer'],
    ['what is no record, for a list', LIST, `<Note>${filler}</Note>`, HEAD, 'upstreamAnswer'],
    ['nothing but instructions', LIST, instructions, HEAD, 'upstreamAnswer'],
    ['nothing but instructions, before the root', GET, instructions, '', 'upstreamAnswer'],
    ['records for a write', POST, client, HEAD, 'outcomeUnknown'],
    ['records for a write of the generic rule', GENERIC_POST, client, HEAD, 'outcomeUnknown'],
  ])('for %s is abandoned', async (_name, line, piece, head, code) => {
    const { played, taken } = endless(piece, head);
    const to = await world({ v3: () => played });
    const body = line === GENERIC_POST ? '<Staff><Name>n</Name></Staff>' : '<Client><Name>n</Name></Client>';
    expect(await refusal(to, line, { body })).toMatchObject({ code });
    expect(taken()).toBeLessThan(ENDLESS);
  });

  it('with a refusal is judged by its status', async () => {
    const { played, taken } = endless(instructions, '<Response>');
    const to = await world({ v3: () => ({ ...played, status: 400 }) });
    expect(await refusal(to, GET)).toMatchObject({ code: 'refused' });
    expect(taken()).toBeLessThan(ENDLESS);
  });

  it('does not include a long list, which is passed on completely', async () => {
    async function* body(): AsyncGenerator<Buffer> {
      yield Buffer.from(`${HEAD}<Clients>`);
      for (let index = 0; index < 600; index += 1) yield Buffer.from(client);
      yield Buffer.from('</Clients></Response>');
    }
    const to = await world({ pageSize: 1_000, v3: () => ({ body: body() }) });
    const text = await ask(to, LIST);
    expect(text.split('<Client>')).toHaveLength(601);
  });
});

describe('a reply that arrives too slowly', () => {
  const MINUTE = 60_000;

  /** A service that lets wait that long for each of three pieces; whoever reads takes as long as `reading` says. */
  async function read(
    waits: number,
    reading: number,
    between: (sizeLimit: SizeLimit) => void = () => undefined,
  ) {
    let now = 0;
    const sizeLimit = new SizeLimit(() => now);
    async function* body(): AsyncGenerator<Buffer> {
      for (let piece = 0; piece < 3; piece += 1) {
        now += waits;
        yield Buffer.from('x');
      }
    }
    let pieces = 0;
    for await (const chunk of sizeLimit.watch(body())) {
      pieces += chunk.length;
      now += reading;
      between(sizeLimit);
    }
    return pieces;
  }

  it('is abandoned after two minutes in total', async () => {
    expect(await read(0.6 * MINUTE, 0)).toBe(3);
    await expect(read(0.7 * MINUTE, 0)).rejects.toMatchObject({ code: 'upstreamTimeout' });
  });

  it('restarts its time limit with each useful part', async () => {
    expect(
      await read(MINUTE, 0, (sizeLimit) => {
        sizeLimit.renew();
      }),
    ).toBe(3);
  });

  it('is not blamed for a slow reader', async () => {
    expect(await read(0, 10 * MINUTE)).toBe(3);
  });
});
