import { expect, it } from '@jest/globals';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { SpoolFolder, type Spool } from '../../../src/features/writes/documents/spool.ts';

async function contentOf(spool: Spool): Promise<Buffer> {
  const pieces: Buffer[] = [];
  for await (const piece of spool.pieces()) pieces.push(piece);
  return Buffer.concat(pieces);
}

it('a document in very short pieces is not kept in memory', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-spool-'));
  const spool = await new SpoolFolder(folder, 1_000_000).create('account-1');
  const sent = Buffer.from('a document that comes byte by byte '.repeat(100));
  for (const byte of sent) await spool.append(Buffer.from([byte]));
  expect((await contentOf(spool)).length).toBeGreaterThan(sent.length - 1_001);
  await spool.finish();
  expect(await contentOf(spool)).toEqual(sent);
  await spool.close();
  await rm(folder, { recursive: true });
});

it('documents of one account leave room for those of others, except its oldest', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'causeway-spool-'));
  const spools = new SpoolFolder(folder, 1_000_000);
  const [first, second] = [await spools.create('account-1'), await spools.create('account-1')];
  const others = await spools.create('account-2');
  await first.append(Buffer.alloc(400_000));
  await second.append(Buffer.alloc(200_000));
  await expect(second.append(Buffer.alloc(100_000))).rejects.toMatchObject({ code: 'busy' });
  await others.append(Buffer.alloc(300_000));
  await first.append(Buffer.alloc(100_000));
  await expect(first.append(Buffer.alloc(1))).rejects.toMatchObject({ code: 'busy' });
  await first.close();
  await second.append(Buffer.alloc(300_000));
  await second.close();
  await second.close();
  await others.append(Buffer.alloc(700_000));
  await others.close();
  expect(spools.held).toBe(0);
  await rm(folder, { recursive: true });
});
