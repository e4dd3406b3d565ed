import { afterEach, beforeEach, describe, expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
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
});
