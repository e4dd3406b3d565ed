/**
 * Builds the operator's actions, which console, API and command line share, from the features they act on.
 */
import type { Parity } from '../../../proof/parity/parity.ts';
import { readFileSync } from 'node:fs';
import { CannotTry, tryMapping } from '../../../proxy/mapping-trial.ts';
import { kindMade, kindMadeBy } from '../../../proxy/writes/written-down.ts';
import { SECOND } from '../../../lib/time/clock.ts';
import type { MappingSample, MappingTrial } from '../../../mapping/mapping-trial.ts';
import { AwaitingConsents } from '../../../features/consent/awaiting.ts';
import type { Postman } from '../../../features/campaign/outbox.ts';
import type { Campaign } from '../../../features/campaign/campaign.ts';
import { AdminService, type Degradation } from '../../../features/admin/admin.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { Rehearsals } from '../../../features/cutover/rehearsal/rehearsals.ts';
import { AccountImport } from '../../../features/accounts/import/import.ts';
import type { IdentifierSync } from '../../../features/identifiers/identifier-sync.ts';
import { embedOf, disconnectingOf } from './connection.ts';
import { exportingOf, importingOf } from './grants.ts';
import { pageSamplesOf } from '../page-samples.ts';
import type { Canaries } from '../../../features/canary/canaries.ts';
import { paceOf, waveJobOf } from './campaign.ts';
import { weeklyReportOf } from './weekly-report.ts';
import { bounceReaderOf, postmanFor, wordingOf } from './mail.ts';
import type { RecentHealth } from '../../../features/usage/recent-health.ts';
import { TokenRevocations } from '../../../features/consent/token-revocations.ts';
import { loadProfile } from '../../settings/profiles.ts';
import { publicUrl } from '../addresses.ts';
import type { Services } from '../services.ts';
import { cutoverOf } from './moving.ts';
import { routedMethods } from '../../tools/routing.ts';
import { statusOf, tokensOf } from './status.ts';
import { forecastsOf } from './forecast.ts';
import { readinessRulesOf } from './usage.ts';

/** What the admin service needs besides the shared services. */
export interface AdminNeeds {
  readonly campaign: Campaign;
  readonly identifierSync: IdentifierSync;
  readonly recentHealth: RecentHealth;
  /** The proof before the switch. */
  readonly parity: Parity;
  readonly rehearsals: Rehearsals;
  readonly canaries: Canaries;
  /** Undefined: no mail server is configured. */
  readonly postman: Postman | undefined;
  /** Undefined without a running bridge: the command line only sees the store. */
  readonly health?: { readonly details: readonly Degradation[] } | undefined;
}

/** Builds the operator actions that console and API share. */
export function adminOf(
  services: Services,
  { campaign, identifierSync, recentHealth, parity, rehearsals, canaries, postman, health }: AdminNeeds,
): AdminService {
  const { settings, store, ring, clock, log, accounts, mapping, oauth } = services;
  const { mail, messages, profile } = settings;
  const mails = mail !== undefined && oauth !== undefined;
  return new AdminService({
    awaiting: awaitingOf(services, campaign),
    repository: store.accounts,
    accounts,
    importer: new AccountImport({
      accounts,
      repository: store.accounts,
      seal: ring,
      applications: services.applicationNames.all,
      languageFor: (wanted) => services.texts.catalogue.of(wanted, messages.language).language,
    }),
    seal: ring,
    pauses: store.pauses,
    grants: store.grants,
    campaign,
    messages: store.campaign,
    mails,
    knowsV1End: services.settings.v1End !== undefined,
    moves: oauth !== undefined,
    applicationNames: services.applicationNames,
    // With `manual`, only the operator's decision is missing.
    cutover: oauth && cutoverOf(services, oauth, identifierSync, 'auto', { parity }),
    disconnecting: oauth && disconnectingOf(services, oauth),
    identifierSync,
    vault: oauth?.vault,
    importing: oauth && importingOf(services, oauth),
    exporting: oauth && exportingOf(services, oauth),
    imports: store.imports,
    crosswalk: store.crosswalk,
    kinds: () => [...mapping.kinds.keys()],
    writes: store.writes,
    writesDays: services.settings.writesDays,
    madeBy: (id, facts) => {
      const method = mapping.methods.find((one) => one.id === id);
      return method === undefined ? facts && kindMadeBy(mapping.generic, facts) : kindMade(method);
    },
    routes: store.routes,
    canaries,
    methods: routedMethods(mapping, profile.v3.standsInForV2),
    hasV1: services.v1 !== undefined,
    hasV2: oauth?.v2Endpoint !== undefined,
    try: (method, sample) => tried(services, method, sample),
    calls: store.calls,
    usage: store.usage,
    rules: readinessRulesOf(services),
    isCounted: settings.usage,
    parity,
    rehearsals,
    watches: store.watches,
    watchDays: settings.watchDays,
    drift: store.usage.drift,
    forecasts: forecastsOf(services),
    status: statusOf(services),
    history: store.history,
    groups: store.console.groups,
    results: store.console.results,
    random: services.random,
    audit: store.audit,
    deliveries: store.deliveries,
    census: store.census,
    outbox: store.outbox,
    waves: store.waves,
    brownouts: store.brownouts,
    report: weeklyReportOf(services),
    weekly: settings.weeklyReport,
    zone: settings.zone,
    sendWave: (wave, reason) => waveJobOf(services, campaign).send(wave, reason),
    talks: store.talks,
    bounces: store.bounces,
    reader: bounceReaderOf(services),
    hours: settings.campaign.hours,
    pace: paceOf(settings),
    postman,
    recentHealth,
    rateLimit: () =>
      oauth && {
        waiting: oauth.rateLimiter.use.waiting,
        organisations: oauth.rateLimiter.use.keys,
        perMinute: profile.limits.perMinute,
      },
    doubt: () => services.guard.doubt,
    degraded: () => health?.details ?? [],
    configured: {
      v1: settings.v1 !== undefined,
      v2: oauth?.v2Endpoint !== undefined,
      v3: oauth !== undefined,
      mail: mail !== undefined,
      events: [settings.events, settings.alerts.slack, settings.alerts.teams].some(
        (one) => one !== undefined,
      ),
    },
    tokens: tokensOf(services),
    embed: embedOf(services),
    wording: wordingOf(services),
    texts: services.texts,
    changes: store.console.texts,
    pageSamples: pageSamplesOf(services),
    draftPostman: mail && ((texts) => postmanFor(services, mail, texts)),
    publicUrl: publicUrl(settings),
    invitationDays: settings.campaign.invitationDays,
    refreshLife: profile.durations.refresh * SECOND,
    clock,
    log,
  });
}

function awaitingOf(services: Services, campaign: Campaign): AwaitingConsents {
  const { store, ring, clock, log, oauth } = services;
  const { accounts: repository, grants, awaiting, consents } = store;
  const parts = { repository, grants, awaiting, seal: ring, clock, log };
  return new AwaitingConsents({
    awaiting,
    consents,
    repository,
    revocations: oauth && new TokenRevocations({ ...parts, applications: oauth.applications }),
    notice: (facts, by) => campaign.notice(facts, by),
    refusal: (facts, now) => campaign.refusal(facts, now),
    clock,
    log,
  });
}

async function tried({ mapping }: Services, method: string, sample: MappingSample): Promise<MappingTrial> {
  const profile = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
  if (!('v2' in profile)) throw new Error(profile.join('; '));
  try {
    return await tryMapping(mapping, profile, method, sample);
  } catch (error) {
    throw error instanceof CannotTry ? new AdminRefusal('unusable', error.message) : error;
  }
}
