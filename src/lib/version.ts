import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** The version in the package.json of a folder; for a package, with the commit it was built from. */
export function versionOf(folder: string): string {
  const text = readFileSync(join(folder, 'package.json'), 'utf8');
  const { version, commit } = JSON.parse(text) as { readonly version: string; readonly commit?: string };
  return commit === undefined ? version : `${version} (${commit})`;
}
