/**
 * The page of one account: its state, its history, and the actions that make sense now. Everything is read at once, so
 * that the page shows one moment; an action is a POST that redirects back here.
 */
import { Secret } from '../../../lib/secret/secret.ts';
import { sentenceOf } from '../../../lib/text/sentence.ts';
import { products, type Product } from '../../../upstream/organisation.ts';
import { keyWarnings, unusualWords } from '../../../features/accounts/account-keys.ts';
import type { GivenDetails } from '../../../features/accounts/details-check.ts';
import { brownoutOf, holdsGrant } from '../../../features/accounts/account.ts';
import { MINUTE, type Clock } from '../../../lib/time/clock.ts';
import { instantIn, isLocal } from '../../../lib/time/local.ts';
import type { CallsWanted } from '../../../features/usage/call-log.ts';
import { AdminRefusal } from '../../../features/admin/refusal.ts';
import type { AdminService } from '../../../features/admin/admin.ts';
import { actions, type ActionName } from '../../../features/admin/actions/words.ts';
import type { SyncOutcome } from '../../../features/admin/upkeep/upkeep.ts';
import { EARLY, type AccountPage } from '../../../features/admin/account-page.ts';
import type { Deed, Visit } from '../session/session-guard.ts';
import { tried } from '../tried.ts';
import { askedBy, changedFields, storedFields } from './edited.ts';
import { CONSOLE_PATH, type ConsolePages } from '../pages.ts';
import { nextPlace } from './next-place.ts';

export interface AccountParts {
  readonly admin: Pick<
    AdminService,
    'accounts' | 'routes' | 'upkeep' | 'sending' | 'usage' | 'watch' | 'rehearsal' | 'latestEvent'
  >;
  readonly pages: ConsolePages;
  readonly clock: Clock;
}

const accountPath = (id: string): string => `${CONSOLE_PATH}/accounts/${encodeURIComponent(id)}`;
const idOf = ({ request }: Visit): string => String(request.params.id);

/** The page of one account: its state, its history, and its actions. */
export class AccountScreen {
  readonly #parts: AccountParts;

  constructor(parts: AccountParts) {
    this.#parts = parts;
  }

  async show(visit: Visit): Promise<void> {
    await this.#send(visit, { said: saidAfter(visit.query.get('done')) });
  }

  async edit(deed: Deed): Promise<void> {
    const { form, who } = deed;
    const { accounts } = this.#parts.admin;
    const { changed, clash } = changedFields(form, storedFields(await accounts.page(idOf(deed))));
    if (clash !== undefined) {
      // The page shown now includes the other change.
      form.delete('shown');
      await this.#send(deed, { problem: sentenceOf(clash), given: Object.fromEntries(form) }, 409);
      return;
    }
    const apiKey = (form.get('apiKey') ?? '').trim();
    // Never shown again, not even to the person who has just typed it.
    form.delete('apiKey');
    const { product: chosen, ...rest } = changed;
    const product = products.find((one): one is Product => one === chosen);
    try {
      const fields = await accounts.set(
        idOf(deed),
        {
          ...rest,
          sameName: form.get('sameName') === 'yes',
          ...(product === undefined ? {} : { product }),
          ...(apiKey === '' ? {} : { apiKey: new Secret(apiKey) }),
        },
        who,
      );
      this.#back(deed, fields.length === 0 ? 'same' : savedWith(apiKey));
    } catch (error) {
      if (!(error instanceof AdminRefusal) || error.fault === 'unknown') throw error;
      const given = { ...Object.fromEntries(form), ...askedBy(error) };
      await this.#send(deed, { problem: sentenceOf(error.message), given }, 400);
    }
  }

  /** Lists records through V1; the timeline shows the outcome, too. */
  async learn(deed: Deed): Promise<void> {
    const { accounts, upkeep } = this.#parts.admin;
    const sync = await upkeep.learn(await accounts.find(idOf(deed)), deed.who);
    await this.#send(deed, { sync: syncWords(sync) });
  }

  async renew(deed: Deed): Promise<void> {
    const { accounts, upkeep } = this.#parts.admin;
    try {
      await upkeep.renew(await accounts.find(idOf(deed)), deed.who);
      this.#back(deed, 'renewed');
    } catch (error) {
      if (!(error instanceof AdminRefusal) || error.fault === 'unknown') throw error;
      await this.#send(deed, { renewal: `Not renewed: ${error.message}.` }, 409);
    }
  }

