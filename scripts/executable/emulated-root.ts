import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

export const EMULATOR = '/usr/bin/qemu-aarch64-static';

/** The libraries that Node's binary is linked with. */
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1'];

/**
 * A folder with the libraries of an arm64 system, from Debian's packages; this system is not changed. Returns undefined
 * without the emulator (package qemu-user-static) or apt. Throws if the packages cannot be fetched.
 */
export function emulatedRoot(folder: string): string | undefined {
  if (!existsSync(EMULATOR) || !existsSync('/usr/bin/apt-get')) return undefined;
  const place = join(folder, 'apt');
  for (const name of ['state/lists/partial', 'cache/archives/partial', 'root'])
    mkdirSync(join(place, name), { recursive: true });
  writeFileSync(join(place, 'status'), '');
  const options = [
    'APT::Architecture=arm64',
    'APT::Architectures=arm64',
    `Dir::State=${join(place, 'state')}`,
    `Dir::State::status=${join(place, 'status')}`,
    `Dir::Cache=${join(place, 'cache')}`,
  ].flatMap((option) => ['-o', option]);
  const apt = (...args: readonly string[]): unknown =>
    execFileSync('apt-get', [...options, ...args], { cwd: place, stdio: 'pipe' });
  apt('update');
  apt('download', ...LIBRARIES.map((name) => `${name}:arm64`));
  for (const file of readdirSync(place).filter((name) => name.endsWith('.deb')))
    execFileSync('dpkg-deb', ['-x', join(place, file), join(place, 'root')]);
  return join(place, 'root');
}
