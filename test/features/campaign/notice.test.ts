import { describe, expect, it } from '@jest/globals';
import {
  consent,
  migrate,
  propose,
  refuseProposal,
  type Stage,
} from '../../../src/features/accounts/account.ts';
import { STATUS_LINK } from '../../../src/features/campaign/report.ts';
import { Disconnecting, type Disconnection } from '../../../src/features/consent/disconnecting.ts';
import { silentLog } from '../../../src/lib/log/log.ts';
import { Secret } from '../../../src/lib/secret/secret.ts';
import { DAY } from '../../../src/lib/time/clock.ts';
import type { Entry, CampaignFacts } from '../../../src/features/campaign/model.ts';
import type { Consenter } from '../../../src/upstream/organisation.ts';
import { newGrant } from '../../db/records.ts';
import { openPostOffice, type PostOffice } from './harness.ts';

const ana: Consenter = { userId: 'u1', name: 'Ana Whitcombe', email: 'ana@oldmill.example' };

/** An invited account, connected by somebody: what a consent leaves behind. */
async function connected(office: PostOffice, by: Consenter, email = 'tama@oldmill.example'): Promise<string> {
  const id = await office.add(email);
  await office.campaign.invite(id, 'operator');
  await office.job.run();
  const { accounts, grants, invitations } = office.store;
  const tokens = { generation: 1, accessToken: 'sealed', accessExpiresAt: 0, refreshToken: 'sealed' };
  office.clock.advance(60_000);
  const now = office.clock.now();
  await grants.create({ id: `grant of ${id}`, consenter: by, scope: '', tokens, now });
  const binding = { grantId: `grant of ${id}`, organisation: { id: `o ${id}`, name: 'Old Mill Ltd' } };
  const event = { at: now, kind: 'consented', actor: 'customer', detail: '' };
  await accounts.change(id, (life) => consent(life, binding), event);
  for (const invitation of await invitations.ofAccount(id))
    await invitations.setState(invitation.id, 'accepted', now);
  return id;
}

const told = (office: PostOffice, id: string) =>
  office.store.campaign.decide(id, (facts) => office.campaign.notice(facts));

const suppressed = (office: PostOffice, reason: 'unsubscribed' | 'refused'): Promise<void> =>
  office.store.campaign.suppress({
    address: 'tama@oldmill.example',
    reason,
    detail: '',
    at: office.clock.now(),
  });

const afterwards = async (office: PostOffice): Promise<readonly string[]> => {
  await office.job.run();
  return office.kinds().filter((kind) => kind !== 'invitation');
};

