import { describe, expect, it } from '@jest/globals';
import { ESLint } from 'eslint';
import { readFileSync } from 'node:fs';
import { join, matchesGlob } from 'node:path';

type Rules = Readonly<Record<string, unknown>>;

interface OxlintConfig {
  readonly rules: Rules;
  readonly overrides: readonly { readonly files: readonly string[]; readonly rules: Rules }[];
}

/** Rules that oxlint does not know: `npm run release:check` runs eslint itself. */
const ONLY_ESLINT = ['no-unsafe-class-instance-assignment'];

const project = join(import.meta.dirname, '..', '..');
const oxlint = JSON.parse(readFileSync(join(project, '.oxlintrc.json'), 'utf8')) as OxlintConfig;
const eslint = new ESLint({ cwd: project });

/** What is on, each rule with its options: the two say the same in several ways. */
const enabled = (rules: Rules): Rules =>
  Object.fromEntries(
    Object.entries(rules).flatMap(([id, setting]) => {
      const [severity, ...options] = (Array.isArray(setting) ? setting : [setting]) as readonly unknown[];
      if (severity === 'off' || severity === 0) return [];
      const name = id.slice(id.lastIndexOf('/') + 1);
      return [[name, options.filter((one) => JSON.stringify(one) !== '{}')]];
    }),
  );

async function ofEslint(file: string): Promise<Rules> {
  const { rules } = (await eslint.calculateConfigForFile(join(project, file))) as { readonly rules: Rules };
  return enabled(rules);
}

function ofOxlint(file: string): Rules {
  const fitting = oxlint.overrides.filter(({ files }) => files.some((glob) => matchesGlob(file, glob)));
  return enabled(Object.assign({}, oxlint.rules, ...fitting.map(({ rules }) => rules)) as Rules);
}

describe('the fast linter', () => {
  it.each([
    'src/main.ts',
    'src/cli/program.ts',
    'src/demo/main.ts',
    'test/lib/one.test.ts',
    'scripts/check.ts',
  ])('has every rule of eslint.config.js for %s that it supports, with the same options', async (file) => {
    const wanted = Object.entries(await ofEslint(file)).filter(([name]) => !ONLY_ESLINT.includes(name));
    expect(ofOxlint(file)).toEqual(Object.fromEntries(wanted));
  });
});
