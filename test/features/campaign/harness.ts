import { afterEach } from '@jest/globals';
import { consent, lose, migrate, type Stage } from '../../../src/features/accounts/account.ts';
import type { CampaignRepository, OutboxRepository } from '../../../src/features/campaign/model.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import type { OutgoingMessage, Postman, PostVerdict } from '../../../src/features/campaign/outbox.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { Accounts } from '../../../src/features/accounts/accounts.ts';
import { Campaign } from '../../../src/features/campaign/campaign.ts';
import { ALWAYS, type SendingHours } from '../../../src/features/campaign/schedule/hours.ts';
import type { Schedule } from '../../../src/features/campaign/plan.ts';
import { systemRandom } from '../../../src/lib/secret/random.ts';
import { CampaignFreshLinks } from '../../../src/features/campaign/fresh-links.ts';
import { OutboxJob, type OutboxParts } from '../../../src/features/campaign/outbox-job.ts';
import { CampaignUnsubscriber } from '../../../src/features/campaign/unsubscribe.ts';
import type { Store } from '../../../src/app/store.ts';
import { KeyRing, newKeyLine } from '../../../src/tokens/sealing/keyring.ts';
import { HandClock } from '../../support/clock.ts';
import { openMemoryStore, openStoreAt } from '../../support/store.ts';

/** Keeps what it is given, and answers as told. */
export class KnobPostman implements Postman {
  readonly letters: OutgoingMessage[] = [];
  answer: (message: OutgoingMessage) => PostVerdict | Promise<PostVerdict> = () => ({
    verdict: 'sent',
    response: '250',
  });

  async send(message: OutgoingMessage): Promise<PostVerdict> {
    this.letters.push(message);
    return this.answer(message);
  }
}

const stores: Store[] = [];

afterEach(async () => {
  await Promise.all(stores.splice(0).map((store) => store.close()));
});

export interface PostOfficeOptions {
  readonly schedule?: Schedule;
  readonly hours?: SendingHours;
  /** In memory by default. */
  readonly url?: string;
  readonly withoutMail?: boolean;
}

/** Real store, real seal, the real campaign; only the mail server is a knob. */
export async function openPostOffice({ schedule, hours = ALWAYS, url, withoutMail }: PostOfficeOptions = {}) {
  const store = await (url === undefined ? openMemoryStore() : openStoreAt(url));
  stores.push(store);
  const seal = KeyRing.parse(new Secret(newKeyLine()));
  const clock = new HandClock();
  const postman = new KnobPostman();
  const accounts = new Accounts({
    repository: store.accounts,
    invitations: store.invitations,
    grants: store.grants,
    crosswalk: store.crosswalk,
    seal,
    clock,
    random: systemRandom,
  });
  const campaignOn = (repository: CampaignRepository): Campaign =>
    new Campaign({
      repository,
      seal,
      clock,
      random: systemRandom,
      mails: withoutMail !== true,
      schedule: schedule ?? { life: 30 * DAY, reminderDays: [3, 7, 14] },
      hours,
      host: 'causeway.example.com',
    });
  const campaign = campaignOn(store.campaign);
  const jobWith = (parts: Partial<OutboxParts> = {}): OutboxJob =>
    new OutboxJob({
      campaign,
      hours,
      repository: store.campaign,
      outbox: store.outbox,
      grants: store.grants,
      postman,
      seal,
      clock,
      log: silentLog,
      publicUrl: 'https://causeway.example.com',
      pace: { perMinute: 1_000, perAddress: 100 },
      ...parts,
    });
  const freshLinks = new CampaignFreshLinks({
    invitations: store.invitations,
    campaign,
    seal,
    log: silentLog,
  });
  const unsubscriber = new CampaignUnsubscriber({ repository: store.campaign, seal, clock });
  const change = (id: string, transition: (life: Stage) => Stage) =>
    store.accounts.change(id, transition, { at: clock.now(), kind: 'test', actor: 'test', detail: '' });
  const bind = (id: string): Promise<unknown> =>
    change(id, (life) =>
      consent(life, {
        grantId: `grant ${id}`,
        organisation: { id: `organisation ${id}`, name: 'The organisation' },
      }),
    );
  let keys = 0;
  return {
    store,
    seal,
    clock,
    postman,
    accounts,
    campaign,
    campaignOn,
    jobWith,
    job: jobWith(),
    freshLinks,
    unsubscriber,
    bind,
    async connect(id: string) {
      await bind(id);
      await change(id, migrate);
    },
    lose: (id: string) => change(id, (life) => lose(life, 'revoked')),
    async add(email: string | undefined = 'ada@example.com', name = 'Old Mill Engineering') {
      keys += 1;
      const account = await accounts.add({
        name,
        accountKey: new Secret(`KEY-${keys}`),
        details: { email: email },
      });
      return account.id;
    },
    fates: async (id: string) =>
      (await store.campaign.messages(id)).map(({ kind, fate }) => `${kind} ${fate.state}`),
    kinds: () => postman.letters.map(({ kind }) => kind),
  };
}

export type PostOffice = Awaited<ReturnType<typeof openPostOffice>>;

/** A book that dies at one of its methods, before or after the work is done. */
export function dying<Repository extends OutboxRepository | CampaignRepository>(
  repository: Repository,
  method: keyof Repository & string,
  when: 'before' | 'after',
): Repository {
  return new Proxy(repository, {
    get(target, name) {
      const value: unknown = Reflect.get(target, name, target);
      if (typeof value !== 'function') return value;
      const call = value.bind(target) as (...args: unknown[]) => Promise<unknown>;
      if (name !== method) return call;
      return async (...args: unknown[]) => {
        if (when === 'after') await call(...args);
        throw new Error('the process died here');
      };
    },
  });
}

export const linkOf = ({ link }: OutgoingMessage): string => link?.reveal().split('/').at(-1) ?? '';

export const tokenOf = ({ unsubscribe }: OutgoingMessage): string =>
  unsubscribe.reveal().slice(unsubscribe.reveal().lastIndexOf('/') + 1);