describe('a notice of approval', () => {
  it('is stored together with the connection, or neither is', async () => {
    const office = await openPostOffice();
    const id = await office.add('tama@oldmill.example');
    await office.campaign.invite(id, 'operator');
    await office.job.run();
    office.clock.advance(60_000);
    const event = { at: office.clock.now(), kind: 'consented', actor: 'customer', detail: '' };
    const { id: grantId } = await newGrant(office.store);
    const binding = { grantId, organisation: { id: 'o', name: 'Old Mill Ltd' } };
    const connect = (notice: (facts: CampaignFacts) => Entry | undefined) =>
      office.store.consents.bind({
        accountId: id,
        transition: (life) => consent(life, binding),
        event,
        notice,
      });
    const dies = (): never => {
      throw new Error('killed');
    };
    await expect(connect(dies)).rejects.toThrow('killed');
    expect((await office.store.accounts.byId(id))?.life.stage).toBe('legacy');
    expect(await office.fates(id)).toEqual(['invitation sent']);
    await connect((facts) => office.campaign.notice(facts));
    expect((await office.store.accounts.byId(id))?.life.stage).toBe('consented');
    expect(await office.fates(id)).toEqual(['invitation sent', 'notice queued']);
  });

  it('tells the contact who has approved with a forwarded link, once, with a link to that connection', async () => {
    const office = await openPostOffice();
    const id = await connected(office, ana);
    const approvedAt = office.clock.now();
    office.clock.advance(DAY);
    await told(office, id);
    expect(await afterwards(office)).toEqual(['notice']);
    expect(office.postman.letters.at(-1)).toMatchObject({
      to: { address: 'tama@oldmill.example' },
      account: { organisation: 'Old Mill Ltd' },
      by: 'Ana Whitcombe (ana@oldmill.example)',
    });
    const { link, at } = office.postman.letters.at(-1) ?? {};
    expect(at).toBe(approvedAt);
    expect(link?.reveal()).toMatch(/\/_causeway\/connection\/[A-Za-z0-9_-]{43}$/);
    const secret = new Secret(link?.reveal().split('/').at(-1) ?? '');
    const indexes = office.seal.index(secret, STATUS_LINK);
    const { statusLinks } = office.store;
    expect(await statusLinks.accountOf(indexes, office.clock.now())).toBe(id);
    expect(await statusLinks.accountOf(indexes, office.clock.now() + 401 * DAY)).toBeUndefined();
    expect(
      await statusLinks.accountOf(office.seal.index(secret, 'invitation'), office.clock.now()),
    ).toBeUndefined();
    expect(await office.fates(id)).toEqual(['invitation sent', 'notice sent']);
    expect((await office.store.accounts.timeline(id)).map(({ kind }) => kind)).toContain('noticed');
  });

  it("is sent even if the approver has the contact's address, which is no proof", async () => {
    const office = await openPostOffice();
    const id = await connected(office, ana, 'Ana@OldMill.example');
    await told(office, id);
    expect(await afterwards(office)).toEqual(['notice']);
  });

  it('is sent to a contact who was not invited, if the operator passed a link on', async () => {
    const office = await openPostOffice();
    const id = await office.add('tama@oldmill.example');
    await office.accounts.invite(id);
    for (const invitation of await office.store.invitations.ofAccount(id))
      await office.store.invitations.setState(invitation.id, 'accepted', office.clock.now());
    await told(office, id);
    expect(await office.fates(id)).toEqual(['notice queued']);
  });

  it("is sent if the service does not tell the approver's address", async () => {
    const office = await openPostOffice();
    const nameless = { userId: 'u9', name: undefined, email: undefined };
    const id = await connected(office, nameless);
    await told(office, id);
    await office.job.run();
    expect(office.postman.letters.at(-1)).toMatchObject({ kind: 'notice', by: 'u9' });
  });

  it('is not withdrawn with the e-mails that a consent makes unnecessary', async () => {
    const office = await openPostOffice();
    const id = await connected(office, ana);
    office.postman.answer = () => ({ verdict: 'postponed', reason: '421 later' });
    await told(office, id);
    await office.job.run();
    expect(await office.fates(id)).toEqual(['invitation sent', 'notice failed']);
    expect((await office.store.campaign.run(id))?.state).toBe('stopped');
    office.postman.answer = () => ({ verdict: 'sent', response: '' });
    office.clock.advance(3_600_000);
    await office.job.run();
    expect(await office.fates(id)).toEqual(['invitation sent', 'notice sent']);
  });

  it('is not a reminder: it also goes to a contact who unsubscribed', async () => {
    const office = await openPostOffice();
    const id = await connected(office, ana);
    await suppressed(office, 'unsubscribed');
    await told(office, id);
    expect(await afterwards(office)).toEqual(['notice']);
    expect(await office.fates(id)).toEqual(['invitation sent', 'notice sent']);
  });

  it.each([
    ['has no address', 'the account has no e-mail address'],
    ['has one that was refused', 'the mail server refused tama@oldmill.example before'],
    ['cannot be written to at all', 'no mail server is configured (CAUSEWAY_SMTP_URL)'],
  ])('becomes an event for the operator if the contact %s', async (what, why) => {
    const office = await openPostOffice({ withoutMail: what === 'cannot be written to at all' });
    const id = await connected(office, ana);
    if (what === 'has no address') await office.accounts.set(id, { email: '' });
    else if (what === 'has one that was refused') await suppressed(office, 'refused');
    await told(office, id);
    expect(await afterwards(office)).toEqual([]);
    expect((await office.store.accounts.timeline(id)).at(-1)).toMatchObject({
      kind: 'notice.unsent',
      detail: `the contact was not told who approved: ${why}. Tell the customer yourself`,
    });
  });

  it('comes with a receipt for the approver, at the address that the service gave', async () => {
    const office = await openPostOffice();
    const id = await connected(office, ana);
    await office.store.campaign.decide(id, (facts) => office.campaign.notice(facts, ana));
    // A new contact takes over the notice, and not what is for somebody else.
    await office.accounts.set(id, { email: 'new@oldmill.example' });
    expect((await afterwards(office)).toSorted()).toEqual(['notice', 'receipt']);
    const sent = office.postman.letters.slice(-2).map(({ kind, to, link, by }) => ({ kind, to, by, link }));
    expect(sent).toContainEqual({
      kind: 'receipt',
      to: { name: 'Ana Whitcombe', address: 'ana@oldmill.example' },
      by: 'Ana Whitcombe (ana@oldmill.example)',
      link: expect.anything(),
    });
    // Each has a link of its own, to the page of the connection.
    const links = sent.map(({ link }) => link?.reveal() ?? '');
    expect(links.filter((link) => link.includes('/_causeway/connection/'))).toHaveLength(2);
    expect(new Set(links).size).toBe(2);
    expect(sent).toContainEqual(
      expect.objectContaining({
        kind: 'notice',
        to: expect.objectContaining({ address: 'new@oldmill.example' }),
      }),
    );
  });

  it('is sent alone if the contact approved; the receipt alone if there is no contact', async () => {
    const office = await openPostOffice();
    const [own, silent] = [
      await connected(office, { ...ana, email: 'TAMA@oldmill.example' }),
      await connected(office, ana, 'other@oldmill.example'),
    ];
    await office.accounts.set(silent, { email: '' });
    const { campaign } = office.store;
    await campaign.decide(own, (facts) => office.campaign.notice(facts, { email: 'TAMA@oldmill.example' }));
    await campaign.decide(silent, (facts) => office.campaign.notice(facts, ana));
    await office.job.run();
    expect(await office.fates(own)).toEqual(['invitation sent', 'notice sent']);
    expect(await office.fates(silent)).toEqual(['invitation sent', 'receipt sent']);
  });

  it.each(['closed', 'refused'] as const)('is not sent if the account is %s meanwhile', async (what) => {
    const office = await openPostOffice();
    const id = await connected(office, ana);
    await told(office, id);
    if (what === 'closed') await office.accounts.close(id);
    else await suppressed(office, what);
    expect(await afterwards(office)).toEqual([]);
    expect(await office.fates(id)).toEqual(['invitation sent', 'notice withdrawn']);
  });
});

