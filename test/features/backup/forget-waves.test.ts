import { expect, it } from '@jest/globals';
import { close } from '../../../src/features/accounts/account.ts';
import { judgeWave } from '../../../src/features/campaign/waves/brake.ts';
import { describeOnBoth } from '../../db/engines.ts';
import { event, newAccount, NOW } from '../../db/records.ts';

const brake = { holdHours: 24, mostErrorPercent: 5, mostTroubledPercent: 10 } as const;

describeOnBoth('an erased account that stopped its wave', (bench) => {
  it('is named neither by the wave nor where other accounts wait for it', async () => {
    const store = await bench.store();
    const [zed, other] = [newAccount(), newAccount()];
    await store.accounts.add({ ...zed, name: 'Mr Zed: Pipes' });
    await store.accounts.add(other);
    const name = `North: ${zed.id}`;
    await store.waves.add({
      ...{ name, position: 1, query: '', most: undefined, start: undefined, brake },
      ...{ state: 'sent', since: NOW, reason: '' },
    });
    const facts = { movedAt: undefined, isLost: false, calls: 0, errors: 0 };
    const judgement = judgeWave(
      [
        { id: zed.id, name: 'Mr Zed: Pipes', ...facts, trouble: 'a difference' },
        { id: other.id, name: other.name, ...facts, trouble: undefined },
      ],
      brake,
      NOW,
    );
    const { reason } = judgement;
    expect(reason).toContain('Mr Zed');
    await store.waves.enter(name, { from: 'sent', to: 'stopped', at: NOW, reason }, zed.id);
    const waiting = { at: NOW, kind: 'cutover.waiting', actor: 'bridge' } as const;
    await store.accounts.note(other.id, { ...waiting, detail: `its wave ${name} is stopped: ${reason}` });
    await store.accounts.note(other.id, { ...waiting, detail: 'V3 does not answer' });
    await store.accounts.change(zed.id, close, event('closed', NOW));
    expect(await store.forget(zed.id)).toMatchObject({ outcome: 'forgotten' });
    const details = (await store.accounts.timeline(other.id)).flatMap(({ kind, detail }) =>
      kind === waiting.kind ? [detail] : [],
    );
    expect(details).toEqual([`its wave ${name} is stopped`, 'V3 does not answer']);
    expect((await store.waves.list()).find((wave) => wave.name === name)).toMatchObject({
      ...{ state: 'stopped', reason: 'an account that has been erased since was in trouble' },
    });
  });
});
