import { execFileSync, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { unpackedPackages } from '../testing/debian-packages.ts';

const PACKAGE = 'docker-compose';
const PLUGIN = 'usr/libexec/docker/cli-plugins/docker-compose';
/** The first release of Debian whose package is Compose 2; its program also runs on the release before. */
const SUITE = 'trixie';
const KEYRING = '/usr/share/keyrings/debian-archive-keyring.gpg';

/**
 * The environment in which `docker compose` is Compose 2. If it is not on this machine, it is taken from the package of
 * Debian 13, which is fetched into `folder` from the mirror of this machine.
 */
export function withCompose2(folder: string): NodeJS.ProcessEnv {
  // Compose 1 is a program of its own and never a plugin.
  if (spawnSync('docker', ['compose', 'version'], { stdio: 'ignore' }).status === 0) return process.env;
  const settings = join(folder, 'docker');
  const plugins = join(settings, 'cli-plugins');
  mkdirSync(plugins, { recursive: true });
  const sources = join(folder, 'sources.list');
  writeFileSync(sources, `deb [signed-by=${KEYRING}] ${mirror()} ${SUITE} main\n`);
  const files = unpackedPackages(
    join(folder, 'apt'),
    [PACKAGE],
    [
      `Dir::Etc::sourcelist=${sources}`,
      'Dir::Etc::sourceparts=/dev/null',
      'Dir::Etc::preferencesparts=/dev/null',
      'APT::Update::Error-Mode=any',
    ],
  );
  copyFileSync(join(files, PLUGIN), join(plugins, PACKAGE));
  return { ...process.env, DOCKER_CONFIG: settings };
}

/** The address of the archive in the settings of apt. */
function mirror(): string {
  const wanted = ['Identifier: Packages', 'Component: main'];
  const targets = execFileSync('apt-get', ['indextargets', '--format', '$(LABEL) $(REPO_URI)', ...wanted], {
    encoding: 'utf8',
  });
  const [, address] = /^Debian (\S+)$/m.exec(targets) ?? [];
  if (address === undefined)
    throw new Error('apt knows no archive of Debian: run this on a Debian, after apt-get update');
  return address;
}
