import { describe, expect, it } from '@jest/globals';
import { readSettings } from '../../src/app/settings/settings.ts';
import { openServices } from '../../src/app/wiring/services.ts';
import { systemClock } from '../../src/lib/time/clock.ts';
import { silentLog } from '../../src/lib/log/log.ts';
import { completeSteps, jobSteps, lose } from '../support/writes.ts';
import { CommandLine, oauth } from './harness.ts';

interface Scene extends Disposable {
  readonly commandLine: CommandLine;
  /**
   * Of Fern: unknown, undecidable, and settled by the bridge with number 77. Of Moor: unknown, the second a change; and one
   * without its reply, whose steps were all done.
   */
  readonly ids: readonly [
    unknown: string,
    undecidable: string,
    settled: string,
    moor: string,
    changed: string,
    complete: string,
  ];
}

async function scene(): Promise<Scene> {
  const commandLine = new CommandLine(oauth);
  for (const name of ['Fern', 'Moor'])
    await commandLine.causeway(['accounts', 'add', name, '--account-key', `K-${name}`, '--api-key', 'A1']);
  const services = await openServices(readSettings({ env: commandLine.env }), {
    clock: systemClock,
    log: silentLog,
  });
  const idOf = async (name: string) => (await services.store.accounts.find(name))?.id ?? '';
  const [fern, moor] = [await idOf('Fern'), await idOf('Moor')];
  const ids = [
    await lose(services, { accountId: fern, values: { Name: 'Mill House' }, at: 1_000 }),
    await lose(services, { accountId: fern, settlement: 'undecidable', at: 2_000 }),
    await lose(services, { accountId: fern, settlement: 'done', made: '77', at: 3_000 }),
    await lose(services, { accountId: moor, at: 4_000, steps: jobSteps }),
    await lose(services, { accountId: moor, method: 'client.update', at: 500 }),
    await lose(services, { accountId: moor, settlement: 'not-done', at: 100, steps: completeSteps }),
  ] as const;
  await services.close();
  return {
    commandLine,
    ids,
    [Symbol.dispose]() {
      commandLine[Symbol.dispose]();
    },
  };
}

