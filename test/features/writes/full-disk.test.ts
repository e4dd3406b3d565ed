import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { canMount, smallDisk, type SmallDisk } from '../../../scripts/testing/small-disk.ts';
import { FIRST_ALLOTTED } from '../../../src/mapping/crosswalk/identifier.ts';
import { tradeSeed } from '../../contract/tradeSeed.ts';
import { eventually } from '../../support/clock.ts';
import { scene, type Answered, type Scene } from './settling/service.ts';

const suite = canMount() ? describe : describe.skip;
const operations = { v3: 'client.add', v2: 'v2.clients.create' } as const;

suite.each(['v3', 'v2'] as const)('the number of a record created on %s', (surface) => {
  let disk: SmallDisk;
  let all: Scene;

  beforeEach(async () => {
    const mounted = smallDisk(8);
    if (mounted === undefined) throw new Error('the disk could not be mounted');
    disk = mounted;
    all = await scene(surface, tradeSeed, {
      env: { CAUSEWAY_DATABASE_URL: `sqlite:${join(disk.folder, 'causeway.db')}` },
    });
  });

  afterEach(async () => {
    disk.empty();
    await all.close();
    disk.unmount();
  });

  const add = (name: string): Promise<Answered> =>
    all.call('POST client.api/add', `<Client><Name>${name}</Name></Client>`);
  const countOf = async (name: string): Promise<number> =>
    (await all.call(`GET client.api/search?query=${name}`)).body.split(`<Name>${name}</Name>`).length - 1;
  const struck = async (): Promise<number> => {
    const faults = (await all.sandbox.control('GET', 'faults')) as readonly { readonly struck: number }[];
    return faults.reduce((sum, fault) => sum + fault.struck, 0);
  };

  /** As another process finds it in the file. */
  function stored(number: number): unknown {
    const file = new DatabaseSync(join(disk.folder, 'causeway.db'), { readOnly: true });
    try {
      return file.prepare('select kind, origin from crosswalk where number = ?').get(number);
    } finally {
      file.close();
    }
  }

  it('is allotted although the disk filled up after the call was sent', async () => {
    await all.fault(operations[surface], { do: 'latency', ms: 2_000 });
    const answer = add('Underway');
    await eventually('the call has left', async () => ((await struck()) === 1 ? true : undefined));
    disk.fill();
    const { status, body } = await answer;
    const number = Number(/<ID>(\d+)<\/ID>/.exec(body)?.[1]);
    expect(status).toBe(200);
    expect(number).toBeGreaterThanOrEqual(FIRST_ALLOTTED);
    expect(stored(number)).toEqual({ kind: 'client', origin: 'allotted' });
  });

  it('is refused without room on the disk, and the call is not sent', async () => {
    disk.fill();
    const { status, body } = await add('Nowhere');
    expect(status).toBe(503);
    expect(body).toContain('nothing was sent');
    expect(await countOf('Nowhere')).toBe(0);
  });
});
