import type { Mapping } from '../../mapping/compile/model.ts';
import { MINUTE } from '../../lib/clock.ts';
import { Failure } from '../../lib/failure.ts';
import type { V2Lane } from '../../upstream/model.ts';
import { CutoverChecks, type ChecksParts, type Probe } from '../../features/cutover/checks.ts';
import { Cutover } from '../../features/cutover/cutover.ts';
import { Learner } from '../../features/identifiers/identifier-sync.ts';
import type { LearnPlan } from '../../features/identifiers/learning.ts';
import { LegacyClients } from '../../features/organisation/fingerprint.ts';
import { OrganisationProof } from '../../features/organisation/proof.ts';
import type { ReadReply } from '../../features/identifiers/reading.ts';
import { splitReply } from '../../lib/xml/split.ts';
import type { House, OAuthSide } from './house.ts';

const read: ReadReply = (body, options) => splitReply(body, options);

/** Where V3 knows the numbers of V1 there is nothing to learn. */
const planOf = ({ kinds }: Mapping, identifiers: 'uuid' | 'number'): LearnPlan => ({
  kinds:
    identifiers === 'number'
      ? []
      : Array.from(kinds.values(), ({ kind, map, list }) => ({ kind, map, list })),
});

export function learnerOf({ v1, store, ring, mapping, settings, clock, log }: House): Learner {
  return new Learner({
    v1,
    book: store.accounts,
    crosswalk: store.crosswalk,
    seal: ring,
    plan: planOf(mapping, settings.profile.v3.identifiers),
    read,
    clock,
    log,
  });
}

/** The smallest read that every organisation answers: one page of one client. */
const probeOf = ({ settings }: House): Probe => ({
  segments: ['client.api', 'list'],
  query: [
    [settings.profile.v3.pageParameter, '1'],
    [settings.profile.v3.sizeParameter, '1'],
  ],
});

/** Clients are what every organisation has, and what the keys show first. */
export function proofOf(house: House, { lane }: OAuthSide): OrganisationProof {
  const { v1, store, ring, settings } = house;
  return new OrganisationProof({
    crosswalk: store.crosswalk,
    legacy: new LegacyClients({ v1, book: store.accounts, seal: ring, read }),
    v3: lane,
    read,
    kind: 'client',
    segments: ['client.api', 'get'],
    search: { segments: ['client.api', 'search'], parameter: 'query', container: 'Clients' },
    probe: probeOf(house),
    numbered: settings.profile.v3.identifiers === 'number',
  });
}

/** Who is calling: the smallest read of V2. */
const readsV2 =
  (lane: V2Lane): ChecksParts['v2'] =>
  async (to) => {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(MINUTE)]);
    try {
      const { status } = await lane.send(to, {
        verb: 'GET',
        segments: ['me'],
        query: [],
        priority: 'background',
        signal,
      });
      gone.abort(); // what it says is of no interest
      return status === 200 ? undefined : `V2 answers with status ${status}`;
    } catch (error) {
      if (error instanceof Failure) return `V2 does not answer: ${error.text}`;
      throw error;
    }
  };

/** `manual`: the checks are run and told, and nothing moves. */
export function cutoverOf(
  house: House,
  oauth: OAuthSide,
  learner: Learner,
  mode: 'auto' | 'manual',
): Cutover {
  const { store, settings, clock, log } = house;
  const { grants, crosswalk } = store;
  const { lane, vault, authority } = oauth;
  const checks = new CutoverChecks({
    grants,
    crosswalk,
    accounts: house.accounts,
    learner,
    vault,
    authority,
    v3: lane,
    v2: oauth.v2Lane && readsV2(oauth.v2Lane),
    probe: probeOf(house),
    read,
    proof: proofOf(house, oauth),
    scopes: oauth.settings.scopes,
    sources: settings.profile.organisationSources,
  });
  return new Cutover({ book: store.accounts, grants, crosswalk, learner, checks, mode, clock, log });
}
