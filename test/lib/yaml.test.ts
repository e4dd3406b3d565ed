import { afterEach, describe, expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readYaml } from '../../src/lib/text/yaml.ts';

const folders: string[] = [];

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-yaml-'));
  folders.push(folder);
  return folder;
}

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

const TEXT = 'a: [1, 1.5, true, ~, "x"]\nb:\n  c: no\n';
const CONTENT = { a: [1, 1.5, true, null, 'x'], b: { c: 'no' } };

describe('a YAML file of the program', () => {
  it('is read from the cache of an earlier start, and parsed again if the text has changed', () => {
    const folder = newFolder();
    expect(readYaml(TEXT, folder)).toEqual(CONTENT);
    const [kept = ''] = readdirSync(folder);
    // Only what is kept can say this.
    writeFileSync(join(folder, kept), '{"kept":true}');
    expect(readYaml(TEXT, folder)).toEqual({ kept: true });
    expect(readYaml(`${TEXT}d: 1`, folder)).toEqual({ ...CONTENT, d: 1 });
  });

  it('is parsed and cached again if the cache is damaged', () => {
    const folder = newFolder();
    readYaml(TEXT, folder);
    const [kept = ''] = readdirSync(folder);
    const path = join(folder, kept);
    for (const damaged of ['', readFileSync(path, 'utf8').slice(0, -3), '\0'.repeat(50)]) {
      writeFileSync(path, damaged);
      expect(readYaml(TEXT, folder)).toEqual(CONTENT);
      expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual(CONTENT);
    }
  });

  it('is read even if nothing can be cached, and leaves no partial file', () => {
    const folder = newFolder();
    writeFileSync(join(folder, 'file'), '');
    chmodSync(join(folder, 'file'), 0o400);
    expect(readYaml(TEXT, join(folder, 'file', 'below'))).toEqual(CONTENT);
    expect(readdirSync(folder)).toEqual(['file']);
  });

  it('is cached only if it is YAML without a duplicate key', () => {
    const folder = newFolder();
    for (const text of ['a: [', 'a: 1\na: 2']) expect(() => readYaml(text, folder)).toThrow();
    expect(readdirSync(folder)).toEqual([]);
  });
});
