import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { AuthorityRefused, type TokenAnswer } from '../../../src/upstream/model.ts';
import type { Outcome } from '../../../src/features/consent/parts.ts';
import {
  addAccount,
  answer,
  arrive,
  connection,
  depart,
  linkFor,
  openVillage,
  REFUSED,
  uuid,
  wordFor,
  type Village,
  shownClient,
} from '../harness.ts';

/** The same numbers in every run. */
function dice(seed: number): (sides: number) => number {
  let state = seed;
  return (sides) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return Math.floor((state / 2 ** 32) * sides);
  };
}

const browserOf = (n: number): Secret => new Secret(String.fromCharCode(97 + n).repeat(43));
const stageOf = async (village: Village, id: string) => (await village.store.accounts.byId(id))?.life;

describe('link scanners before the person', () => {
  it('use nothing up in a hundred orders, and the person is connected once', async () => {
    const village = await openVillage();
    const roll = dice(1);
    for (let run = 0; run < 100; run += 1) {
      const { id } = await addAccount(village, `Account ${String(run)}`);
      const organisation = { id: `org-${String(run)}`, name: `Account ${String(run)}` };
      village.authority.organisationIds = [organisation.id];
      village.authority.known = [connection(organisation.id, organisation.name, 'event-1')];
      const link = await linkFor(village, id);
      for (let step = roll(6); step > 0; step -= 1) {
        if (roll(2) === 0) await village.consent.look(link);
        else await depart(village, link, browserOf(roll(5) + 1));
        if (roll(4) === 0) await arrive(village, 'x'.repeat(43), {}, browserOf(roll(5)));
      }
      expect(wordFor(await arrive(village, await depart(village, link)))).toBe('connected');
      expect(await stageOf(village, id)).toMatchObject({ binding: { organisation } });
      const bound = (await village.store.accounts.timeline(id)).filter(({ kind }) => kind === 'consented');
      expect(bound).toHaveLength(1);
    }
  });
});

describe('two people with one link', () => {
  it('create one connection, fifty times', async () => {
    const village = await openVillage({ withoutV1: true, proofMode: 'name' });
    for (let run = 0; run < 50; run += 1) {
      const { id } = await addAccount(village, `Account ${String(run)}`);
      village.authority.organisationIds = [`org-${String(run)}`];
      village.authority.known = [connection(`org-${String(run)}`, `Account ${String(run)}`, 'event-1')];
      const link = await linkFor(village, id);
      const states = await Promise.all([0, 1].map((n) => depart(village, link, browserOf(n))));
      const outcomes = await Promise.all(states.map((state, n) => arrive(village, state, {}, browserOf(n))));
      expect(outcomes.map(wordFor).filter((word) => word === 'connected')).toHaveLength(1);
      const bound = (await village.store.accounts.timeline(id)).filter(({ kind }) => kind === 'consented');
      expect(bound).toHaveLength(1);
      expect(await village.store.grants.list()).toHaveLength(run + 1);
    }
  });
});

interface Flow {
  readonly account: number;
  readonly state: string;
  readonly browser: number;
  /** What the authorisation server gave the person at the end of this flow. */
  readonly code: string;
}

/** A server that gives each code for one organisation and one challenge, and takes it once. */
class Codes {
  readonly #issued = new Map<string, { readonly organisation: number; readonly challenge: string }>();
  readonly #village: Village;
  #count = 0;

  constructor(village: Village) {
    this.#village = village;
    const original = village.authority.exchange.bind(village.authority);
    village.authority.exchange = async (code, redirectUri, verifier): Promise<TokenAnswer> => {
      const found = this.#issued.get(code.reveal());
      this.#issued.delete(code.reveal());
      const challenge = createHash('sha256')
        .update(verifier?.reveal() ?? '')
        .digest('base64url');
      if (found?.challenge !== challenge) throw new AuthorityRefused('invalid_grant');
      const tokens = await original(code, redirectUri, verifier);
      const claims = { ...tokens.claims, organisationIds: [`org-${String(found.organisation)}`] };
      return { ...tokens, claims };
    };
  }

  issue(organisation: number): string {
    this.#count += 1;
    const code = `code-${String(this.#count)}`;
    const challenge = this.#village.authority.departures.at(-1)?.challenge ?? '';
    this.#issued.set(code, { organisation, challenge });
    return code;
  }
}

describe('five concurrent flows', () => {
  it('with states, codes and cookies swapped, replayed and reused bind nothing to the wrong account', async () => {
    const roll = dice(3);
    const tally = new Map<string, number>();
    for (let run = 0; run < 20; run += 1) {
      const village = await openVillage();
      village.v1.answers = { 'uuid.api/maps': () => answer(403, '') };
      village.v3.answer = (asked) => {
        const [to, request] = village.v3.asked.at(-1) ?? [];
        if (request?.segments.includes('get') !== true) return shownClient(asked);
        const own = uuid(Number(to?.organisationId.slice('org-'.length)));
        return request.segments.at(-1) === own ? shownClient(asked) : answer(200, REFUSED);
      };
      const codes = new Codes(village);
      const ids: string[] = [];
      const links: string[] = [];
      for (let n = 0; n < 5; n += 1) {
        const { id } = await addAccount(village, `Account ${String(n)}`);
        await village.store.crosswalk.learn(id, [{ kind: 'client', number: n + 1, uuid: uuid(n) }]);
        ids.push(id);
        links.push(await linkFor(village, id));
      }
      const flows: Flow[] = [];
      for (let step = 0; step < 25; step += 1) {
        const outcome = await oneStep();
        if (outcome === undefined) continue;
        const word = wordFor(outcome);
        tally.set(word, (tally.get(word) ?? 0) + 1);
      }
      for (const [n, id] of ids.entries()) {
        const life = await stageOf(village, id);
        if (life !== undefined && 'binding' in life)
          expect(life.binding.organisation.id).toBe(`org-${String(n)}`);
      }
      const bound = (await village.store.accounts.list()).filter(({ life }) => 'binding' in life);
      expect(await village.store.grants.list()).toHaveLength(bound.length);

      async function oneStep(): Promise<Outcome | undefined> {
        const account = roll(5);
        const link = links[account] ?? '';
        if (flows.length < 3 || roll(3) === 0) {
          if ((await village.consent.look(link)) === undefined) return undefined;
          const browser = roll(3);
          const state = await depart(village, link, browserOf(browser));
          flows.push({ account, state, browser, code: codes.issue(roll(3) === 0 ? roll(5) : account) });
          return undefined;
        }
        const pick = (): Flow => flows[roll(flows.length)] ?? raise();
        const [one, other, third] = [
          pick(),
          roll(3) === 0 ? pick() : undefined,
          roll(3) === 0 ? pick() : undefined,
        ];
        return arrive(village, one.state, { code: (other ?? one).code }, browserOf((third ?? one).browser));
      }
    }
    for (const word of ['connected', 'stateUnknown', 'exchangeFailed', 'foreignOrganisation'])
      expect(tally.get(word)).toBeGreaterThan(5);
  });
});

const raise = (): never => {
  throw new Error('there is no flow yet');
};
