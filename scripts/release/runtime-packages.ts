/** The parts of `package-lock.json` that are read here. */
export interface Lock {
  readonly packages: Readonly<Record<string, LockEntry>>;
}

interface LockEntry {
  /** The package's own name, if it is installed under another one (`overrides`). */
  readonly name?: string;
  readonly version?: string;
  readonly license?: string;
  readonly integrity?: string;
  readonly dev?: boolean;
  readonly devOptional?: boolean;
  readonly optional?: boolean;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly optionalDependencies?: Readonly<Record<string, string>>;
}

/** One installed copy of a package that a bridge in production loads or may load. */
export interface RuntimePackage {
  /** In the project folder: `node_modules/express`. */
  readonly place: string;
  readonly name: string;
  readonly version: string;
  /** An SPDX expression. */
  readonly license: string;
  /** From the registry: `sha512-` and base64. */
  readonly integrity: string;
}

/** Node itself also comes from the registry, one package for each system, of which a machine installs its own. */
const isNode = (name: string): boolean => name.startsWith('node-linux-') || name.startsWith('node-win-');

const isRuntime = ([place, entry]: readonly [string, LockEntry]): boolean =>
  place !== '' && entry.dev !== true && entry.devOptional !== true;

/**
 * Everything that `npm ci --omit=dev` installs, in the order of the lock file, without Node itself: the packages whose
 * code can run in a bridge.
 */
export const runtimePackages = ({ packages }: Lock): readonly RuntimePackage[] =>
  Object.entries(packages)
    .filter(isRuntime)
    .map(([place, entry]) => runtimePackage(place, entry))
    .filter(({ name }) => !isNode(name));

function runtimePackage(place: string, entry: LockEntry): RuntimePackage {
  return {
    place,
    name: entry.name ?? place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length),
    version: entry.version ?? '',
    license: entry.license ?? '',
    integrity: entry.integrity ?? '',
  };
}

/** The paths of a direct dependency and of all its dependencies, each once. */
export function packagesBelow({ packages }: Lock, direct: string): readonly string[] {
  const found = new Set<string>();
  const visit = (from: string, name: string): void => {
    const place = nearest(packages, from, name);
    if (place === undefined || found.has(place)) return;
    found.add(place);
    const { dependencies, optionalDependencies } = packages[place] ?? {};
    for (const below of Object.keys({ ...dependencies, ...optionalDependencies })) visit(place, below);
  };
  visit('', direct);
  return [...found];
}

/** Where Node finds a package: beside the importing package, or further up. Undefined: optional and not installed. */
function nearest(packages: Lock['packages'], from: string, name: string): string | undefined {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))) {
    const place = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`;
    if (place in packages) return place;
    if (folder === '') return undefined;
  }
}