/** An account whose customer approved, and the operator's refusal. */
async function approved(office: PostOffice, before: (id: string) => Promise<void> = () => Promise.resolve()) {
  const id = await office.add('tama@oldmill.example');
  await office.campaign.invite(id, 'operator');
  await office.job.run();
  await before(id);
  office.clock.advance(60_000);
  const { awaiting, grants } = office.store;
  const tokens = { generation: 1, accessToken: 'sealed', accessExpiresAt: 0, refreshToken: 'sealed' };
  await grants.create({ id: 'G', consenter: ana, scope: '', tokens, now: office.clock.now() });
  const binding = { grantId: 'G', organisation: { id: 'o', name: 'Other Ltd' } };
  const event = { at: office.clock.now(), kind: 'test', actor: 'test', detail: '' };
  const transition = (life: Stage) => ({ life: propose(life, binding), findings: [] });
  await awaiting.propose({ accountId: id, transition, event });
  await office.job.run();
  office.clock.advance(60_000);
  const refuse = (refusal = (facts: CampaignFacts) => office.campaign.refusal(facts, office.clock.now())) =>
    awaiting.refuse({
      accountId: id,
      transition: (life) => refuseProposal(life, 'G'),
      event: { ...event, at: office.clock.now() },
      refusal,
    });
  return { id, refuse };
}

