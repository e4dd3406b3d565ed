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
  const spool = await new SpoolFolder(folder, 1_000_000).create();
  const sent = Buffer.from('a document that comes byte by byte '.repeat(100));
  for (const byte of sent) await spool.append(Buffer.from([byte]));
  expect((await contentOf(spool)).length).toBeGreaterThan(sent.length - 1_001);
  await spool.finish();
  expect(await contentOf(spool)).toEqual(sent);
  await spool.close();
  await rm(folder, { recursive: true });
});
