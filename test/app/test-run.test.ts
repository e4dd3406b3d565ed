import { spawnSync } from 'node:child_process';
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, expect, it } from '@jest/globals';
import { costLines } from '../../scripts/testing/cost.ts';
import { memoryScratch } from '../../scripts/testing/scratch.ts';
import { placeOf } from '../../scripts/testing/long-first.ts';
import { installMissing, needs, provide } from '../../scripts/testing/needs.ts';
import { ordersIn } from '../../scripts/testing/orders.ts';
import { progressWords } from '../../scripts/testing/progress-reporter.ts';
import { seedIn } from '../../scripts/testing/seed.ts';
import { smallDisk } from '../../scripts/testing/small-disk.ts';
import { titleFaults } from '../../scripts/testing/titles.ts';
import { ignoring, leftOut, long, release, slow, type Tier } from '../../scripts/testing/tiers.ts';
import { exitCodeOf } from '../../scripts/testing/verdict.ts';
import { chromiumPath } from '../support/chromium-path.ts';

describe('npm test', () => {
  it('fails under CI if something it needs is missing, and only there', () => {
    expect(exitCodeOf(0, ['SKIPPED'], true)).toBe(1);
    expect(exitCodeOf(0, ['SKIPPED'], false)).toBe(0);
    expect(exitCodeOf(0, [], true)).toBe(0);
    expect(exitCodeOf(3, ['SKIPPED'], true)).toBe(3);
    expect(exitCodeOf(3, [], false)).toBe(3);
  });

  it.each([
    [['a.test.ts'], ['a.test.ts'], undefined],
    [['--seed', '7', 'a.test.ts'], ['a.test.ts'], 7],
    [['a.test.ts', '--seed=7'], ['a.test.ts'], 7],
    [['--seed', 'random', '--json'], ['--json'], 4711],
  ])('takes the seed from %j', (given, args, seed) => {
    expect(seedIn(given, () => 4711)).toEqual({ args, seed });
  });

  it.each([['--seed'], ['--seed', 'x'], ['--seed=-1']])('refuses the seed of %j %j', (...given) => {
    expect(() => seedIn(given)).toThrow(RangeError);
  });

  it('counts its finished suites now and then, except on a terminal, where jest does', () => {
    expect(progressWords(120, 344, false)).toBe('120 of 344 suites');
    expect(progressWords(121, 344, false)).toBeUndefined();
    expect(progressWords(120, 120, false)).toBeUndefined();
    expect(progressWords(120, 344, true)).toBeUndefined();
  });

  it('gives an event of a suite only to the handlers of that suite, however many the process ran before', () => {
    const left = Object.getOwnPropertySymbols(globalThis).map(({ description }) => description);
    expect(left.filter((name) => name === 'JEST_STATE_SYMBOL')).toHaveLength(1);
    const handlers = Reflect.get(globalThis, Symbol.for('EVENT_HANDLERS')) as readonly unknown[];
    expect(handlers.length).toBeLessThan(10);
  });

  it('generates every case from one seed: no test uses fast-check by itself', () => {
    const tests = join(import.meta.dirname, '..');
    const own = readdirSync(tests, { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.ts') && file !== join('support', 'random.ts'))
      .filter((file) => readFileSync(join(tests, file), 'utf8').includes("from 'fast-check'"));
    expect(own.filter((file) => file !== join('app', 'test-run.test.ts'))).toEqual([]);
  });
});

it('the example of CONTRIBUTING.md for -t names a test that exists', () => {
  const root = join(import.meta.dirname, '..', '..');
  const [, name = ''] =
    /npm test -- -t "([^"]+)"/.exec(readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')) ?? [];
  const suites = readdirSync(join(root, 'test', 'features', 'campaign'), {
    recursive: true,
    encoding: 'utf8',
  });
  const titles = suites
    .filter((file) => file.endsWith('.test.ts'))
    .flatMap((file) => readFileSync(join(root, 'test', 'features', 'campaign', file), 'utf8').split('\n'))
    .filter((line) => line.trim().startsWith('it('));
  expect(name).not.toBe('');
  expect(titles.some((line) => line.includes(name))).toBe(true);
});

