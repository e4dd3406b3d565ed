import type { RuntimePackage } from './runtime-packages.ts';

/** The name of a release, and when it was made. */
export interface Release {
  readonly version: string;
  /** The commit of the sources, from git; undefined without git. */
  readonly commit: string | undefined;
  /** Version of the Node inside the executables and the image. */
  readonly node: string;
  readonly madeAt: Date;
}

/**
 * The bill of materials, as CycloneDX 1.6 (https://cyclonedx.org/docs/1.6/json/): every package whose code is in the
 * artefacts, and Node, which is in the executables and the image.
 */
export const bom = (release: Release, packages: readonly RuntimePackage[]): object => ({
  bomFormat: 'CycloneDX',
  specVersion: '1.6',
  version: 1,
  metadata: {
    timestamp: release.madeAt.toISOString(),
    component: {
      type: 'application',
      'bom-ref': purlOf('causeway', release.version),
      name: 'causeway',
      version: release.version,
      purl: purlOf('causeway', release.version),
      licenses: [{ license: { id: 'MIT' } }],
      ...(release.commit === undefined
        ? {}
        : { properties: [{ name: 'causeway:commit', value: release.commit }] }),
    },
  },
  components: [nodeItself(release), ...packages.map(component)],
});

const nodeItself = ({ node }: Release): object => ({
  type: 'platform',
  'bom-ref': `pkg:generic/node@${node}`,
  name: 'node',
  version: node,
  purl: `pkg:generic/node@${node}`,
  licenses: [{ license: { id: 'MIT' } }],
});

const component = ({ place, name, version, license, integrity }: RuntimePackage): object => ({
  type: 'library',
  'bom-ref': `${purlOf(name, version)}#${place}`,
  ...(name.startsWith('@')
    ? { group: name.slice(0, name.indexOf('/')), name: name.slice(name.indexOf('/') + 1) }
    : { name }),
  version,
  purl: purlOf(name, version),
  // An SPDX expression if there is more than one licence.
  licenses: [/[\s(]/.test(license) ? { expression: license } : { license: { id: license } }],
  hashes: [
    {
      alg: 'SHA-512',
      content: Buffer.from(integrity.replace(/^sha512-/, ''), 'base64').toString('hex'),
    },
  ],
});

/** https://github.com/package-url/purl-spec: the at sign of a scope is escaped. */
const purlOf = (name: string, version: string): string =>
  `pkg:npm/${name.replace(/^@/, '%40')}@${encodeURIComponent(version)}`;
