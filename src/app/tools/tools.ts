/**
 * The parts of the operator's commands: the application without its HTTP server.
 *
 * `openTools` opens the same services as the bridge and offers each command one function, mostly those of the admin
 * service. It may run beside a bridge on the same database. Changes are audited under the name `command line`. Actions
 * that the admin service does not audit go through `Deeds`, which records the request before and the result after.
 */
import { eventsAfter } from '../../features/admin/upkeep/events-after.ts';
import { AT_TERMINAL, type MessageTools, type Routing, type Tools } from './model.ts';
import type { Settings } from '../settings/model.ts';
import type { Account } from '../../features/accounts/account.ts';
import { systemClock } from '../../lib/time/clock.ts';
import { doubtOf } from '../../tokens/deployment/deployment.ts';
import { silentLog } from '../../lib/log/log.ts';
import { canariesOf } from '../wiring/canaries.ts';
import { MappingFaults } from '../../mapping/compile/fault.ts';
import { EVERY_ACCOUNT } from '../../mapping/routes/routes.ts';
import type { Campaign } from '../../features/campaign/campaign.ts';
import type { InvitationGuard } from '../../features/campaign/asking/invitation-guard.ts';
import type { CampaignAnswer } from '../../features/campaign/asking/campaign-answer.ts';
import { resultOf } from '../../features/admin/actions/outcomes.ts';
import type { AdminService } from '../../features/admin/admin.ts';
import { exportAccounts } from '../../features/accounts/import/export.ts';
import { RecentHealth } from '../../features/usage/recent-health.ts';
import { campaignOf } from '../wiring/features/campaign.ts';
import { postmanOf } from '../wiring/features/mail.ts';
import { adminOf } from '../wiring/features/admin.ts';
import { cuttingOverOf } from './cutting-over.ts';
import { Deeds } from './deeds.ts';
import { applicationProbes } from './applications.ts';
import { probes } from './doctor.ts';
import type { Probe } from './probe.ts';
import { writeClient } from './client.ts';
import { recordingToolsOf } from './recording.ts';
import { verifyMapping, writeVerification } from './verify.ts';
import { sampleToolsOf } from './samples.ts';
import { rehearsalsOf } from '../wiring/features/rehearsal.ts';
import { parityOf } from '../wiring/features/parity.ts';
import { signedInProbes } from './doctor-v2.ts';
import { openServices, type Services, type Surroundings } from '../wiring/services.ts';
import { identifierSyncOf } from '../wiring/features/moving.ts';
import { statusOf, tokensOf } from '../wiring/features/status.ts';

