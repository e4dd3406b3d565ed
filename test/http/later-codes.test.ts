import { describe, expect, it } from '@jest/globals';
import { DatabaseSync } from 'node:sqlite';
import { campaignOf } from '../../src/app/wiring/features/campaign.ts';
import { DAY } from '../../src/lib/time/clock.ts';
import { KnobPostman } from '../features/campaign/harness.ts';
import { lose } from '../support/writes.ts';
import { Office } from './api-harness.ts';
import { openConsole, type ConsoleSetting } from './console-setting.ts';

/** What a later version has left in the database. */
function change({ services }: Pick<ConsoleSetting, 'services'>, ...statements: readonly string[]): void {
  using file = new DatabaseSync(services.settings.database.reveal().slice('sqlite:'.length));
  for (const statement of statements) file.exec(statement);
}

/** `all`: pages that have the code, and others. */
async function shown(setting: ConsoleSetting, all: readonly string[], others: readonly string[] = []) {
  const browser = await setting.signedIn('rea');
  for (const path of [...all, ...others]) {
    const { status, text } = await browser.get(path);
    const found = { status, shows: text.includes('later &lt;b&gt;code'), lacks: text.includes('undefined') };
    expect({ path, ...found }).toEqual({ path, status: 200, shows: all.includes(path), lacks: false });
  }
}

const fails = (_id: string, error: unknown): never => {
  throw error as Error;
};

const invited = async (): Promise<readonly [ConsoleSetting, string]> => {
  const setting = await openConsole({ postman: new KnobPostman() });
  const id = await setting.add('Rata Works', 'rata@example.com');
  await setting.admin.perform({ action: 'invite' }, [id], 'ada');
  return [setting, id];
};

describe('an unknown code of a later version is shown unchanged', () => {
  it('as the state of an e-mail, and its account is still invited and reminded', async () => {
    const [setting, id] = await invited();
    change(setting, `update outbox set state = 'later_<b>code'`);
    await shown(setting, [`/accounts/${id}`], ['/accounts', '/campaign', '']);
    setting.clock.advance(5 * DAY);
    const campaign = campaignOf(setting.services);
    expect(await campaign.invite(id, 'ada', true)).toMatchObject({ outcome: 'left', reason: 'underWay' });
    expect(await campaign.remind(id, 'ada', true)).toMatchObject({ outcome: 'queued' });
    await campaign.job(undefined, fails);
    expect(await setting.services.store.campaign.messages(id)).toMatchObject([
      { kind: 'invitation', fate: { state: 'later_<b>code' } },
      { kind: 'reminder' },
    ]);
  });

  it('as the stage of an account, for which nothing is done', async () => {
    const [setting, id] = await invited();
    change(setting, `update accounts set stage = 'later_<b>code'`);
    const page = `/accounts/${id}`;
    await shown(setting, [page, '/accounts'], [`${page}/parity`, `${page}/rehearsal`, '']);
    const { store } = setting.services;
    const campaign = campaignOf(setting.services);
    expect(await campaign.remind(id, 'ada')).toMatchObject({ outcome: 'left', reason: 'laterStage' });
    setting.clock.advance(30 * DAY);
    await campaign.job(undefined, fails);
    expect(await store.campaign.run(id)).toMatchObject({ state: 'running' });
    await expect(setting.services.accounts.invite(id)).rejects.toThrow('at the stage later_<b>code');
    const { stages } = (await setting.admin.statusReport()).totals;
    expect(Object.values(stages)).toEqual(Object.values(stages).map(() => 0));
    await expect(setting.services.accounts.close(id)).rejects.toThrow('later_<b>code');
  });

  it('as the state of a wave, of an imported token, and as what a program knows of its write', async () => {
    const setting = await openConsole();
    const id = await setting.add('Rata Works', 'rata@example.com');
    const write = await lose(setting.services, { accountId: id });
    change(
      setting,
      `insert into waves values ('One', 1, '', null, null, 24, 5, 5, 'later_<b>code', 0, '')`,
      `insert into wave_accounts (account_id, wave) values ('${id}', 'One')`,
      `insert into grant_imports values ('i', '${id}', 'x', 'later_<b>code', null, null, '[]', 'ada', 0, 0)`,
      `update writes set caller = 'later_<b>code'`,
    );
    await shown(setting, ['/campaign', `/accounts/${id}`, '/accounts', '/grants', `/writes/${write}`]);
  });
});

it('the page of a customer asks to come back, if the stage is one of a later version', async () => {
  const office = await Office.open({ CAUSEWAY_EMBED_ORIGINS: 'https://portal.example.com' });
  try {
    const id = await office.addAccount('Rata Works');
    const { json } = await office.call(`/accounts/${id}/status-token`, { verb: 'POST' });
    change(office.bridge, `update accounts set stage = 'later_<b>code' where id = '${id}'`);
    const page = await fetch(`${office.bridge.url}${String(json.page)}`);
    const text = await page.text();
    expect([page.status, text.includes('undefined'), text.includes('later_')]).toEqual([200, false, false]);
    expect(text).toContain('Please try again in a few minutes');
  } finally {
    await office.stop();
  }
});
