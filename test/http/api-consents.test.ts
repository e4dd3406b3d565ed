import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { approve } from '../support/awaiting.ts';
import { Office } from './api-harness.ts';

let office: Office;
beforeAll(async () => {
  office = await Office.open();
});
afterAll(() => office.stop());

const post = (path: string, body: unknown) => office.call(path, { verb: 'POST', body });
const waiting = async () =>
  (await office.call('/consents')).json.consents as readonly Readonly<Record<string, unknown>>[];

async function waitsFor(name: string, email?: string): Promise<{ id: string; consent: string }> {
  const id = await office.addAccount(name, email === undefined ? {} : { email });
  const consent = await approve(office.bridge.services, id, {
    organisation: { id: `org of ${name}`, name: `${name} Ltd` },
    email: 'ana@elsewhere.example',
    findings: ['name', 'otherPerson', 'nothingToCompare'],
    at: office.clock.now(),
  });
  return { id, consent };
}

describe('consents that wait for the operator', () => {
  it('are listed with organisation, person, address, and the evidence for and against each', async () => {
    const { id, consent } = await waitsFor('Fern', 'office@fern.example');
    expect((await waiting()).find((one) => one.id === consent)).toMatchObject({
      account: { id, name: 'Fern' },
      contact: { email: 'office@fern.example' },
      organisation: { id: 'org of Fern', name: 'Fern Ltd' },
      by: { name: 'Ana Whitcombe', email: 'ana@elsewhere.example' },
      for: ['the names match'],
      against: ['the approver’s e-mail address is not the contact’s', 'V1 showed no client to compare'],
    });
    const { json } = await office.call(`/accounts/${id}`);
    expect(json).toMatchObject({
      account: { stage: 'awaiting-operator', organisation: null },
      statusReport: {
        stuck: { reason: 'consent-unproved' },
        next: { action: 'judge-consent', by: 'operator' },
      },
    });
    expect((await office.call('/board')).json).toMatchObject({
      totals: { stages: { 'awaiting-operator': 1 } },
    });
  });

  it('are previewed, confirmed, and announced to the contact; a read token cannot', async () => {
    const { id, consent } = await waitsFor('Quarry', 'office@quarry.example');
    const body = { accounts: [id], consents: [consent] };
    const preview = await post('/actions/confirm/preview', body);
    expect(preview.json).toMatchObject({
      will: 1,
      accounts: [
        {
          words:
            'Quarry Ltd, approved by Ana Whitcombe (ana@elsewhere.example); for it: the names match; against it: the approver’s e-mail address is not the contact’s, V1 showed no client to compare',
        },
      ],
    });
    expect(await waiting()).toContainEqual(expect.objectContaining({ id: consent }));
    const denied = await office.call('/actions/confirm', { verb: 'POST', body, token: office.read });
    expect(denied.status).toBe(403);
    expect((await post('/actions/confirm', body)).json).toMatchObject({ done: 1, left: 0 });
    const { json } = await office.call(`/accounts/${id}`);
    expect(json).toMatchObject({
      account: { stage: 'consented', organisation: { name: 'Quarry Ltd' } },
      timeline: expect.arrayContaining([
        expect.objectContaining({ kind: 'consent.confirmed', actor: 'operate test' }),
        expect.objectContaining({ kind: 'consented', actor: 'operate test' }),
      ]) as unknown,
    });
    expect((await post('/actions/confirm', body)).json).toMatchObject({
      accounts: [{ outcome: 'left', reason: 'notAwaiting' }],
    });
  });

  it('are skipped if they came later or belong to another account by now', async () => {
    const { id, consent } = await waitsFor('Brook');
    const organisation = { id: 'org of Brook 2', name: 'Brook Two' };
    await approve(office.bridge.services, id, { organisation, at: office.clock.now() });
    const reasonsFor = async (action: string, body: object) =>
      ((await post(`/actions/${action}`, body)).json.accounts as { reason: string }[])[0]?.reason;
    for (const action of ['confirm/preview', 'confirm', 'refuse'])
      expect(await reasonsFor(action, { accounts: [id], consents: [consent] })).toBe('otherConsent');
    const holder = await waitsFor('Holder');
    await approve(office.bridge.services, holder.id, { organisation, at: office.clock.now() });
    await post('/actions/confirm', { accounts: [holder.id] });
    expect(await reasonsFor('confirm', { accounts: [id] })).toBe('organisationTaken');
  });

  it('are refused: the account goes back, and the tokens wait to be revoked', async () => {
    const { id, consent } = await waitsFor('Moor');
    expect((await post('/actions/refuse', { accounts: [id], consents: [consent] })).json).toMatchObject({
      done: 1,
    });
    expect((await office.call(`/accounts/${id}`)).json).toMatchObject({ account: { stage: 'legacy' } });
    const { awaiting, grants } = office.bridge.services.store;
    expect((await awaiting.revocations(Number.MAX_SAFE_INTEGER)).map(({ grantId }) => grantId)).toContain(
      consent,
    );
    expect(await grants.find(consent)).toBeDefined();
  });

  it('get no reminder', async () => {
    const { id } = await waitsFor('Vale', 'office@vale.example');
    expect((await post('/actions/invite', { accounts: [id] })).json).toMatchObject({
      accounts: [{ outcome: 'left', reason: 'awaiting' }],
    });
  });
});