/** Opens the services for the commands; `close` closes them. Throws the errors of `openServices`. */
export async function openTools(settings: Settings, given: Partial<Surroundings> = {}): Promise<Tools> {
  const services = await openServices(settings, { clock: systemClock, log: silentLog, ...given });
  const identifierSync = identifierSyncOf(services);
  const campaign = campaignOf(services);
  const parity = parityOf(services);
  const postman = services.oauth && postmanOf(services);
  const recentHealth = new RecentHealth();
  const rehearsals = rehearsalsOf(services);
  const canaries = canariesOf(services);
  const needs = { campaign, identifierSync, parity, rehearsals, canaries, postman, recentHealth };
  const admin = adminOf(services, needs);
  const deeds = new Deeds(services);
  const { accounts, grants, crosswalk } = services.store;
  return {
    accounts,
    language: settings.messages.language,
    grants,
    crosswalk,
    kinds: () => [...services.mapping.kinds.keys()],
    addAccount: (account) => admin.accounts.add(account, AT_TERMINAL),
    issueAccount: (account) => admin.accounts.issue(account, AT_TERMINAL),
    setAccount: ({ id }, change) => admin.accounts.set(id, change, AT_TERMINAL),
    closeAccount: (account) => closeAccount(services, campaign, deeds, account),
    accountWarnings: (given) => admin.accounts.warnings(given),
    importAccounts: (lines, dry) => admin.accounts.import(lines, dry, AT_TERMINAL),
    exportAccounts: (withKeys) => exportAccounts({ repository: accounts, seal: services.ring }, { withKeys }),
    messages: messageToolsOf(services, campaign, deeds),
    sending: admin.sending,
    waves: admin.waves,
    grantMoves: admin.grants,
    brownouts: admin.brownouts,
    previewMessage: (kind, accountId, language) => admin.messages.preview(kind, accountId, language),
    statusToken: ({ id }) => admin.statusToken(id),
    testMessage: (wanted) => admin.messages.test(wanted, AT_TERMINAL),
    report: admin.report,
    invite: ({ id }) => admin.accounts.link(id, AT_TERMINAL),
    async refresh(account) {
      await admin.upkeep.renew(account, AT_TERMINAL);
    },
    learnPairs: (accountId, pairs) => admin.accounts.learn(accountId, pairs, AT_TERMINAL),
    learn: (account, corrects = false) =>
      deeds.do('crosswalk.learn', account, async () => {
        const learning = await identifierSync.learn(account, AT_TERMINAL, corrects);
        return [learning, `${learning.outcome}${corrects ? ', with corrections' : ''}`];
      }),
    forgetSnapshot: (account) =>
      deeds.do('snapshot.forget', account, async () => {
        const records = await services.snapshot.erase(account.id);
        return [records, `done: ${records} records`];
      }),
    forgetCalls: (account) =>
      deeds.do('calls.forget', account, async () => {
        const calls = await services.store.calls.erase(account.id);
        await services.store.forecasts.erase(account.id);
        return [calls, `done: ${calls} calls`];
      }),
    forgetUsage: (account) =>
      deeds.do('usage.forget', account, async () => {
        const names = await services.store.usage.stored.erase(account.id, services.clock.now());
        await services.store.usage.drift.erase(account.id);
        return [names, `done: ${names} names`];
      }),
    forecast: (account) => admin.forecast(account),
    forgetLists: (account) =>
      deeds.do('lists.forget', account, async () => {
        const lists = await services.store.replicas.erase(account.id);
        return [lists, `done: ${lists} lists`];
      }),
    forgetAccount: (account) =>
      deeds.do('account.forget', account, async () => {
        const forgetting = await services.store.forget(account.id);
        const { outcome } = forgetting;
        return [forgetting, outcome === 'forgotten' ? 'done' : `refused: ${forgetting.words}`];
      }),
    samples: sampleToolsOf(services, deeds),
    recording: recordingToolsOf(services, deeds),
    rehearse: (account, masks, progress) => admin.rehearsal.rehearse(account, AT_TERMINAL, masks, progress),
    rehearsed: (account) => admin.rehearsal.show(account),
    writeClient: (wanted, progress) => writeClient({ services, deeds, usage: admin.usage }, wanted, progress),
    parity: admin.parity,
    verify: ({ out, ...wanted }) =>
      writeVerification(() => verifyMapping(services, deeds, wanted), out, services.clock.now()),
    watch: admin.watch,
    drift: admin.drift,
    usage: admin.usage,
    ...cuttingOverOf({ services, identifierSync, deeds, parity }),
    consents: {
      list: () => admin.consents(),
      preview: (action, ids) => admin.preview(action, ids),
      perform: (action, ids) => admin.perform(action, ids, AT_TERMINAL),
    },
    writes: {
      list: (page) => admin.writes.list(page),
      find: (id) => admin.writes.find(id),
      check: (id, finding) => admin.writes.check(id, finding),
      settle: (id, finding) => admin.writes.settle(id, finding, AT_TERMINAL),
    },
    view: (wanted) => admin.view(wanted),
    skipped: (wanted) => statusOf(services).skipped(wanted),
    guard: (wanted) => statusOf(services).guard(wanted),
    statusOf: ({ id }) => admin.statusOf(id),
    contacts: () => admin.contacts(),
    actions: {
      preview: (action, ids) => admin.preview(action, ids),
      perform: (action, ids) => admin.perform(action, ids, AT_TERMINAL),
    },
    groups: {
      list: () => admin.groups.list(),
      save: (name, filter) => admin.groups.save(name, filter, AT_TERMINAL),
      remove: (name) => admin.groups.remove(name, AT_TERMINAL),
    },
    texts: {
      languages: () => admin.texts.languages(),
      list: (language, section) => admin.texts.list(language, section),
      show: (language, path) => admin.texts.show(language, path),
      preview: (language, section, variant) => admin.samples.show(language, section, variant),
      save: (language, wanted) => admin.texts.save(language, wanted, AT_TERMINAL),
      restore: (language, path, seq) => admin.texts.restore(language, path, seq, AT_TERMINAL),
      addLanguage: (language, copyOf) => admin.texts.addLanguage(language, copyOf, AT_TERMINAL),
      removeLanguage: (language) => admin.texts.removeLanguage(language, AT_TERMINAL),
    },
    support: admin.support,
    audit: (limit, page) => admin.audit(limit, page),
    deliveries: admin.deliveries,
    events: (since, limit, transitionsOnly) => eventsAfter(admin, since, limit, transitionsOnly),
    refusedCalls: (accountId) => admin.accounts.refused(accountId),
    isServedEarly: async (account) =>
      admin.accounts.isServedEarly(account, (await admin.accounts.calls(account.id)).hours),
    calls: async (accountId, wanted) => (await admin.accounts.calls(accountId, wanted)).recent,
    deployment: deploymentOf(services),
    routes: routesOf(admin),
    canaries,
    tokens: tokensOf(services),
    keys: {
      status: () => services.keys.status(),
      rotate: () => deeds.rotate(() => services.keys.rotate()),
    },
    probe: async () => [
      ...mappingFaults(services),
      ...(await applicationProbes(services)),
      ...(await probes(settings)),
      ...(await signedInProbes(services)),
    ],
    async close() {
      await Promise.all([postman?.close(), rehearsals.close()]);
      await services.close();
    },
  };
}