describe('the browser of the tests', () => {
  it('is the one that CAUSEWAY_TEST_CHROMIUM names, and none if it is empty, whatever is installed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-chromium-'));
    const installed = join(folder, 'chromium');
    writeFileSync(installed, '#!/bin/sh\n', { mode: 0o755 });
    const found = (CAUSEWAY_TEST_CHROMIUM?: string) =>
      chromiumPath({ PATH: folder, ...(CAUSEWAY_TEST_CHROMIUM !== undefined && { CAUSEWAY_TEST_CHROMIUM }) });
    try {
      expect([found('/opt/chrome'), found(''), found()]).toEqual(['/opt/chrome', undefined, installed]);
    } finally {
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the tiers of npm test', () => {
  /** As jest reads `--testPathIgnorePatterns`. */
  const runs = (tier: Tier, suite: string): boolean =>
    !ignoring(leftOut(tier)).some((option) =>
      new RegExp(option.slice(option.indexOf('=') + 1)).test(`/clone/${suite}`),
    );

  it('name only suites and folders that exist', () => {
    const root = join(import.meta.dirname, '..', '..');
    expect(
      [...release, ...long, ...slow].map(({ path }) => path).filter((path) => !existsSync(join(root, path))),
    ).toEqual([]);
  });

  it('leave a long suite to CI, the longest to --all, and a slow one out of --quick', () => {
    const every = ['quick', 'usual', 'ci', 'all'] as const;
    const taken = (suite: string) => every.filter((tier) => runs(tier, suite));
    expect(taken('test/journey/whole-campaign.test.ts')).toEqual(['all']);
    expect(taken('test/journey/instances.test.ts')).toEqual(['ci', 'all']);
    expect(taken('test/demo/demo.test.ts')).toEqual(['usual', 'ci', 'all']);
    expect(taken('test/features/writes/settling/lost-changes.test.ts')).toEqual(['usual', 'ci', 'all']);
    expect(taken('test/features/campaign/notice.test.ts')).toEqual(every);
  });

  it('begin with the long suites, then with those that mostly wait, and end with the short ones', () => {
    const suites = [
      'test/journey/instances.test.ts',
      'test/features/writes/settling/lost-changes.test.ts',
      'test/demo/demo.test.ts',
      'test/lib/sorted.test.ts',
    ];
    expect(suites.toReversed().toSorted((a, b) => placeOf(a) - placeOf(b))).toEqual(suites);
  });

  it.each([
    [[], 'usual', []],
    [['--quick', 'campaign'], 'quick', ['campaign']],
    [['--ci'], 'ci', []],
    [['--all'], 'all', []],
    [['campaign'], 'named', ['campaign']],
    [['-t', 'an expired invitation'], 'usual', ['-t', 'an expired invitation']],
    [['--json', '--outputFile', 'x.json'], 'usual', ['--json', '--outputFile', 'x.json']],
  ])('take %j for the tier %s', (given, tier, args) => {
    expect(ordersIn(given)).toEqual({ args, seed: undefined, tier, mayInstall: true, cost: false });
  });

  it('cannot be combined', () => {
    expect(() => ordersIn(['--quick', '--all'])).toThrow(RangeError);
  });

  it('show a summary of coverage only on request', () => {
    expect(ordersIn(['--coverage']).args).toContain('--coverageReporters=text-summary');
    expect(ordersIn(['--quick']).args).toEqual([]);
  });

  it('take --no-install, with which nothing is installed', () => {
    expect(ordersIn(['--no-install'])).toMatchObject({ args: [], mayInstall: false });
    expect(provide({ ...needs.redis, find: () => undefined }, false)).toBeUndefined();
  });
});

