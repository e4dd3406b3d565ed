import { testProfile } from '../../support/profile.ts';
import { describe, expect, it } from '@jest/globals';
import { createHash } from 'node:crypto';
import { DAY, HOUR, MINUTE } from '../../../src/lib/time/clock.ts';
import type { ConsentRefusal } from '../../../src/features/consent/model.ts';
import { HandClock } from '../../support/clock.ts';
import { V1Absence } from '../../../src/features/identifiers/v1-absence.ts';
import { Failure } from '../../../src/lib/failure.ts';
import { openPair } from '../../../src/tokens/grant-row.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import {
  addAccount,
  answer,
  arrive,
  browser,
  connection,
  depart,
  knowsNoClient,
  linkFor,
  openVillage,
  ORGANISATION,
  refusal,
  uuid,
  wordFor,
  type Village,
  shownClient,
} from '../harness.ts';

const stageOf = async (village: Village, id: string) => (await village.store.accounts.byId(id))?.life;
const kindsOf = async (village: Village, id: string) =>
  (await village.store.accounts.timeline(id)).map(({ kind }) => kind);

describe('a consent', () => {
  it('moves an account from V1 to V3', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    const state = await depart(village, link);
    expect(await arrive(village, state)).toEqual({
      outcome: 'connected',
      mailed: false,
      connections: [
        {
          account: 'Old Mill Engineering',
          organisation: ORGANISATION.name,
          origin: 'added',
          migrated: true,
        },
      ],
      by: 'Ada Miller',
      at: village.clock.now(),
    });
    expect(await stageOf(village, id)).toMatchObject({
      stage: 'migrated',
      binding: { organisation: ORGANISATION },
    });
    expect(await kindsOf(village, id)).toEqual([
      'added',
      'invited',
      'crosswalk.learned',
      'consented',
      'migrated',
      'numbers.read',
    ]);
  });

  it('keeps the tokens sealed under the grant, and shows them nowhere', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const state = await depart(village, await linkFor(village, id));
    await arrive(village, state);
    const [grant] = await village.store.grants.list();
    if (grant?.state !== 'held') throw new Error('no grant is held');
    const pair = openPair(village.ring, grant.id, grant.tokens);
    expect([pair.accessToken.reveal(), pair.refreshToken.reveal()]).toEqual([
      'ACCESS-CANARY',
      'REFRESH-CANARY',
    ]);
    expect(grant).toMatchObject({ scope: 'service offline_access', consenter: { name: 'Ada Miller' } });
    expect(JSON.stringify([grant, await village.accounts.show(id)])).not.toMatch(/CANARY|KEY-|"API"/);
  });

  it('is requested with a challenge, and exchanged with its verifier and the exact address', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await arrive(village, await depart(village, await linkFor(village, id)));
    const [departure] = village.authority.departures;
    const [exchange] = village.authority.exchanges;
    expect(departure).toMatchObject({ scope: 'service offline_access', redirectUri: exchange?.redirectUri });
    expect(departure?.challenge).toBe(
      createHash('sha256')
        .update(exchange?.verifier ?? '')
        .digest('base64url'),
    );
    expect(exchange).toMatchObject({
      code: 'CODE-CANARY',
      redirectUri: 'http://127.0.0.1:1/_causeway/callback',
    });
  });

  it('works without a challenge if the profile says so', async () => {
    const village = await openVillage({ profile: testProfile({ pkce: false }) });
    const { id } = await addAccount(village);
    await arrive(village, await depart(village, await linkFor(village, id)));
    expect(village.authority.departures[0]?.challenge).toBeUndefined();
    expect(village.authority.exchanges[0]?.verifier).toBeUndefined();
  });

  it('learns every number before the browser leaves', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await depart(village, await linkFor(village, id));
    const found = await village.store.crosswalk.uuids(id, [{ kind: 'client', number: 11 }]);
    expect(found.size).toBe(1);
  });

  it.each([
    ['unavailable', () => answer(503, '')],
    [
      'cut',
      () => {
        throw new Failure('upstreamAnswer');
      },
    ],
    ['overloaded', () => answer(429, '')],
  ])('waits while V1 is %s, because the numbers cannot be learned later', async (_name, fault) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    village.v1.answers = { 'uuid.api/maps': fault };
    expect(await village.consent.begin(link, browser)).toEqual({
      outcome: 'later',
      application: 'default',
      product: 'standard',
      language: undefined,
    });
    expect(village.authority.departures).toEqual([]);
  });

  const toldLater = async (village: Village, id: string) =>
    (await village.store.accounts.timeline(id)).flatMap(({ kind, detail }) =>
      kind === 'consent.later' || kind === 'consent.unread' ? [`${kind} ${detail}`] : [],
    );
  const learnt = async (village: Village, id: string): Promise<void> => {
    const account = await village.store.accounts.byId(id);
    if (account === undefined) throw new Error('no account');
    await village.identifierSync.learn(account);
  };
  const end = (village: Village): void => {
    village.v1.get = () => Promise.reject(new Failure('upstreamUnavailable'));
  };

  /** Two failed readings more than half an hour apart show no more than half an hour. */
  const absentForAnHour = async (village: Village, id: string): Promise<void> => {
    for (let half = 0; half < 2; half += 1) {
      await learnt(village, id);
      village.clock.advance(HOUR / 2);
    }
    await learnt(village, id);
  };
  /** As another process of the bridge. */
  const elsewhere = (village: Village): V1Absence =>
    new V1Absence({ settings: village.store.settings, clock: village.clock, answers: () => 1 });

  it('continues once V1 has answered nobody for an hour, if every number is known', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    await learnt(village, id);
    end(village);
    village.clock.advance(DAY);
    for (const pause of [HOUR / 2, HOUR / 2 - MINUTE, MINUTE]) {
      expect(await village.consent.begin(link, browser)).toMatchObject({ outcome: 'later' });
      village.clock.advance(pause);
    }
    expect(await village.consent.begin(link, browser)).toMatchObject({ outcome: 'leave' });
    expect(await toldLater(village, id)).toEqual([
      'consent.later V1 could not be read',
      'consent.unread V1 could not be read for an hour or more; all numbers are known',
    ]);
  });

  it('continues at once if the periodic readings of V1 have failed for an hour', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await learnt(village, id);
    end(village);
    await absentForAnHour(village, id);
    expect(await village.consent.begin(await linkFor(village, id), browser)).toMatchObject({
      outcome: 'leave',
    });
  });

  it('waits although V1 failed in one minute of each of two hours, as nobody knows what it did between them', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    await learnt(village, id);
    end(village);
    await learnt(village, id);
    village.clock.advance(5 * HOUR);
    expect(await village.consent.begin(link, browser)).toMatchObject({ outcome: 'later' });
  });

  it('waits although a customer was told so at an earlier time, if V1 was read since', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    const get = village.v1.get.bind(village.v1);
    await learnt(village, id);
    village.clock.advance(HOUR);
    end(village);
    expect(await village.consent.begin(link, browser)).toMatchObject({ outcome: 'later' });
    village.v1.get = get;
    village.clock.advance(HOUR);
    await learnt(village, id);
    village.clock.advance(2 * HOUR);
    end(village);
    expect(await village.consent.begin(link, browser)).toMatchObject({ outcome: 'later' });
  });

  it.each([
    ['V1 has answered another process since', (absence: V1Absence) => absence.answered()],
    ['a bridge has started since', (absence: V1Absence) => absence.watch()],
  ])('waits although V1 could not be read for an hour, if %s', async (_name, told) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await learnt(village, id);
    end(village);
    await absentForAnHour(village, id);
    await told(elsewhere(village));
    expect(await village.consent.begin(await linkFor(village, id), browser)).toMatchObject({
      outcome: 'later',
    });
  });

  it('continues after an hour that another process has seen V1 absent', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await learnt(village, id);
    end(village);
    const other = elsewhere(village);
    for (let half = 0; half < 3; half += 1) {
      await other.failed();
      village.clock.advance(HOUR / 2);
    }
    expect(await village.consent.begin(await linkFor(village, id), browser)).toMatchObject({
      outcome: 'leave',
    });
  });

  it('does not count an answer with an error as an absence of V1', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await learnt(village, id);
    village.v1.answers = { 'uuid.api/maps': () => answer(503, '') };
    await absentForAnHour(village, id);
    expect(await village.consent.begin(await linkFor(village, id), browser)).toMatchObject({
      outcome: 'later',
    });
  });

  it('waits for the whole hour although the clock was set forward, and then back', async () => {
    const steady = new HandClock();
    const village = await openVillage({ steady });
    const { id } = await addAccount(village);
    await learnt(village, id);
    end(village);
    for (const set of [0, 3 * HOUR, -5 * HOUR]) {
      village.clock.advance(set);
      await learnt(village, id);
      steady.advance(MINUTE);
    }
    expect(await village.consent.begin(await linkFor(village, id), browser)).toMatchObject({
      outcome: 'later',
    });
  });

  it('waits although V1 could not be read at an earlier time, if it was read since', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await learnt(village, id);
    const get = village.v1.get.bind(village.v1);
    end(village);
    await learnt(village, id);
    village.v1.get = get;
    await learnt(village, id);
    village.clock.advance(2 * HOUR);
    end(village);
    expect(await village.consent.begin(await linkFor(village, id), browser)).toMatchObject({
      outcome: 'later',
    });
  });

  it('waits for an operator to say that V1 has ended, if not every number is known', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    end(village);
    for (let hour = 0; hour < 4; hour += 1) {
      expect(await village.consent.begin(link, browser)).toMatchObject({ outcome: 'later' });
      village.clock.advance(HOUR);
    }
    expect(await toldLater(village, id)).toEqual([
      ...[1, 2].map(() => 'consent.later V1 could not be read'),
      ...[3, 4].map(
        () =>
          'consent.later V1 could not be read for an hour or more, and not all numbers are known. If V1 has ended, remove CAUSEWAY_V1_BASE_URL',
      ),
    ]);
  });

  it('continues if V1 refuses the keys, and the account then waits for its numbers', async () => {
    const village = await openVillage({ proofMode: 'name' });
    const { id } = await addAccount(village);
    village.v1.answers = { 'uuid.api/maps': () => answer(403, '') };
    const state = await depart(village, await linkFor(village, id));
    expect(await arrive(village, state)).toMatchObject({ connections: [{ migrated: false }] });
    expect(await stageOf(village, id)).toMatchObject({ stage: 'consented' });
  });

  it('waits for the identifier sync no longer than a browser does, and then counts it as done', async () => {
    const village = await openVillage({ patience: 20 });
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    const { promise, resolve } = Promise.withResolvers<undefined>();
    const get = village.v1.get.bind(village.v1);
    village.v1.get = async (target) => {
      await promise;
      return get(target);
    };
    expect(await village.consent.begin(link, browser)).toEqual({
      outcome: 'later',
      application: 'default',
      product: 'standard',
      language: undefined,
    });
    expect(await toldLater(village, id)).toEqual(['consent.later V1 has not shown all numbers yet']);
    resolve(undefined);
    const account = await village.store.accounts.byId(id);
    if (account === undefined) throw new Error('no account');
    await village.identifierSync.learn(account);
    village.v1.answers = {};
    expect(await village.consent.begin(link, browser)).toMatchObject({ outcome: 'leave' });
  });
});