/** Faults that would keep a bridge from starting. */
function mappingFaults({ mapping }: Services): readonly Probe[] {
  try {
    mapping.methods.at(0);
    return [];
  } catch (error) {
    if (error instanceof MappingFaults) return [{ what: 'mappings', good: false, detail: error.message }];
    throw error;
  }
}

/** The stage is changed first: it alone disables every link. */
function closeAccount(services: Services, campaign: Campaign, deeds: Deeds, account: Account): Promise<void> {
  return deeds.do('close', account, async () => {
    await services.accounts.close(account.id, AT_TERMINAL);
    await campaign.withdraw(account.id, AT_TERMINAL);
    return [undefined, 'done: closed'];
  });
}

function messageToolsOf(services: Services, campaign: Campaign, deeds: Deeds): MessageTools {
  const ask =
    (action: 'invite' | 'remind' | 'withdraw') =>
    (account: Account, dry: boolean, start?: string, guard?: InvitationGuard): Promise<CampaignAnswer> =>
      dry
        ? campaign[action](account.id, AT_TERMINAL, true, start, guard)
        : deeds.do(action, account, async () => {
            const answer = await campaign[action](account.id, AT_TERMINAL, false, start, guard);
            const { outcome, words } = resultOf(answer);
            return [answer, `${outcome}: ${words}`];
          });
  return {
    mailed: services.settings.mail !== undefined && services.oauth !== undefined,
    facts: ({ id }) => services.store.campaign.facts(id),
    startFault: (start) => campaign.startFault(start),
    invite: ask('invite'),
    remind: ask('remind'),
    withdraw: ask('withdraw'),
  };
}

/** Audited before it is done, because its consequences at the service cannot be undone. */
const deploymentOf = ({ store, clock }: Services): Tools['deployment'] => ({
  look: () => store.deployment.look(),
  async acknowledge() {
    const detail = doubtOf(await store.deployment.look())?.words ?? 'nothing was in doubt';
    const at = clock.now();
    await store.audit.write({
      at,
      who: AT_TERMINAL,
      action: 'deployment.acknowledge',
      accountIds: [],
      detail,
    });
    await store.deployment.acknowledge(at);
  },
});

const routesOf = ({ routes }: AdminService): Routing => ({
  hasV2: routes.hasV2,
  list: () => routes.list(),
  methods: () => routes.methods(),
  async set(methods, account, route, acceptsAssumed) {
    const accountId = account === EVERY_ACCOUNT ? undefined : account;
    await routes.set(methods, accountId, route, AT_TERMINAL, acceptsAssumed);
  },
});