describe('causeway writes', () => {
  it('lists unknown and undecidable writes, and others by account and state on request', async () => {
    using all = await scene();
    const { commandLine, ids } = all;
    const listed = async (...args: readonly string[]): Promise<readonly string[]> => {
      const { out } = await commandLine.causeway(['writes', 'list', ...args, '--format', 'json']);
      return (JSON.parse(out) as readonly { readonly id: string }[]).map(({ id }) => id);
    };
    const [unknown, undecidable, settled, moor, changed, complete] = ids;
    expect(await listed()).toEqual([moor, undecidable, unknown, changed]);
    expect(await listed('--account', 'fern', '--state', 'unknown')).toEqual([unknown]);
    expect(await listed('--state', 'settled')).toEqual([settled, undecidable, complete]);
    expect(await listed('--state', 'all', '--limit', '1')).toEqual([moor]);
    expect(await listed('--state', 'all', '--before', undecidable)).toEqual([unknown, changed, complete]);
    const table = await commandLine.causeway(['writes', 'list']);
    expect(table.out).toContain('outcome unknown');
    expect(table.out).not.toContain('Mill House');
  });

  it('gives programs the state of a write in the words of the API', async () => {
    using all = await scene();
    const { commandLine, ids } = all;
    const args = ['--state', 'all', '--format', 'json'];
    const { out } = await commandLine.causeway(['writes', 'list', ...args]);
    const stands = new Map(
      (
        JSON.parse(out) as readonly {
          readonly id: string;
          readonly state: string;
          readonly settlement?: string;
        }[]
      ).map(({ id, state, settlement }) => [id, [state, settlement ?? null]]),
    );
    const [unknown, undecidable, settled] = ids;
    expect(stands.get(unknown)).toEqual(['unknown', null]);
    expect(stands.get(undecidable)).toEqual(['settled', 'undecidable']);
    expect(stands.get(settled)).toEqual(['settled', 'done']);
    const shown = await commandLine.causeway(['writes', 'show', undecidable, '--format', 'json']);
    expect(JSON.parse(shown.out)).toContainEqual({ field: 'settlement', value: 'undecidable' });
  });

  it('says of a write whose steps were all done that only its reply is missing', async () => {
    using all = await scene();
    const [, , , , , complete] = all.ids;
    const listed = await all.commandLine.causeway(['writes', 'list', '--state', 'not-done']);
    const shown = await all.commandLine.causeway(['writes', 'show', complete]);
    for (const { out } of [listed, shown]) expect(out).toContain('settled: carried out, without its reply');
    const again = await all.commandLine.causeway(['writes', 'settle', complete, '--not-done', '--yes']);
    expect(again.err).toContain('the write is settled: carried out, without its reply');
  });

  it('shows the completed steps of a write with several calls', async () => {
    using all = await scene();
    const { out, err } = await all.commandLine.causeway(['writes', 'show', all.ids[3]]);
    expect(out).toMatch(
      /step +the job was added: done \(J9\)\n.*step +the template was applied: outcome unknown/,
    );
    expect(err).toContain('Check in the service whether the template was applied');
  });

  it('shows a write with the sent values and what to do, without the keys of the call', async () => {
    using all = await scene();
    const { out, err, code } = await all.commandLine.causeway(['writes', 'show', all.ids[0]]);
    expect(code).toBe(0);
    for (const words of ['Fern', 'client.add', 'POST client.api/add', 'Mill House', all.ids[0]])
      expect(out).toContain(words);
    expect(out).not.toContain('KEY-CANARY');
    expect(err).toMatch(/[Ll]ook in the service/);
  });

  it('settles one with --yes only', async () => {
    using all = await scene();
    const { commandLine, ids } = all;
    const settle = (id: string, ...args: readonly string[]) =>
      commandLine.causeway(['writes', 'settle', id, ...args]);
    const shown = await settle(ids[0], '--done', '--number', '78');
    expect(shown.err).toContain('No record with this number is known here');
    expect(shown).toMatchObject({ code: 1 });
    expect(shown.err).toContain('as carried out, number 78; --yes does it');
    expect(await settle(ids[0], '--done', '--number', '78', '--yes')).toMatchObject({
      code: 0,
      err: 'client.add of Fern is settled: carried out, number 78\n',
    });
    expect(await settle(ids[1], '--not-done', '--yes')).toMatchObject({
      code: 0,
      err: 'client.add of Fern is settled: not carried out\n',
    });
  });

  it('explains what is wrong with its arguments', async () => {
    using all = await scene();
    const { commandLine, ids } = all;
    const wrong = async (...args: readonly string[]): Promise<string> => {
      const { code, err } = await commandLine.causeway(['writes', ...args, '--yes']);
      return `${code} ${err}`;
    };
    const [unknown, , settled, , changed] = ids;
    expect(await wrong('settle', 'nobody', '--not-done')).toMatch(/^1 .*there is no such write/);
    expect(await wrong('settle', settled, '--not-done')).toContain(
      '1 causeway: there is nothing to settle: the write is settled: carried out, number 77',
    );
    expect(await wrong('settle', unknown, '--done', '--number', '77')).toContain(
      '1 causeway: another write of the account made the record 77',
    );
    expect(await wrong('settle', unknown, '--done')).toContain(
      'client.add creates a record: give its number',
    );
    expect(await wrong('settle', unknown, '--done', '--number', '<7>')).toContain('a number must be 1 to 64');
    expect(await wrong('settle', changed, '--done', '--number', '7')).toContain(
      'client.update creates no record: leave out the number',
    );
    const preview = await commandLine.causeway(['writes', 'settle', unknown, '--done']);
    expect(preview.err).toContain('client.add creates a record: give its number');
    expect(await wrong('settle', changed, '--done')).toMatch(/^0 client.update of Moor is settled/);
    expect(await wrong('settle', unknown)).toMatch(/^2 .*give either --done or --not-done/);
    expect(await wrong('settle', unknown, '--not-done', '--number', '1')).toMatch(/^2 .*needs --done/);
  });
});