describe('the refusal of an approval', () => {
  it('tells the contact once, with a link that works, and the reminders begin again', async () => {
    const office = await openPostOffice();
    const { id, refuse } = await approved(office);
    await refuse();
    expect(await afterwards(office)).toEqual(['unconfirmed']);
    expect(await afterwards(office)).toEqual(['unconfirmed']);
    const { to, link, by } = office.postman.letters.at(-1) ?? {};
    expect([to?.address, by]).toEqual(['tama@oldmill.example', undefined]);
    expect(link?.reveal()).toMatch(/\/_causeway\/connect\/[A-Za-z0-9_-]{43}$/);
    const states = (await office.store.invitations.ofAccount(id)).map(({ state }) => state);
    expect(states).toEqual(['issued', 'issued']);
    office.clock.advance(3 * DAY);
    expect(await afterwards(office)).toEqual(['unconfirmed', 'reminder']);
  });

  it('is stored together with its e-mail, or neither is', async () => {
    const office = await openPostOffice();
    const { id, refuse } = await approved(office);
    await expect(
      refuse(() => {
        throw new Error('killed');
      }),
    ).rejects.toThrow('killed');
    expect((await office.store.accounts.byId(id))?.life.stage).toBe('awaiting-operator');
    expect(await office.fates(id)).toEqual(['invitation sent']);
  });

  it('sends no e-mail if somebody approves again before it has left', async () => {
    const office = await openPostOffice();
    const { id, refuse } = await approved(office);
    await refuse();
    await office.connect(id);
    await afterwards(office);
    expect(await office.fates(id)).toEqual(['invitation sent', 'unconfirmed withdrawn']);
  });

  it.each([
    ['the customer has unsubscribed', 'its customer unsubscribed from e-mail at this address'],
    ['an e-mail to the address came back', 'the mail server refused its address'],
    ['the invitation was withdrawn', 'its invitation was withdrawn'],
    ['no e-mail can be sent', 'no mail server is configured (CAUSEWAY_SMTP_URL)'],
  ])('asks the operator to tell the customer if %s', async (why, words) => {
    const office = await openPostOffice({ withoutMail: why.startsWith('no e-mail') });
    const { id, refuse } = await approved(office);
    if (why.includes('unsubscribed')) await suppressed(office, 'unsubscribed');
    if (why.includes('came back')) await suppressed(office, 'refused');
    if (why.includes('withdrawn')) await office.campaign.withdraw(id, 'operator');
    await refuse();
    expect(await afterwards(office)).toEqual([]);
    expect((await office.store.accounts.timeline(id)).at(-1)).toMatchObject({
      kind: 'notice.unsent',
      detail: `the contact was not told that the approval was refused: ${words}. Tell the customer yourself`,
    });
  });

  it('sends nothing if the connection was lost before, and the operator withdrew the invitation', async () => {
    const office = await openPostOffice();
    const { id, refuse } = await approved(office, async (account) => {
      await office.bind(account);
      for (const invitation of await office.store.invitations.ofAccount(account))
        await office.store.invitations.setState(invitation.id, 'accepted', office.clock.now());
      await office.lose(account);
      await office.job.run();
      await office.campaign.withdraw(account, 'operator');
    });
    await refuse();
    await office.job.run();
    expect(office.kinds()).toEqual(['invitation', 'invitation']);
    expect(await office.store.campaign.lostWithoutRun()).toEqual([]);
    expect(await office.store.campaign.run(id)).toMatchObject({ state: 'stopped', reason: 'withdrawn' });
  });
});

describe('the end of a connection', () => {
  /** `actor`: who ends it. */
  const end = (office: PostOffice, id: string, actor: string): Promise<Disconnection> => {
    const { store, seal, clock, campaign } = office;
    return new Disconnecting({
      ...{ repository: store.accounts, campaign: store.campaign, grants: store.grants, seal, clock },
      applications: { find: () => undefined },
      vault: { abandon: () => Promise.resolve(true) },
      notice: (facts) => campaign.disconnection(facts),
      log: silentLog,
    }).disconnect(id, { actor, by: 'Ana Whitcombe', reason: 'declined' });
  };

  async function migrated(office: PostOffice): Promise<string> {
    const id = await connected(office, ana);
    const event = { at: office.clock.now(), kind: 'migrated', actor: 'bridge', detail: '' };
    await office.store.accounts.change(id, migrate, event);
    office.clock.advance(60_000);
    return id;
  }

  it('is told to the contact once, with a link to the page of the connection', async () => {
    const office = await openPostOffice();
    const id = await migrated(office);
    await suppressed(office, 'unsubscribed');
    await end(office, id, 'customer');
    await end(office, id, 'customer');
    expect(await afterwards(office)).toEqual(['disconnected']);
    const { to, link, by } = office.postman.letters.at(-1) ?? {};
    expect([to?.address, by]).toEqual(['tama@oldmill.example', 'Ana Whitcombe (ana@oldmill.example)']);
    expect(link?.reveal()).toMatch(/\/_causeway\/connection\//);
    office.clock.advance(30 * DAY);
    expect(await afterwards(office)).toEqual(['disconnected']);
  });

  it('is told even if the connection had not moved yet', async () => {
    const office = await openPostOffice();
    await end(office, await connected(office, ana), 'customer');
    expect(await afterwards(office)).toEqual(['disconnected']);
    expect(office.postman.letters.at(-1)?.by).toBeUndefined();
  });

  it('is not told if an operator brought it about, or if somebody has approved again', async () => {
    const office = await openPostOffice();
    await end(office, await migrated(office), 'operator');
    const again = await migrated(office);
    await end(office, again, 'customer');
    await office.bind(again);
    expect(await afterwards(office)).toEqual([]);
    expect(await office.fates(again)).toEqual(['invitation sent', 'disconnected withdrawn']);
  });

  it('is not told at an address to which e-mail came back: the operator is asked to', async () => {
    const office = await openPostOffice();
    const id = await migrated(office);
    await suppressed(office, 'refused');
    await end(office, id, 'customer');
    expect(await afterwards(office)).toEqual([]);
    expect((await office.store.accounts.timeline(id)).at(-1)?.detail).toMatch(
      /^the contact was not told that the connection was ended: the mail server refused/,
    );
  });
});
