import { expect, it } from '@jest/globals';
import { openEngine } from '../../../../src/app/migration.ts';
import { usualBrake, type Wave } from '../../../../src/features/campaign/waves/model.ts';
import { StoredWaves } from '../../../../src/features/campaign/waves/stored-waves.ts';
import { consent, lose, migrate } from '../../../../src/features/accounts/account.ts';
import { describeOnBoth } from '../../../db/engines.ts';
import { newAccount, NOW } from '../../../db/records.ts';

const binding = { grantId: 'g', organisation: { id: 'o', name: 'O' } };
const event = (kind: string, at: number) => ({ at, kind, actor: 'bridge', detail: '' });

describeOnBoth('a wave in the database', (bench) => {
  it('invites an account of it only while it is out', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const wave: Wave = {
      ...{ name: `wave ${id}`, position: 1, query: 'tag=a', most: undefined, start: undefined },
      ...{ brake: usualBrake, state: 'planned', since: NOW, reason: '' },
    };
    const engine = await openEngine(bench.url());
    const waves = new StoredWaves(engine);
    const isOut = (): Promise<boolean> => engine.db.transaction().execute((trx) => waves.isOut(id, trx));
    try {
      await waves.add(wave);
      expect(await isOut()).toBe(false);
      expect(await waves.send(wave, [id], { at: NOW, reason: '' })).toBe(true);
      expect(await isOut()).toBe(true);
      await waves.enter(wave.name, { from: 'sent', to: 'stopped', at: NOW, reason: '' });
      expect(await isOut()).toBe(false);
    } finally {
      await engine.db.destroy();
    }
  });

  it('says when its accounts moved that have lost their connection since', async () => {
    const store = await bench.store();
    const { id } = await store.accounts.add(newAccount());
    const wave: Wave = {
      ...{ name: `wave ${id}`, position: 1, query: 'tag=a', most: undefined, start: undefined },
      ...{ brake: usualBrake, state: 'planned', since: NOW, reason: '' },
    };
    await store.waves.add(wave);
    await store.waves.send(wave, [id], { at: NOW, reason: '' });
    await store.accounts.change(id, (life) => consent(life, binding), event('consented', NOW + 1));
    await store.accounts.change(id, migrate, event('migrated', NOW + 2));
    expect([...(await store.waves.movesOfLost(wave.name))]).toEqual([]);
    await store.accounts.change(id, (life) => lose(life, 'refused'), event('lost', NOW + 3));
    expect([...(await store.waves.movesOfLost(wave.name))]).toEqual([[id, NOW + 2]]);
  });
});