describe('the missing system packages', () => {
  it('are installed by one call of apt, if installing is allowed', () => {
    const folder = mkdtempSync(join(tmpdir(), 'causeway-apt-'));
    const { PATH } = process.env;
    const calls = join(folder, 'calls');
    writeFileSync(join(folder, 'apt-get'), `#!/bin/sh\necho "$*" >> ${calls}\n`, { mode: 0o755 });
    writeFileSync(calls, '');
    process.env.PATH = `${folder}:${String(PATH)}`;
    try {
      const [redis, php] = [needs.redis, needs.php].map((need) => ({ ...need, find: () => undefined }));
      const there = { ...needs.nginx, find: () => '/usr/sbin/nginx' };
      if (redis && php) installMissing([redis, there, php], true);
      const told = readFileSync(calls, 'utf8').replaceAll(/(?<= |^)-\S+ (\S+=\S+ )?/gm, '');
      expect(told).toBe(process.getuid?.() === 0 ? 'update\ninstall redis-server php-cli php-curl\n' : '');
    } finally {
      process.env.PATH = PATH;
      rmSync(folder, { recursive: true });
    }
  });
});

describe('the cost of the suites', () => {
  it('is listed with the most expensive first, including the processes they started', () => {
    const [cheap, dear] = [
      { suite: 'a.test.ts', own: 2, children: 0, wall: 90 },
      { suite: 'b.test.ts', own: 1, children: 5.5, wall: 3 },
    ];
    const [sum, first] = costLines(`${JSON.stringify(cheap)}\n${JSON.stringify(dear)}\n`);
    expect(sum).toContain('all suites 9');
    expect(first).toBe('    6.5     3.0  b.test.ts');
  });
});

describe('the folder that suites write to', () => {
  it('lies in memory or nowhere, and is removed afterwards', () => {
    const scratch = memoryScratch();
    expect(scratch === undefined || existsSync(scratch.folder)).toBe(true);
    scratch?.remove();
    expect(scratch !== undefined && existsSync(scratch.folder)).toBe(false);
  });

  it('lies in memory, too, after a run that was killed while a small disk was mounted in its folder', () => {
    const usual = memoryScratch();
    usual?.remove();
    if (usual === undefined) return; // this machine has no room
    const { pid } = spawnSync('true');
    const left = join(dirname(usual.folder), `causeway-tests-${pid}`);
    mkdirSync(left);
    const { TMPDIR } = process.env;
    process.env.TMPDIR = left;
    const disk = smallDisk();
    try {
      const next = memoryScratch();
      next?.remove();
      expect([next?.folder, existsSync(left)]).toEqual([usual.folder, false]);
    } finally {
      if (TMPDIR === undefined) delete process.env.TMPDIR;
      else process.env.TMPDIR = TMPDIR;
      if (existsSync(left)) disk?.unmount();
      rmSync(left, { recursive: true, force: true });
    }
  });
});

describe('the name of a test', () => {
  const faultsOf = (...parts: readonly string[]): readonly string[] => titleFaults([parts]);

  it.each([
    ['a link', 'is spent by the first click'],
    ['jobs in a list', 'never show a task that was deleted'],
    ['a caller who goes away', 'while a read is out: it ends there'],
    ['the package holds JavaScript, and no tests'],
    ['a file of settings', 'distinguishes absent from empty'],
  ])('passes if it is a sentence: %s %s', (...parts) => {
    expect(faultsOf(...parts)).toEqual([]);
  });

  it.each([
    ['are exact, of any size and sign', 'it has no subject'],
    ['writes down what it does', 'it has no subject'],
    ['amounts', 'of 1.00 at 10.00 with 15.00 per cent tax', 'it has no verb'],
    ['a link', 'of display access', 'it has no verb'],
    ['keys', 'refused', 'fewer than three words'],
  ])('is refused if it is not a sentence: %s %s', (...parts) => {
    expect(faultsOf(...parts.slice(0, -1)).join()).toContain(parts.at(-1));
  });

  it('is refused if another test of its suite has it', () => {
    const title = ['a link', 'is spent by the first click'];
    expect(titleFaults([title, title])).toHaveLength(1);
    expect(titleFaults([title, title]).join()).toContain('another test of the suite has this name');
  });
});