describe('a link of an invitation', () => {
  it('shows its purpose and changes nothing', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    const before = JSON.stringify(await village.accounts.show(id));
    expect(await village.consent.look(link)).toMatchObject({ account: { id }, organisation: undefined });
    expect(JSON.stringify(await village.accounts.show(id))).toBe(before);
  });

  it.each([
    ['unknown', async () => 'u'.repeat(43)],
    ['malformed', async () => '../../etc'],
    [
      'expired',
      async (village: Village, link: string) => {
        village.clock.advance(30 * DAY);
        return link;
      },
    ],
    [
      'used',
      async (village: Village, link: string) => {
        await arrive(village, await depart(village, link));
        return link;
      },
    ],
    [
      'withdrawn',
      async (village: Village, link: string, id: string) => {
        const [invitation] = await village.store.invitations.ofAccount(id);
        await village.store.invitations.setState(invitation?.id ?? '', 'withdrawn', village.clock.now());
        return link;
      },
    ],
  ] as const)('is refused if it is %s', async (_name, spoil) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await spoil(village, await linkFor(village, id), id);
    expect(await village.consent.look(link)).toBeUndefined();
    expect(await village.consent.begin(link, browser)).toEqual({ outcome: 'unknown' });
  });

  it('stays valid until a consent is complete', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    for (const fault of ['access_denied', 'server_error']) {
      const state = await depart(village, link);
      await arrive(village, state, { error: fault });
    }
    expect(await arrive(village, await depart(village, link))).toMatchObject({ outcome: 'connected' });
  });

  it('that is withdrawn during the request to the service connects nothing', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const state = await depart(village, await linkFor(village, id));
    const exchange = village.authority.exchange.bind(village.authority);
    village.authority.exchange = async (...given) => {
      const [invitation] = await village.store.invitations.ofAccount(id);
      await village.store.invitations.setState(invitation?.id ?? '', 'withdrawn', village.clock.now());
      return exchange(...given);
    };
    expect(await arrive(village, state)).toMatchObject(refusal('stateUnknown'));
    expect((await village.store.accounts.byId(id))?.life).toEqual({ stage: 'legacy' });
    // What was granted meanwhile is given back.
    expect(await village.store.grants.list()).toEqual([]);
    expect(village.authority.revoked).toEqual(['REFRESH-CANARY']);
  });
});

