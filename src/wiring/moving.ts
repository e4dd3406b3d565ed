import type { Mapping } from '../bridge/mapping/model.ts';
import { Cutover } from '../migration/cutover.ts';
import { Learner, type LearnPlan } from '../migration/learner.ts';
import { OrganisationProof } from '../migration/organisation-proof.ts';
import type { ReadReply } from '../migration/reading.ts';
import { splitReply } from '../xml/split.ts';
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

/** Clients are what every organisation has, and what the keys show first. */
export function proofOf({ store }: House, { lane }: OAuthSide): OrganisationProof {
  const segments = ['client.api', 'get'];
  return new OrganisationProof({ crosswalk: store.crosswalk, v3: lane, read, kind: 'client', segments });
}

/** `manual`: the checks are run and told, and nothing moves. */
export function cutoverOf(
  house: House,
  oauth: OAuthSide,
  learner: Learner,
  mode: 'auto' | 'manual',
): Cutover {
  const { store, settings, clock, log } = house;
  const { pageParameter, sizeParameter } = settings.profile.v3;
  return new Cutover({
    book: store.accounts,
    grants: store.grants,
    crosswalk: store.crosswalk,
    learner,
    v3: oauth.lane,
    // The smallest read that every organisation answers: one page of one client.
    probe: {
      segments: ['client.api', 'list'],
      query: [
        [pageParameter, '1'],
        [sizeParameter, '1'],
      ],
    },
    read,
    mode,
    clock,
    log,
  });
}
