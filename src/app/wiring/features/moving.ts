/**
 * Builds the parts that move an account: reading V1's numbers, the proof of who consented, the notice of disconnections
 * and the cut-over with its checks. Parts that are not configured are undefined here, and the steps that need them are
 * left out.
 */
import type { Mapping } from '../../../mapping/compile/model.ts';
import { kindsAddedBy } from '../../../mapping/kinds-added.ts';
import { MINUTE, neverSet } from '../../../lib/time/clock.ts';
import { Failure } from '../../../lib/failure.ts';
import type { Upstream } from '../../../upstream/model.ts';
import { CutoverChecks, type ChecksParts, type Probe } from '../../../features/cutover/checks.ts';
import { Cutover, type CutoverParts } from '../../../features/cutover/cutover.ts';
import { IdentifierSync } from '../../../features/identifiers/identifier-sync.ts';
import { V1Absence } from '../../../features/identifiers/v1-absence.ts';
import type { LearnPlan } from '../../../features/identifiers/learning.ts';
import { LegacyClients } from '../../../features/organisation/fingerprint.ts';
import { Disconnections } from '../../../features/organisation/disconnections.ts';
import type { ForbiddenCalls } from '../../../features/organisation/forbidden-calls.ts';
import { OrganisationProof } from '../../../features/organisation/proof.ts';
import { SnapshotKeeping } from '../../../features/snapshot/keeping.ts';
import { disagreement } from '../../../lib/xml/second/second-reader.ts';
import type { Parity } from '../../../proof/parity/parity.ts';
import { guardedReader } from '../jobs/guarded.ts';
import type { Services, OAuthSide } from '../services.ts';

/** There is nothing to learn if V3 knows V1's numbers. */
const planOf = (mapping: Mapping, identifiers: 'uuid' | 'number'): LearnPlan => ({
  get kinds() {
    return identifiers === 'number'
      ? []
      : Array.from(mapping.kinds.values(), ({ kind, map, list }) => ({ kind, map, list }));
  },
  get parts() {
    return identifiers === 'number' ? [] : [...mapping.parts.values()];
  },
});

/** Learns the numbers of V1, unless V3 knows them. */
export function identifierSyncOf({
  v1,
  bulkheads,
  guard,
  store,
  ring,
  mapping,
  settings,
  clock,
  log,
  snapshot,
}: Services): IdentifierSync {
  return new IdentifierSync({
    v1: v1 && guardedReader(v1, guard),
    absence: new V1Absence({
      settings: store.settings,
      clock: neverSet(clock),
      answers: () => bulkheads.answers('v1'),
    }),
    repository: store.accounts,
    crosswalk: store.crosswalk,
    seal: ring,
    plan: planOf(mapping, settings.profile.v3.identifiers),
    kindsAdded: kindsAddedBy(mapping),
    keep: new SnapshotKeeping(snapshot, store.crosswalk, clock),
    clock,
    log,
  });
}

/** The smallest read that every organisation answers: one page of one client. */
const probeOf = ({ settings }: Services): Probe => ({
  segments: ['client.api', 'list'],
  query: [
    [settings.profile.v3.pageParameter, '1'],
    [settings.profile.v3.sizeParameter, '1'],
  ],
});

/** Every organisation has clients, and the keys give access to them first. */
export function proofOf(services: Services, { endpoint }: OAuthSide): OrganisationProof {
  const { v1, guard, store, ring, settings } = services;
  const reader = v1 && guardedReader(v1, guard);
  return new OrganisationProof({
    crosswalk: store.crosswalk,
    legacy: new LegacyClients({ v1: reader, repository: store.accounts, seal: ring }),
    v3: endpoint,
    kind: 'client',
    segments: ['client.api', 'get'],
    element: 'Client',
    search: { segments: ['client.api', 'search'], parameter: 'query', container: 'Clients' },
    probe: probeOf(services),
    numbered: settings.profile.v3.identifiers === 'number',
  });
}

/** Undefined: no connections list is configured, and nothing else shows that an organisation is gone. */
export function disconnectionsOf(
  services: Services,
  forbidden: ForbiddenCalls,
  held: () => void,
): Disconnections | undefined {
  const { store, clock, log, oauth } = services;
  if (oauth?.settings.connectionsUrl === undefined) return undefined;
  const { vault, applications } = oauth;
  const proof = proofOf(services, oauth);
  return new Disconnections({
    repository: store.accounts,
    forbidden,
    vault,
    applications,
    proof,
    clock,
    log,
    held,
  });
}

/** Asks for the signed-in user, the smallest read on V2. */
const readsV2 =
  (endpoint: Upstream): ChecksParts['v2'] =>
  async (to) => {
    const gone = new AbortController();
    const signal = AbortSignal.any([gone.signal, AbortSignal.timeout(MINUTE)]);
    try {
      const { status } = await endpoint.send(to, {
        verb: 'GET',
        segments: ['me'],
        query: [],
        priority: 'background',
        signal,
      });
      gone.abort(); // the content of the answer does not matter
      return status === 200 ? undefined : `V2 answers with status ${status}`;
    } catch (error) {
      if (error instanceof Failure) return `V2 does not answer: ${error.text}`;
      throw error;
    }
  };

/** `manual`: the checks run and are reported, but the account does not move. */
export function cutoverOf(
  services: Services,
  oauth: OAuthSide,
  identifierSync: IdentifierSync,
  mode: 'auto' | 'manual',
  {
    parity,
    patience,
    held,
  }: {
    readonly parity: Parity;
    readonly patience?: number;
    readonly held?: CutoverParts['held'];
  },
): Cutover {
  const { store, settings, clock, log } = services;
  const { grants, crosswalk } = store;
  const { endpoint, vault, applications } = oauth;
  const checks = new CutoverChecks({
    grants,
    crosswalk,
    accounts: services.accounts,
    identifierSync,
    vault,
    applications,
    v3: endpoint,
    v2: oauth.v2Endpoint && readsV2(oauth.v2Endpoint),
    probe: probeOf(services),
    disagreement,
    proof: proofOf(services, oauth),
    parity: (account, moment) => parity.judge(account, moment, patience),
    sources: settings.profile.organisationSources,
    unexpected: async (...given) => {
      const { unexpected } = await import('../../../features/consent/judging/expected.ts'); // not needed at the start
      return unexpected(store.accounts, ...given);
    },
  });
  return new Cutover({
    repository: store.accounts,
    history: store.history,
    crosswalk,
    identifierSync,
    checks,
    mode,
    ...(held === undefined ? {} : { held }),
    clock,
    log,
  });
}
