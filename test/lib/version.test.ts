import { expect, it } from '@jest/globals';
import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { filesOf } from '../../src/lib/version.ts';

it('the files of a program show that a package was replaced or a clone was updated', () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-version-'));
  const packaged = (commit: string): void => {
    writeFileSync(join(folder, 'package.json'), JSON.stringify({ version: '1.0.0', commit }));
  };
  try {
    packaged('a');
    const asPackage = filesOf(folder);
    expect(asPackage.areReplaced()).toBe(false);
    packaged('b');
    expect(asPackage.areReplaced()).toBe(true);

    mkdirSync(join(folder, '.git', 'logs'), { recursive: true });
    const steps = join(folder, '.git', 'logs', 'HEAD');
    writeFileSync(steps, 'clone');
    const asClone = filesOf(folder);
    expect(asClone.areReplaced()).toBe(false);
    utimesSync(steps, 1, 1);
    expect(asClone.areReplaced()).toBe(true);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
