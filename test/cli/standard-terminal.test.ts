import { expect, it } from '@jest/globals';
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { standardTerminal } from '../../src/cli/standard-terminal.ts';

it.each(['a new file', 'a file that everybody could read'])(
  'a command saves keys and tokens in %s for its owner only',
  async (which) => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-save-'));
    try {
      const path = join(folder, 'out.csv');
      if (which !== 'a new file') {
        writeFileSync(path, 'longer than what follows');
        chmodSync(path, 0o644);
      }
      await standardTerminal.save(path, 'short');
      expect(readFileSync(path, 'utf8')).toBe('short');
      expect(statSync(path).mode & 0o777).toBe(0o600);
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

it('a report keeps the mode of the file that it replaces', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-save-'));
  try {
    const [old, fresh] = [join(folder, 'old.html'), join(folder, 'fresh.html')];
    writeFileSync(old, 'longer than what follows');
    chmodSync(old, 0o664);
    for (const path of [old, fresh]) await standardTerminal.save(path, 'short', true);
    expect([old, fresh].map((path) => statSync(path).mode & 0o777)).toEqual([0o664, 0o600]);
    expect(readFileSync(old, 'utf8')).toBe('short');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a command can save to a device', async () => {
  await standardTerminal.save('/dev/null', 'text');
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});
