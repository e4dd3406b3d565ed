import { readFileSync } from 'node:fs';
import { CannotTry, tryMapping } from '../../proxy/mapping-trial.ts';
import { SECOND } from '../../lib/clock.ts';
import type { MappingSample, MappingTrial } from '../../mapping/mapping-trial.ts';
import { AwaitingConsents } from '../../features/consent/awaiting.ts';
import type { Campaign } from '../../features/campaign/campaign-service.ts';
import { Desk } from '../../features/admin/admin.ts';
import { DeskRefusal } from '../../features/admin/refusal.ts';
import { AccountImport } from '../../features/accounts/import/import.ts';
import type { Learner } from '../../features/identifiers/identifier-sync.ts';
import { textsFor } from '../../features/campaign/mail/texts.ts';
import type { Pulse } from '../../features/usage/recent-health.ts';
import { TokenRevocations } from '../../features/consent/token-revocations.ts';
import { loadProfile } from '../settings/profiles.ts';
import { publicUrl } from './addresses.ts';
import type { House } from './house.ts';
import { cutoverOf } from './moving.ts';
import { routed } from '../tools/routing.ts';
import { statusOf, tokensOf } from './status.ts';

export interface DeskNeeds {
  readonly campaign: Campaign;
  readonly learner: Learner;
  readonly pulse: Pulse;
}

/** Everything an operator does, furnished for console and API. */
export function deskOf(house: House, { campaign, learner, pulse }: DeskNeeds): Desk {
  const { settings, store, ring, clock, log, accounts, mapping, oauth } = house;
  const { mail, brand, letters, profile } = settings;
  const mails = mail !== undefined && oauth !== undefined;
  return new Desk({
    awaiting: awaitingOf(house, mails ? campaign : undefined),
    book: store.accounts,
    accounts,
    importer: new AccountImport({
      accounts,
      book: store.accounts,
      seal: ring,
      languageFor: (wanted) => textsFor(letters.texts, wanted, letters.language).language,
    }),
    seal: ring,
    grants: store.grants,
    campaign,
    letterBook: store.campaign,
    mails,
    moves: oauth !== undefined,
    // The operator's word is what `manual` waits for.
    cutover: oauth && cutoverOf(house, oauth, learner, 'auto'),
    learner,
    vault: oauth?.vault,
    crosswalk: store.crosswalk,
    kinds: [...mapping.kinds.keys()],
    routes: store.routes,
    methods: () => mapping.methods.map(routed),
    hasV2: oauth?.v2Lane !== undefined,
    try: (method, sample) => tried(house, method, sample),
    calls: store.calls,
    status: statusOf(house),
    history: store.history,
    audit: store.audit,
    deliveries: store.deliveries,
    census: store.census,
    outbox: store.outbox,
    pulse,
    budget: () =>
      oauth && {
        waiting: oauth.budget.use.waiting,
        organisations: oauth.budget.use.keys,
        perMinute: profile.limits.perMinute,
      },
    doubt: () => house.guard.doubt,
    configured: {
      v1: settings.v1 !== undefined,
      v2: oauth?.v2Lane !== undefined,
      v3: oauth !== undefined,
      mail: mail !== undefined,
      events: settings.events !== undefined,
    },
    tokens: tokensOf(house),
    wording: { ...letters, brand },
    publicUrl: publicUrl(settings),
    invitationDays: settings.campaign.invitationDays,
    refreshLife: profile.durations.refresh * SECOND,
    clock,
    log,
  });
}

function awaitingOf(house: House, campaign: Campaign | undefined): AwaitingConsents {
  const { store, ring, clock, log, oauth } = house;
  const { accounts: book, grants, awaiting, consents } = store;
  const parts = { book, grants, awaiting, seal: ring, clock, log };
  return new AwaitingConsents({
    awaiting,
    consents,
    revocations: oauth && new TokenRevocations({ ...parts, revoker: oauth.revoker }),
    notice: campaign && ((standing) => campaign.notice(standing)),
    clock,
    log,
  });
}

async function tried({ mapping }: House, method: string, sample: MappingSample): Promise<MappingTrial> {
  const profile = loadProfile('spec', (path) => readFileSync(path, 'utf8'));
  if (!('v2' in profile)) throw new Error(profile.join('; '));
  try {
    return await tryMapping(mapping, profile, method, sample);
  } catch (error) {
    throw error instanceof CannotTry ? new DeskRefusal('unusable', error.message) : error;
  }
}
