import { execFileSync } from 'node:child_process';
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/**
 * Fetches packages of Debian into a folder and unpacks them; nothing is installed. `settings`: further ones for apt,
 * for another architecture or release. Returns the folder with the files of the packages. Throws if they cannot be had.
 */
export function unpackedPackages(
  place: string,
  packages: readonly string[],
  settings: readonly string[],
): string {
  for (const name of ['state/lists/partial', 'cache/archives/partial', 'root'])
    mkdirSync(join(place, name), { recursive: true });
  writeFileSync(join(place, 'status'), '');
  const options = [
    ...settings,
    `Dir::State=${join(place, 'state')}`,
    `Dir::State::status=${join(place, 'status')}`,
    `Dir::Cache=${join(place, 'cache')}`,
  ].flatMap((option) => ['-o', option]);
  const apt = (...args: readonly string[]): unknown =>
    execFileSync('apt-get', [...options, ...args], { cwd: place, stdio: 'pipe' });
  apt('update');
  apt('download', ...packages);
  const root = join(place, 'root');
  for (const file of readdirSync(place).filter((name) => name.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', join(place, file), root]);
  return root;
}