describe('the state of an authorisation request', () => {
  it('works once', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const state = await depart(village, await linkFor(village, id));
    await arrive(village, state);
    expect(await arrive(village, state)).toMatchObject(refusal('stateUnknown'));
    expect(village.authority.exchanges).toHaveLength(1);
  });

  it('works for one of two simultaneous requests', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const state = await depart(village, await linkFor(village, id));
    const outcomes = await Promise.all([arrive(village, state), arrive(village, state)]);
    expect(outcomes.map(wordFor).sort()).toEqual(['connected', 'stateUnknown']);
  });

  it.each([
    ['none', undefined],
    ['unknown', 's'.repeat(43)],
    ['malformed', '<script>'],
  ])('is refused if it is %s', async (_name, state) => {
    const village = await openVillage();
    expect(await arrive(village, state)).toMatchObject(refusal('stateUnknown'));
    expect(village.authority.exchanges).toEqual([]);
  });

  it('belongs to its browser, and is not used up by another one', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const state = await depart(village, await linkFor(village, id));
    expect(await arrive(village, state, {}, new Secret('c'.repeat(43)))).toMatchObject(
      refusal('stateUnknown'),
    );
    expect(
      await village.consent.complete(
        { application: 'default', state, code: new Secret('C'), error: undefined },
        undefined,
      ),
    ).toMatchObject(refusal('stateUnknown'));
    expect(await arrive(village, state)).toMatchObject({ outcome: 'connected' });
  });

  it('expires after ten minutes', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const state = await depart(village, await linkFor(village, id));
    village.clock.advance(10 * MINUTE);
    expect(await arrive(village, state)).toMatchObject(refusal('stateUnknown'));
  });

  it('alone decides which account it is for', async () => {
    const village = await openVillage();
    const mill = await addAccount(village, 'Old Mill');
    const legal = await addAccount(village, 'Northgate');
    const first = await depart(village, await linkFor(village, mill.id));
    await depart(village, await linkFor(village, legal.id));
    await arrive(village, first);
    expect((await stageOf(village, mill.id))?.stage).toBe('migrated');
    expect((await stageOf(village, legal.id))?.stage).toBe('legacy');
  });
});

