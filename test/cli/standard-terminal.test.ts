import { expect, it } from '@jest/globals';
import {
  chmodSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { standardTerminal } from '../../src/cli/standard-terminal.ts';
import { CommandLine } from './harness.ts';

const bin = join(import.meta.dirname, '../../src/cli/bin.js');

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
    for (const path of [old, fresh]) await standardTerminal.save(path, 'short', { keepsMode: true });
    expect([old, fresh].map((path) => statSync(path).mode & 0o777)).toEqual([0o664, 0o600]);
    expect(readFileSync(old, 'utf8')).toBe('short');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a command that may replace no file saves only under a free name', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-save-'));
  try {
    const path = join(folder, 'out.csv');
    await standardTerminal.save(path, 'first', { keepsFile: true });
    expect(statSync(path).mode & 0o777).toBe(0o600);
    await expect(standardTerminal.save(path, 'second', { keepsFile: true })).rejects.toMatchObject({
      code: 'EEXIST',
    });
    expect(readFileSync(path, 'utf8')).toBe('first');
  } finally {
    rmSync(folder, { recursive: true });
  }
});

it('a command can save to a device', async () => {
  for (const keepsFile of [false, true]) await standardTerminal.save('/dev/null', 'text', { keepsFile });
  expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
});

/** The exit code of a command as a process of its own, with this standard output, and its standard error. */
async function ended(env: NodeJS.ProcessEnv, args: readonly string[], output: 'pipe' | number) {
  const child = spawn(process.execPath, [bin, ...args], { env, stdio: ['ignore', output, 'pipe'] });
  child.stdout?.destroy();
  let messages = '';
  child.stderr?.on('data', (chunk) => (messages += String(chunk)));
  await once(child, 'close');
  return { code: child.exitCode, messages };
}

it('a command whose reader has gone finishes its work, and exits like a program ended by SIGPIPE', async () => {
  using line = new CommandLine();
  const list = line.file('list.csv', 'name,account_key\nOne,key-1\nTwo,key-2\nThree,key-3\n');
  expect(await line.causeway(['accounts', 'import', list])).toMatchObject({ code: 0 });
  const close = ['accounts', 'close', 'One', 'Two', 'Three', '--yes'];
  expect(await ended(line.env, close, 'pipe')).toEqual({ code: 141, messages: '' });
  const { out } = await line.causeway(['accounts', 'list', '--stage', 'closed', '--format', 'json']);
  expect(JSON.parse(out)).toHaveLength(3);
});

it('a command whose output cannot be written says so and fails', async () => {
  const full = openSync('/dev/full', 'w');
  try {
    const { code, messages } = await ended({}, ['keys', 'generate'], full);
    expect(messages).toBe('causeway: the output cannot be written: ENOSPC: no space left on device, write\n');
    expect(code).toBe(1);
  } finally {
    closeSync(full);
  }
});