  /** Shows the confirmation page; nothing is done yet. */
  async #askForLink(deed: Deed): Promise<void> {
    const { admin, pages } = this.#parts;
    const { id, name } = await admin.accounts.find(idOf(deed));
    const path = `${CONSOLE_PATH}/accounts/${id}`;
    pages.send(deed.response, 200, 'confirm', {
      title: `Make a link for ${name}`,
      under: '/accounts',
      session: deed.session,
      ...{ from: name, back: path, action: `${path}/link`, button: 'Make and show link' },
      lines: [
        'Anyone with the link can approve the connection, so give it only to the customer. It is shown once, and no e-mail is sent. Earlier links keep working.',
        'The account then counts as invited, and its timeline says who made the link. Nothing happens until you confirm.',
      ],
    });
  }

  /** Makes the link and shows it on this page only, once; a confirmation page says beforehand what follows. */
  async link(deed: Deed): Promise<void> {
    if (deed.form.get('sure') !== 'yes') {
      await this.#askForLink(deed);
      return;
    }
    const { link, expiresAt } = await this.#parts.admin.accounts.link(idOf(deed), deed.who);
    await this.#send(deed, { issued: { link, expiresAt } });
  }

  /** Names one of the account's programs; an empty name removes it. */
  async program(deed: Deed): Promise<void> {
    const { accounts, usage } = this.#parts.admin;
    const account = await accounts.find(idOf(deed));
    await usage.name(account, deed.form.get('program') ?? '', deed.form.get('name') ?? '', deed.who);
    this.#back(deed, 'named');
  }

  /** Starts or stops counting the account's calls. */
  async counted(deed: Deed): Promise<void> {
    const { accounts, usage } = this.#parts.admin;
    const isOn = deed.form.get('counted') === 'on';
    await usage.switch(await accounts.find(idOf(deed)), isOn, deed.who);
    this.#back(deed, isOn ? 'counted' : 'uncounted');
  }

  /** Removes the flag, with a reason. */
  async dismiss(deed: Deed): Promise<void> {
    const { accounts, watch } = this.#parts.admin;
    await watch.dismiss(await accounts.find(idOf(deed)), deed.form.get('reason') ?? '', deed.who);
    this.#back(deed, 'dismissed');
  }

  /** Notes the result of a call in the timeline. */
  async talk(deed: Deed): Promise<void> {
    const { accounts, sending } = this.#parts.admin;
    const { id } = await accounts.find(idOf(deed));
    const note = (deed.form.get('note') ?? '').replaceAll('\r\n', '\n');
    const noted = async (): Promise<void> => {
      await sending.talked(id, note, deed.who);
      this.#back(deed, 'talked');
    };
    await tried(deed, noted, ({ problem }) => this.#send(deed, { talk: { problem, note } }, 400));
  }

  async #send(visit: Visit, values: Readonly<Record<string, unknown>>, status = 200): Promise<void> {
    const { admin, pages, clock } = this.#parts;
    const now = clock.now();
    const seq = await admin.latestEvent();
    const home = admin.sending.hours.zone;
    const { until, failed, wanted } = callsIn(visit);
    const unusual = (given: GivenDetails): string | undefined =>
      admin.accounts.warnings(given).map(sentenceOf)[0];
    const one = await admin.accounts.page(idOf(visit), (zone = home) => wanted(zone));
    pages.send(visit.response, status, 'account', {
      title: one.account.name,
      session: visit.session,
      ...(status === 200 && values.issued === undefined ? { seq } : {}),
      stored: JSON.stringify(storedFields(one)),
      ...{
        one,
        until,
        failed,
        callsZone: one.details.zone ?? home,
        brownout: brownoutOf(one.account, now),
        early: admin.accounts.isServedEarly(one.account, one.hours) ? `V1 ${EARLY}.` : undefined,
      },
      actions,
      possible: possible(one),
      products,
      applications: admin.accounts.applications,
      unusualId: unusual({ organisationId: one.details.expected.id }),
      unusualLanguage: unusual({ language: one.details.language }),
      movable: !holdsGrant(one.account.life),
      methods: admin.routes.methods(),
      hasV2: admin.routes.hasV2,
      usage: await admin.usage.show(one.account),
      rehearsal: await admin.rehearsal.show(one.account),
      path: accountPath(one.account.id),
      step: nextPlace(one.statusReport.next?.action, accountPath(one.account.id)),
      now,
      ...values,
    });
  }

  #back(visit: Visit, done: keyof typeof doneWords): void {
    this.#parts.pages.redirect(visit.response, `${accountPath(idOf(visit))}?done=${done}`);
  }
}