describe('the response of the authorisation server', () => {
  const wrong: readonly (readonly [string, (village: Village) => void, ConsentRefusal])[] = [
    ['no refresh token', (village) => (village.authority.refreshToken = undefined), 'noOfflineAccess'],
    [
      'a refusal of the code',
      (village) => (village.authority.exchangeFault = 'invalid_grant'),
      'exchangeFailed',
    ],
    ['nothing', (village) => (village.authority.exchangeFault = 'unavailable'), 'exchangeFailed'],
    [
      'no organisation at all',
      (village) => {
        village.authority.organisationIds = [];
        village.authority.known = [];
      },
      'noOrganisation',
    ],
    [
      'only organisations of earlier consents',
      (village) => {
        village.authority.organisationIds = [];
        village.authority.known = [connection('org-9', 'Other', 'event-0')];
      },
      'noOrganisation',
    ],
    ['a scope too few', (village) => (village.authority.scope = 'openid offline_access'), 'scopeMissing'],
    [
      'no organisation and no connections',
      (village) => {
        village.authority.organisationIds = [];
        village.authority.connectionsFault = 'unavailable';
      },
      'exchangeFailed',
    ],
  ];

  it.each(wrong)('with %s binds nothing', async (_name, turn, reason) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    turn(village);
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject(
      refusal(reason),
    );
    expect((await stageOf(village, id))?.stage).toBe('legacy');
    expect(await village.store.grants.list()).toEqual([]);
    expect((await village.store.accounts.timeline(id)).at(-1)).toMatchObject({
      kind: 'consentRefused',
      actor: 'customer',
      detail: reason,
    });
    expect(village.told).toEqual([reason]);
  });

  it.each([
    ['access_denied', 'denied'],
    ['server_error', 'exchangeFailed'],
    ['insufficient_privileges', 'noPrivilege'],
  ] as const)('with the error %s binds nothing', async (error, reason) => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const state = await depart(village, await linkFor(village, id));
    expect(await arrive(village, state, { error })).toMatchObject(refusal(reason));
    expect(village.authority.exchanges).toEqual([]);
  });

  it('with an organisation in the token is sufficient if its name is unavailable', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.authority.connectionsFault = 'unavailable';
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject({
      connections: [{ organisation: 'org-1' }],
    });
  });

  it.each([
    ['the service’s scope alone', 'service'],
    ['no scope at all', undefined],
  ])('with a refresh token and %s is sufficient for the consent and for the move', async (_, scope) => {
    const village = await openVillage();
    village.authority.scope = scope;
    const { id } = await addAccount(village);
    const outcome = await arrive(village, await depart(village, await linkFor(village, id)));
    expect(outcome).toMatchObject({ outcome: 'connected', connections: [{ migrated: true }] });
    expect((await stageOf(village, id))?.stage).toBe('migrated');
  });

  it('with an organisation of another account is refused', async () => {
    const village = await openVillage();
    const first = await addAccount(village, 'First');
    const second = await addAccount(village, 'Second');
    await arrive(village, await depart(village, await linkFor(village, first.id)));
    const outcome = await arrive(village, await depart(village, await linkFor(village, second.id)));
    expect(outcome).toMatchObject(refusal('organisationTaken'));
    expect((await stageOf(village, second.id))?.stage).toBe('legacy');
    expect(await village.store.grants.list()).toHaveLength(1);
  });

  it('connects nothing in a tab left open after a consent, wherever it leads', async () => {
    const village = await openVillage({ mode: 'manual' });
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    const [first, stale] = [await depart(village, link), await depart(village, link)];
    await arrive(village, first);
    village.authority.organisationIds = ['org-2'];
    expect(await arrive(village, stale)).toMatchObject(refusal('stateUnknown'));
    expect(await stageOf(village, id)).toMatchObject({ binding: { organisation: ORGANISATION } });
  });

  it("with an organisation that has none of the account's clients is refused, and no grant is kept", async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    const link = await linkFor(village, id);
    knowsNoClient(village);
    expect(await arrive(village, await depart(village, link))).toMatchObject({
      ...refusal('foreignOrganisation'),
      found: [ORGANISATION.name],
    });
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
    expect(await village.store.grants.list()).toEqual([]);
    expect(village.authority.revoked).toEqual(['REFRESH-CANARY']);
    village.v3.answer = shownClient;
    expect(await arrive(village, await depart(village, link))).toMatchObject({
      connections: [{ migrated: true }],
    });
  });

  it('with an organisation that refuses access is explained by the missing privilege', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v3.answer = () => answer(403, '{}');
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject(
      refusal('noPrivilege'),
    );
    expect(await village.store.grants.list()).toEqual([]);
  });

  it('with a status other than OK is no proof, whatever follows', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v3.answer = () => answer(200, '<Response><Status>WARNING</Status><Client /></Response>');
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject(
      refusal('noPrivilege'),
    );
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
  });

  it('is proved by one client that is found: others may have been deleted', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v3.answer = (asked) => (village.v3.asked.length === 1 ? answer(404, '') : shownClient(asked));
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject({
      outcome: 'connected',
    });
    expect(village.v3.asked[0]?.[1].segments).toEqual(['client.api', 'get', uuid(12)]);
  });

  it('binds nothing while V3 is down', async () => {
    const village = await openVillage();
    const { id } = await addAccount(village);
    village.v3.answer = () => {
      throw new Failure('upstreamUnavailable');
    };
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject(
      refusal('serviceSilent'),
    );
    expect(await stageOf(village, id)).toEqual({ stage: 'legacy' });
  });

  it('is bound by the name if nothing was learned and the operator allows it', async () => {
    const village = await openVillage({ withoutV1: true, proofMode: 'name' });
    const { id } = await addAccount(village);
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject({
      outcome: 'connected',
    });
    expect(village.v3.asked.some(([, { segments }]) => segments.includes('get'))).toBe(false);
  });

  it('connects one organisation if two consents come for one account at once', async () => {
    const village = await openVillage({ mode: 'manual' });
    const { id } = await addAccount(village);
    const states = [
      await depart(village, await linkFor(village, id)),
      await depart(village, await linkFor(village, id)),
    ];
    const outcomes = await Promise.all(
      states.map((state, index) => {
        village.authority.organisationIds = [`org-${String(index)}`];
        return arrive(village, state);
      }),
    );
    expect(outcomes.map(wordFor).filter((word) => word === 'connected')).toHaveLength(1);
    expect(await village.store.grants.list()).toHaveLength(1);
  });

  it('gives an organisation to one of two accounts that claim it at once', async () => {
    const village = await openVillage();
    const first = await addAccount(village, 'First');
    const second = await addAccount(village, 'Second');
    const states = [
      await depart(village, await linkFor(village, first.id)),
      await depart(village, await linkFor(village, second.id)),
    ];
    const outcomes = await Promise.all(states.map((state) => arrive(village, state)));
    expect(outcomes.map(wordFor).sort()).toEqual(['connected', 'organisationTaken']);
  });

  it('shows the name of the organisation to a late approver, although another consent is connected', async () => {
    const village = await openVillage();
    const [first, second] = [await addAccount(village, 'First'), await addAccount(village, 'Second')];
    await arrive(village, await depart(village, await linkFor(village, first.id)));
    const asked: (string | undefined)[] = [];
    village.authority.connections = async (_token?: Secret, event?: string) => {
      asked.push(event);
      return event === undefined ? [connection(ORGANISATION.id, ORGANISATION.name, 'event-9')] : [];
    };
    expect(await arrive(village, await depart(village, await linkFor(village, second.id)))).toMatchObject({
      ...refusal('organisationTaken'),
      found: [ORGANISATION.name],
    });
    expect(asked).toEqual(['event-1', undefined]);
  });
});

