import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/app/settings/settings.ts';
import { systemClock } from '../../src/lib/clock.ts';
import { silentLog } from '../../src/lib/log.ts';
import { openHouse } from '../../src/app/wiring/house.ts';
import { approve } from '../support/awaiting.ts';
import { Desk, oauth } from './harness.ts';

/** Two accounts whose consents wait. */
async function waiting(): Promise<Desk> {
  const desk = new Desk(oauth);
  for (const name of ['Fern', 'Moor'])
    await desk.causeway(['accounts', 'add', name, '--account-key', `K-${name}`, '--api-key', 'A1']);
  const house = await openHouse(readSettings({ env: desk.env }), { clock: systemClock, log: silentLog });
  for (const name of ['Fern', 'Moor'])
    await approve(house, (await house.store.accounts.find(name))?.id ?? '', {
      organisation: { id: `org-${name}`, name: `${name} Ltd` },
      email: 'ana@x.example',
      findings: ['name', 'nothingToCompare'],
    });
  await house.close();
  return desk;
}

const stageOf = async (desk: Desk, name: string): Promise<unknown> =>
  (JSON.parse((await desk.causeway(['accounts', 'show', name, '--format', 'json'])).out) as { stage: string })
    .stage;

describe('causeway consents', () => {
  it('lists what waits, with what speaks for and against it', async () => {
    using desk = await waiting();
    const { code, out } = await desk.causeway(['consents', 'list', '--format', 'json']);
    expect(code).toBe(0);
    expect(JSON.parse(out)).toMatchObject([
      {
        account: 'Fern',
        organisation: 'Fern Ltd',
        person: 'Ana Whitcombe',
        email: 'ana@x.example',
        for: 'the names are alike',
        against: 'there was no client of V1 that could be looked for',
        organisationId: 'org-Fern',
      },
      { account: 'Moor' },
    ]);
    expect((await desk.causeway(['status'])).out).toContain('awaiting-operator 2');
    expect((await desk.causeway(['accounts', 'show', 'Fern'])).out).toContain(
      'Fern Ltd (org-Fern), not confirmed',
    );
  });

  it('says what would happen, and does it with --yes only', async () => {
    using desk = await waiting();
    const shown = await desk.causeway(['consents', 'confirm', 'Fern']);
    expect(shown.code).toBe(1);
    expect(shown.out).toContain('Fern Ltd, approved by Ana Whitcombe (ana@x.example)');
    expect(shown.err).toContain('--yes does it');
    expect(await stageOf(desk, 'Fern')).toBe('awaiting-operator');
    const done = await desk.causeway(['consents', 'confirm', 'Fern', '--yes']);
    expect(done).toMatchObject({ code: 0, err: '1 confirmed, 0 left as they are\n' });
    expect(await stageOf(desk, 'Fern')).toBe('consented');
    expect(await stageOf(desk, 'Moor')).toBe('awaiting-operator');
  });

  it('refuses all that wait, and fails for one that was named and waits for nobody', async () => {
    using desk = await waiting();
    const all = await desk.causeway(['consents', 'refuse', '--all', '--yes']);
    expect(all).toMatchObject({ code: 0, err: '2 refused, 0 left as they are\n' });
    for (const name of ['Fern', 'Moor']) expect(await stageOf(desk, name)).toBe('legacy');
    const before = await desk.causeway(['consents', 'refuse', 'Fern']);
    expect(before.code).toBe(1);
    expect(before.err).toContain('--yes would change nothing');
    expect(before.err).not.toContain('would be refused');
    const again = await desk.causeway(['consents', 'refuse', 'Fern', '--yes']);
    expect(again.code).toBe(1);
    expect(again.out).toContain('no consent of it waits for you');
    expect((await desk.causeway(['consents', 'list'])).out).toBe('No consent waits for you.\n');
    expect((await desk.causeway(['consents', 'confirm'])).code).toBe(2);
  });
});
