import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import {
  chmodSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkNewFolder, writeFolder } from '../../src/app/tools/new-folder.ts';

let parent: string;

beforeEach(() => {
  parent = mkdtempSync(join(tmpdir(), 'causeway-folder-'));
});

afterEach(() => {
  rmSync(parent, { recursive: true });
});

const files = new Map([['a/b.txt', 'text']]);

describe('a folder of results', () => {
  it('fills an empty one whose name a shell has completed with a slash', async () => {
    mkdirSync(join(parent, 'out'));
    await writeFolder(`${join(parent, 'out')}/`, files);
    expect(readFileSync(join(parent, 'out/a/b.txt'), 'utf8')).toBe('text');
    expect(readdirSync(parent)).toEqual(['out']);
  });

  it('leaves nothing behind if there is one with something in it', async () => {
    mkdirSync(join(parent, 'out/other'), { recursive: true });
    await expect(writeFolder(join(parent, 'out'), files)).rejects.toThrow('ENOTEMPTY');
    expect(readdirSync(parent)).toEqual(['out']);
  });

  it('is written before the work begins, and then is as it was', async () => {
    const name = 'x'.repeat(250);
    await expect(checkNewFolder(join(parent, name))).rejects.toThrow(/cannot be written: ENAMETOOLONG/);
    expect(readdirSync(parent)).toEqual([]);
    await checkNewFolder(join(parent, 'out'));
    expect(readdirSync(parent)).toEqual([]);
    mkdirSync(join(parent, 'out'));
    await checkNewFolder(join(parent, 'out'));
    expect(readdirSync(parent)).toEqual(['out']);
  });

  it('is tried without leaving the folders around it that were made', async () => {
    await checkNewFolder(join(parent, 'a/b/out'));
    expect(readdirSync(parent)).toEqual([]);
    await expect(checkNewFolder(join(parent, 'a', 'b', 'x'.repeat(250)))).rejects.toThrow(/ENAMETOOLONG/);
    expect(readdirSync(parent)).toEqual([]);
    mkdirSync(join(parent, 'a'));
    await checkNewFolder(join(parent, 'a/b/out'));
    expect(readdirSync(parent, { recursive: true })).toEqual(['a']);
  });

  it('is tried without replacing an empty one', async () => {
    const out = join(parent, 'out');
    mkdirSync(out);
    chmodSync(out, 0o2775);
    const { ino, mode } = statSync(out);
    await checkNewFolder(out);
    expect(statSync(out)).toMatchObject({ ino, mode });
  });

  it('cannot take the place of a link to an empty one', async () => {
    mkdirSync(join(parent, 'out'));
    symlinkSync('out', join(parent, 'link'));
    await expect(checkNewFolder(join(parent, 'link'))).rejects.toThrow(/cannot be written: .*link/);
    expect(readdirSync(parent)).toEqual(['link', 'out']);
  });
});