describe('a repeated consent', () => {
  async function migrated(): Promise<{ village: Village; id: string; grantId: string }> {
    const village = await openVillage();
    const { id } = await addAccount(village);
    await arrive(village, await depart(village, await linkFor(village, id)));
    const life = await stageOf(village, id);
    if (life === undefined || !('binding' in life)) throw new Error('not migrated');
    return { village, id, grantId: life.binding.grantId };
  }

  it('for the same organisation replaces the grant once it is proved', async () => {
    const { village, id, grantId } = await migrated();
    village.authority.refreshToken = new Secret('SECOND');
    const asked = village.v1.asked.length;
    const link = await linkFor(village, id);
    village.v3.answer = () => answer(403, '');
    expect(await arrive(village, await depart(village, link))).toMatchObject(refusal('noPrivilege'));
    expect(await stageOf(village, id)).toMatchObject({ binding: { grantId } });
    expect((await village.store.grants.find(grantId))?.state).toBe('held');
    village.v3.answer = shownClient;
    expect(await arrive(village, await depart(village, link))).toMatchObject({
      connections: [{ migrated: true }],
    });
    const [grant, ...more] = await village.store.grants.list();
    if (grant?.state !== 'held') throw new Error('not held');
    expect(more).toEqual([]);
    expect(openPair(village.ring, grant.id, grant.tokens).refreshToken.reveal()).toBe('SECOND');
    expect(await stageOf(village, id)).toMatchObject({ binding: { grantId: grant.id } });
    expect(village.v1.asked).toHaveLength(asked);
  });

  it('restores a lost account', async () => {
    const { village, id, grantId } = await migrated();
    await lose(village, grantId);
    expect((await stageOf(village, id))?.stage).toBe('lost');
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject({
      connections: [{ migrated: true }],
    });
    expect(await stageOf(village, id)).toMatchObject({
      stage: 'migrated',
      binding: { organisation: ORGANISATION },
    });
    expect(await village.store.grants.find(grantId)).toBeUndefined();
  });

  it('selects the organisation of the account among several', async () => {
    const { village, id } = await migrated();
    village.authority.organisationIds = ['org-2', 'org-1'];
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject({
      connections: [{ organisation: ORGANISATION.name }],
    });
  });

  it('for another organisation is refused', async () => {
    const { village, id, grantId } = await migrated();
    village.authority.organisationIds = ['org-2'];
    expect(await arrive(village, await depart(village, await linkFor(village, id)))).toMatchObject(
      refusal('otherOrganisation'),
    );
    expect(await stageOf(village, id)).toMatchObject({ binding: { grantId, organisation: ORGANISATION } });
  });
});