/** The note on an account added with these keys: what an operator should check, as in API and command line. */
export function addedWith(keys: Parameters<typeof keyWarnings>[0]): keyof typeof doneWords {
  const [first, second] = keyWarnings(keys);
  if (first === undefined) return 'added';
  if (second !== undefined) return 'addedUnusual';
  return first === unusualWords('account key') ? 'addedUnusualAccountKey' : 'addedUnusualApiKey';
}

const savedWith = (apiKey: string): 'edited' | 'unusual' =>
  apiKey === '' || keyWarnings({ apiKey: new Secret(apiKey) }).length === 0 ? 'edited' : 'unusual';

/**
 * The calls up to the minute that support was told, in the customer's time, or the newest; all, or only failed ones.
 */
function callsIn({ query }: Visit): {
  readonly until: string;
  readonly failed: boolean;
  readonly wanted: (zone: string) => CallsWanted;
} {
  const given = query.get('until') ?? '';
  const until = isLocal(given) ? given : '';
  const failed = query.get('failed') === 'yes';
  const wanted = (zone: string): CallsWanted => ({
    to: until === '' ? undefined : instantIn(zone, until) + MINUTE,
    failed,
  });
  return { until, failed, wanted };
}

function addedWords(...unusual: readonly string[]): string {
  return ['Account added', ...unusual.map((what) => sentenceOf(unusualWords(what)))].join('. ');
}

const doneWords = {
  added: 'Account added.',
  addedUnusual: addedWords('account key', 'API key'),
  addedUnusualAccountKey: addedWords('account key'),
  addedUnusualApiKey: addedWords('API key'),
  edited: 'Details saved.',
  unusual: ['Details saved', sentenceOf(unusualWords('API key'))].join('. '),
  same: 'No changes to save.',
  renewed: 'Tokens renewed.',
  key: 'The account key belongs to this account.',
  named: 'Program name saved.',
  counted: 'Calls are counted. Running bridges follow within five minutes.',
  talked: 'Phone call saved to the timeline.',
  dismissed: 'Flag removed. Another difference sets it again.',
  uncounted: 'Calls are no longer counted.',
} as const;

const saidAfter = (done: string | null): string | undefined =>
  done !== null && Object.hasOwn(doneWords, done) ? doneWords[done as keyof typeof doneWords] : undefined;

function syncWords(sync: SyncOutcome): string {
  switch (sync.outcome) {
    case 'learned':
      return `Numbers read from V1: ${sync.added} added, ${sync.known} already known, ${sync.conflicts} conflicting.`;
    case 'refused':
      return 'V1 no longer accepts the keys of this account.';
    case 'absent':
      return 'Nothing to read: V1 is not configured, or the account’s API key is not known.';
    case 'failed':
      return 'V1 could not be read. Try again later.';
    case 'running':
      return 'This takes longer. It continues in the background; the timeline shows the result.';
  }
}

/** The actions that make sense at this stage. The preview decides. */
function possible({ account: { life, notices, origin }, isNumbered }: AccountPage): readonly ActionName[] {
  const notice = notices === true ? 'notices-off' : 'notices-on';
  switch (life.stage) {
    case 'legacy':
      // An account that was never on V1 gets no replies of V1 that could announce its end.
      return ['invite', 'remind', 'withdraw', ...(origin === 'issued' ? [] : ([notice] as const)), 'close'];
    case 'lost':
      return ['invite', 'remind', 'withdraw', 'close'];
    case 'awaiting-operator':
      return ['confirm', 'refuse', 'close'];
    case 'consented':
      return ['cutover', 'disconnect', 'close'];
    case 'migrated':
      return [...(isNumbered ? [] : (['accept-numbers'] as const)), 'disconnect', 'close'];
    case 'closed':
    default:
      return [];
  }
}
