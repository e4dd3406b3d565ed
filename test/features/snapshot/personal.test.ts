import { afterEach, describe, expect, it } from '@jest/globals';
import { SnapshotWorld } from './world.ts';

const studio = {
  name: 'Harbour Lane Studio',
  accountKey: 'A000000000000000000000000000D002',
  clients: [{ number: 1_000_000, name: 'Fjord & Söhne', dateOfBirth: '1970-02-03' }],
};
const read = 'client.api/get/1000000';
const birth = (text: string): string => /<DateOfBirth>.*<\/DateOfBirth>/.exec(text)?.[0] ?? '';

describe('personal values', () => {
  afterEach(() => SnapshotWorld.closeAll());

  it.each([
    ['structure', '', undefined],
    ['all', '<DateOfBirth>1970-02-03</DateOfBirth>', expect.any(String)],
  ] as const)('with CAUSEWAY_SNAPSHOT=%s a client has %j on V2', async (mode, element, told) => {
    const world = await SnapshotWorld.open(studio, { CAUSEWAY_SNAPSHOT: mode });
    expect(birth((await world.read(read)).text)).toBe('<DateOfBirth>1970-02-03</DateOfBirth>');
    await world.move();
    const answer = await world.read(read);
    expect(answer).toMatchObject({ source: 'v2', told });
    expect(birth(answer.text)).toBe(element);
  });

  it('are what the account itself wrote since, and what they were where the write was refused', async () => {
    const world = await SnapshotWorld.open(studio, { CAUSEWAY_SNAPSHOT: 'all' });
    await world.move();
    const update = (name: string, day: string): Promise<{ readonly text: string }> =>
      world.program.put(
        'client.api/update',
        `<Client><ID>1000000</ID><Name>${name}</Name><DateOfBirth>${day}</DateOfBirth></Client>`,
      );
    expect((await update('Fjord', '19800405')).text).toContain('<Status>OK</Status>');
    expect(await world.read(read)).toMatchObject({ source: 'v2' });
    expect(birth((await world.read(read)).text)).toBe('<DateOfBirth>1980-04-05</DateOfBirth>');
    expect((await update('', '19900506')).text).toContain('<Status>ERROR</Status>');
    expect(birth((await world.read(read)).text)).toBe('<DateOfBirth>1980-04-05</DateOfBirth>');
  });
});