async function lose(village: Village, grantId: string): Promise<void> {
  const beginning = await village.store.grants.begin({
    grantId,
    holder: 'test',
    generation: 1,
    leaseMs: 1_000,
    longestLease: 1_000,
    now: village.clock.now(),
  });
  if (beginning.outcome !== 'begun') throw new Error(beginning.outcome);
  await village.store.grants.lost(beginning.lease, 'refused', village.clock.now());
}

describe('a process that dies during a consent', () => {
  const crash = (): Promise<never> => Promise.reject(new Error('killed'));

  it.each(['hold', 'bind', 'drop'] as const)(
    'at %s leaves nothing incomplete: the button works again',
    async (step) => {
      let dead = false;
      const village = await openVillage({
        repositories: (store) => ({
          choices: wrapped(store.choices, step, () => (dead ? crash : undefined)),
          consents: wrapped(store.consents, step, () => (dead ? crash : undefined)),
        }),
      });
      const { id } = await addAccount(village);
      const link = await linkFor(village, id);
      const state = await depart(village, link);
      dead = true;
      await expect(arrive(village, state)).rejects.toThrow('killed');
      dead = false;
      expect((await stageOf(village, id))?.stage).toBe(step === 'drop' ? 'consented' : 'legacy');
      if (step === 'drop') await village.cutover.check(id);
      else
        expect(await arrive(village, await depart(village, link))).toMatchObject({
          connections: [{ migrated: true }],
        });
      expect((await stageOf(village, id))?.stage).toBe('migrated');
      expect(await village.consent.look(link)).toBeUndefined();
      village.clock.advance(HOUR);
      await village.consent.sweep();
      expect(await village.store.grants.list()).toHaveLength(1);
      // The sweep finds the question of a consent that is bound by now: its tokens are in use.
      expect(village.authority.revoked).toEqual([]);
      const told = (await village.store.accounts.timeline(id)).filter(
        ({ detail }) => detail === 'choiceExpired',
      );
      expect(told).toHaveLength(step === 'bind' ? 1 : 0);
    },
  );
});

/** The book with one method replaced whenever `instead` gives something. */
function wrapped<Repository extends object>(
  repository: Repository,
  name: PropertyKey,
  instead: () => (() => Promise<never>) | undefined,
): Repository {
  return new Proxy(repository, {
    get(target, property) {
      const value: unknown = Reflect.get(target, property, target);
      if (typeof value !== 'function') return value;
      const method = value.bind(target) as (...given: unknown[]) => unknown;
      return property === name ? (...given: unknown[]) => (instead() ?? method)(...given) : method;
    },
  });
}
