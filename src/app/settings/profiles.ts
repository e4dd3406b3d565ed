import { join } from 'node:path';
import { readYaml } from '../../lib/text/yaml.ts';
import { profileSchema, type Profile } from '../../upstream/profile.ts';
import type { ReadText } from './sources.ts';

/** The profiles that ship with the program; `spec` combines everything the specification describes. */
export const builtInProfiles = ['spec', 'a', 'b'] as const;

const folder = join(import.meta.dirname, '..', '..', '..', 'mappings', 'profiles');

/** The file of a profile, by built-in name or path. */
export const profilePath = (nameOrPath: string): string =>
  builtInProfiles.some((name) => name === nameOrPath) ? join(folder, `${nameOrPath}.yaml`) : nameOrPath;

/** Values that are allowed individually but not together. */
function contradictions({ durations, v3 }: Profile): readonly string[] {
  return [
    ...(durations.lease > durations.refreshTimeout
      ? []
      : ['durations.lease must be longer than durations.refreshTimeout']),
    ...(durations.refreshAhead < durations.access
      ? []
      : ['durations.refreshAhead must be shorter than durations.access']),
    ...(durations.keepAlive < durations.refresh
      ? []
      : ['durations.keepAlive must be shorter than durations.refresh']),
    ...('default' in v3.pageSizes ? [] : ['v3.pageSizes.default is missing']),
  ];
}

/** By built-in name or path. Returns its faults, as texts, if it cannot be used. */
export function loadProfile(nameOrPath: string, readText: ReadText): Profile | readonly string[] {
  let content: string;
  try {
    content = readText(profilePath(nameOrPath));
  } catch {
    return [`is neither ${builtInProfiles.join(', ')} nor a file that can be read`];
  }
  let document: unknown;
  try {
    document = readYaml(content);
  } catch (error) {
    return [`is not YAML: ${error instanceof Error ? (error.message.split('\n')[0] ?? '') : ''}`];
  }
  const read = profileSchema.safeParse(document);
  if (!read.success)
    return read.error.issues.map(({ path, message }) => `${path.join('.') || 'the file'}: ${message}`);
  const faults = contradictions(read.data);
  return faults.length > 0 ? faults : read.data;
}
