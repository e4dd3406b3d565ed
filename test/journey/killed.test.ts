import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { giveConsent } from '../../src/replay/consent.ts';
import { eventually } from '../support/clock.ts';
import type { Answered } from '../support/http.ts';
import { API_KEY, countOf, LegacyProgram, textIn } from '../support/legacy.ts';
import { Mortal, type Customer } from './killed.ts';

/** Longer than an access token lives, in seconds; ten times it is less than a refresh token lives. */
const LATER = 1_860;

const studio: Customer = {
  name: 'Killed Studio',
  accountKey: 'B0000000000000000000000000000001',
  person: 'Ana Owner',
};
/** One for each moment at which a consent is interrupted. */
const newcomers = Array.from({ length: 3 }, (_, index): Customer => ({
  name: `Newcomer ${String(index)}`,
  accountKey: `B000000000000000000000000000010${String(index)}`,
  person: `Owner ${String(index)}`,
}));

const seedOf = ({ name, accountKey, person }: Customer, index: number): unknown => ({
  name,
  accountKey,
  apiKeys: [API_KEY],
  users: [{ name: person, email: `owner${String(index)}@killed.example` }],
  clients: [{ number: 1_000_000 + index, name: `Seeded ${String(index)}` }],
});

let mortal: Mortal;
/** Writes that were acknowledged in all lives. */
let acknowledged = 0;

beforeAll(async () => {
  mortal = await Mortal.start([studio, ...newcomers].map(seedOf));
  await mortal.rise();
  for (const customer of [studio, ...newcomers]) await mortal.add(customer);
  await giveConsent({
    link: await mortal.link(studio.name),
    person: studio.person,
    organisation: studio.name,
  });
  await mortal.moved(studio.name);
});

afterAll(async () => {
  await mortal.end();
});

/** What callers were told of their writes, whatever became of the bridge. */
class Ledger {
  readonly acknowledged = new Map<string, string>();
  readonly names: string[] = [];
  readonly #program: LegacyProgram;
  readonly #run: string;

  constructor(program: LegacyProgram, run: string) {
    this.#program = program;
    this.#run = run;
  }

  /** Adds clients one after the other until the bridge is gone. */
  async write(writer: number): Promise<void> {
    for (let index = 0; ; index += 1) {
      const name = `${this.#run} ${String(writer)}.${String(index)}`;
      this.names.push(name);
      const answer = await this.#program
        .post('client.api/add', `<Client><Name>${name}</Name></Client>`)
        .catch(() => undefined);
      if (answer === undefined) return;
      if (answer.text.includes('<Status>OK</Status>'))
        this.acknowledged.set(name, textIn(answer.text, 'ID') ?? '');
      else expect([503, 504]).toContain(answer.status);
    }
  }
}

/** Refreshes may have been out at the moment of death: they are given the time of a lease. */
async function servedAgain(program: LegacyProgram): Promise<Answered> {
  return mortal.comes('the account is served by V3 again', async () => {
    const answer = await program.get('client.api/list').catch(() => undefined);
    if (answer?.status === 403) throw new Error('the grant is lost');
    return answer?.status === 200 ? answer : undefined;
  });
}

/** The moment of death: so many writes acknowledged, the planned fault has struck, or a token call has come in. */
type Cue = number | 'struck' | 'token call';

const moments: readonly {
  readonly when: string;
  readonly fault?: Readonly<Record<string, unknown>>;
  readonly expired?: boolean;
  readonly cue: Cue;
}[] = [
  { when: 'with the first write', cue: 1 },
  { when: 'in the middle of writes', cue: 60 },
  {
    when: 'while writes wait for the service',
    fault: { on: { surface: 'v3', operation: 'client.add' }, do: 'latency', ms: 400, times: 4 },
    cue: 'struck',
  },
  {
    when: 'when the answer of a write was lost',
    fault: { on: { surface: 'v3', operation: 'client.add' }, do: 'reset-after', times: 4 },
    cue: 'struck',
  },
  { when: 'as a refresh begins', expired: true, cue: 'token call' },
  {
    when: 'while a refresh waits for its answer',
    fault: { on: { surface: 'token' }, do: 'latency', ms: 600 },
    expired: true,
    cue: 'struck',
  },
  {
    when: 'when the answer of a refresh was lost',
    fault: { on: { surface: 'token' }, do: 'reset-after' },
    expired: true,
    cue: 'struck',
  },
  {
    when: 'when a refresh is carried out later',
    fault: { on: { surface: 'token' }, do: 'late', ms: 300 },
    expired: true,
    cue: 'struck',
  },
  { when: 'shortly after a refresh', expired: true, cue: 4 },
];

