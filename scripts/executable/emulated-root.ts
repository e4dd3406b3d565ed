import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { unpackedPackages } from '../testing/debian-packages.ts';

export const EMULATOR = '/usr/bin/qemu-aarch64-static';

/** The libraries that Node's binary is linked with. */
const LIBRARIES = ['libc6', 'libstdc++6', 'libgcc-s1'];

/**
 * A folder with the libraries of an arm64 system, from Debian's packages; this system is not changed. Returns undefined
 * without the emulator (package qemu-user-static) or apt. Throws if the packages cannot be fetched.
 */
export function emulatedRoot(folder: string): string | undefined {
  if (!existsSync(EMULATOR) || !existsSync('/usr/bin/apt-get')) return undefined;
  const packages = LIBRARIES.map((name) => `${name}:arm64`);
  return unpackedPackages(join(folder, 'apt'), packages, [
    'APT::Architecture=arm64',
    'APT::Architectures=arm64',
  ]);
}
