import { afterEach, describe, expect, it } from '@jest/globals';
import { kindsAddedBy } from '../../src/mapping/kinds-added.ts';
import { deliveredMapping } from '../support/mapping.ts';
import { callOf, closeWorlds, ok, textOf, uuid, world, type Setting } from './world.ts';

afterEach(closeWorlds);

const ADD = 'POST client.api/add';
const CLIENT = '<Client><Name>n</Name></Client>';
const shown = ok('<Client><ID>13</ID><Name>n</Name></Client>');

/** The kinds of which V1 may have added records, after one call. */
async function addedBy(line: string, body: string, setting: Setting = {}): Promise<readonly string[]> {
  const complete = [...deliveredMapping().kinds.keys()];
  const all = await world({ stage: 'legacy', ledger: true, v1: () => shown, complete, ...setting });
  const reply = await all.bridge.serve(callOf(line, { body }));
  await textOf(reply);
  reply.delivered?.(true);
  const [account] = await all.store.accounts.list();
  await all.ledger.beat();
  return [...(await all.store.crosswalk.addedSince(account?.id ?? ''))].sort();
}

describe('the ledger', () => {
  it('notes the record that a write adds on V1, and what is added with it', async () => {
    expect(await addedBy(ADD, CLIENT)).toEqual(['client', 'contact']);
  });

  it('notes nothing for a write to V1 that changes a record', async () => {
    expect(await addedBy('PUT client.api/update', '<Client><ID>7</ID><Name>n</Name></Client>')).toEqual([]);
  });

  it('notes nothing that V3 has added, even if V1 was asked first', async () => {
    const v3 = () => ok(`<Client><UUID>${uuid('c1', 1)}</UUID><Name>n</Name></Client>`);
    expect(await addedBy(ADD, CLIENT, { stage: 'migrated', v3 })).toEqual([]);
    expect(await addedBy(ADD, CLIENT, { stage: 'consented', v1: () => ({ status: 403 }), v3 })).toEqual([]);
  });

  it('notes every kind for a record that V1 adds by a call without a row of its own', async () => {
    const every = [...deliveredMapping().kinds.keys()].sort();
    expect(await addedBy(ADD, CLIENT, { unmapped: true })).toEqual(every);
    expect(await addedBy('PUT client.api/update', CLIENT, { unmapped: true })).toEqual([]);
  });

  it('notes nothing where V3 has the numbers of V1', async () => {
    expect(await addedBy(ADD, CLIENT, { identifiers: 'number' })).toEqual([]);
  });
});

describe('the kinds of records that a method may add', () => {
  const added = kindsAddedBy(deliveredMapping());

  it.each([
    ['client.add', ['client', 'contact']],
    ['client.relationship.add', ['relationship']],
    ['clientgroup.add', ['group']],
    ['job.add', ['job', 'jobTask', 'jobCost', 'note', 'comment']],
    ['job.applytemplate', ['jobTask', 'jobCost']],
    ['job.document.add', ['document']],
    ['job.note.add', ['note']],
    ['supplier.update', ['supplierContact']],
    ['time.add', ['time']],
    ['client.update', []],
    ['client.delete', []],
    ['client.list', []],
    ['purchaseorder.add', []],
    ['customfield.client.put', []],
  ])('are those that its message, its reply and the mapping name: %s', (method, kinds) => {
    expect([...added(method)].sort()).toEqual([...kinds].sort());
  });

  it('include the kind of every record that gets a number of V1', () => {
    const { methods, kinds } = deliveredMapping();
    const creating = methods.filter(({ settle, creates }) => creates || settle?.way === 'made');
    const silent = creating.filter(({ id }) => added(id).length === 0).map(({ id }) => id);
    // The numbers of orders are texts, the same on V3.
    expect(silent).toEqual(['purchaseorder.add', 'purchaseorder.adddraft']);
    expect(kinds.has('purchaseorder')).toBe(false);
  });
});