const tokenCalls = async (): Promise<number> =>
  (await mortal.control.requests()).filter(({ path }) => path === '/connect/token').length;

async function cued(cue: Cue, ledger: Ledger, tokensBefore: number): Promise<void> {
  await eventually(`the moment of death (${String(cue)})`, async () => {
    if (cue === 'struck') return (await mortal.control.struck()) > 0 ? true : undefined;
    if (cue === 'token call') return (await tokenCalls()) > tokensBefore ? true : undefined;
    return ledger.acknowledged.size >= cue ? true : undefined;
  });
}

describe('a bridge that is killed', () => {
  it.each(moments)(
    '$when keeps grant, numbers and every acknowledged write',
    async ({ when, fault, expired, cue }) => {
      const program = new LegacyProgram(mortal.bridge, studio.accountKey);
      expect((await servedAgain(program)).status).toBe(200);
      const tokens = await tokenCalls();
      // Before the tokens expire: what the bridge finds out about its writes in the background may be what refreshes.
      if (fault) await mortal.control.fault(fault);
      if (expired === true) await mortal.control.advance(LATER);
      const ledger = new Ledger(program, when);
      const writers = Array.from({ length: 4 }, (_, writer) => ledger.write(writer));
      await cued(cue, ledger, tokens);
      await mortal.kill();
      await Promise.all(writers);
      await mortal.control.calm();
      await mortal.rise();

      const { text } = await servedAgain(program);
      for (const [name, id] of ledger.acknowledged) {
        expect((await program.get(`client.api/get/${id}`)).text).toContain(
          `<ID>${id}</ID><Name>${name}</Name>`,
        );
        expect(countOf(text, `<Name>${name}</Name>`)).toBe(1);
      }
      // A write whose caller heard nothing may be there or not, but never twice.
      for (const name of ledger.names) expect(countOf(text, `<Name>${name}</Name>`)).toBeLessThanOrEqual(1);
      expect((await mortal.control.family(studio.name)).revoked).toBeNull();
      acknowledged += ledger.acknowledged.size;
      const numbers = Array.from(text.matchAll(/<Client><ID>(\d+)<\/ID>/g), ([, number]) => number);
      expect(new Set(numbers).size).toBe(numbers.length);
      program.close();
    },
  );
});

it('a bridge was killed during enough calls to lose something', () => {
  expect(acknowledged).toBeGreaterThan(60);
});

describe('a consent during which the bridge is killed', () => {
  it.each([
    { when: 'before the code is exchanged', do: 'late', ms: 200 },
    { when: 'while the code is exchanged', do: 'latency', ms: 600 },
    { when: 'when the answer with the tokens was lost', do: 'reset-after', ms: undefined },
  ])('$when: the link stays valid, and the account moves with its numbers', async ({ do: what, ms }) => {
    const customer = newcomers[['late', 'latency', 'reset-after'].indexOf(what)] ?? studio;
    const program = new LegacyProgram(mortal.bridge, customer.accountKey);
    const before = await program.get('client.api/list');
    expect(before.headers['x-causeway-source']).toBe('v1');
    const link = await mortal.link(customer.name);
    const grants = await mortal.grants();
    const consenting = { link, person: customer.person, organisation: customer.name };

    await mortal.control.fault({
      on: { surface: 'token', operation: 'exchange' },
      do: what,
      ...(ms && { ms }),
    });
    const broken = giveConsent(consenting).catch(() => undefined);
    await eventually('the fault strikes', async () =>
      (await mortal.control.struck()) > 0 ? true : undefined,
    );
    await mortal.kill();
    await broken;
    await mortal.control.calm();
    await mortal.rise();

    expect(await mortal.stage(customer.name)).toBe('legacy');
    expect(await mortal.grants()).toBe(grants);
    expect((await program.get('client.api/list')).text).toBe(before.text);
    await giveConsent(consenting);
    await mortal.moved(customer.name);
    expect(await mortal.grants()).toBe(grants + 1);
    const after = await program.get('client.api/list');
    expect(after.headers['x-causeway-source']).toBe('v3');
    expect(after.text).toBe(before.text);
    program.close();
  });
});

it('a killed bridge shows no secret in any of its runs', () => {
  expect(mortal.output).toContain('"ready"');
  for (const secret of [API_KEY, studio.accountKey, ...newcomers.map(({ accountKey }) => accountKey)])
    expect(mortal.output).not.toContain(secret);
  expect(mortal.output).not.toMatch(/eyJ[\w-]+\.[\w-]+\./);
});
