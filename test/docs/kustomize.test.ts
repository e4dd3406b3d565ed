import { describe, expect, it } from '@jest/globals';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { StatefulSet } from 'kubernetes-models/apps/v1/StatefulSet';
import { Job } from 'kubernetes-models/batch/v1/Job';
import { NetworkPolicy } from 'kubernetes-models/networking.k8s.io/v1/NetworkPolicy';
import { PodDisruptionBudget } from 'kubernetes-models/policy/v1/PodDisruptionBudget';
import { ConfigMap } from 'kubernetes-models/v1/ConfigMap';
import { Namespace } from 'kubernetes-models/v1/Namespace';
import { Service } from 'kubernetes-models/v1/Service';
import { parseAllDocuments } from 'yaml';

const project = join(import.meta.dirname, '..', '..');
const kinds = { ConfigMap, Job, Namespace, NetworkPolicy, PodDisruptionBudget, Service, StatefulSet };

/** Renders as a cluster is given it; it is not part of Debian in a version that can, and nothing of the tests needs it. */
const kubectl = (process.env.PATH ?? '')
  .split(delimiter)
  .map((folder) => join(folder, 'kubectl'))
  .find((path) => existsSync(path));

interface Rendered {
  readonly kind: keyof typeof kinds;
  readonly metadata: { readonly name: string; readonly namespace?: string };
  readonly spec?: {
    readonly template?: {
      readonly spec: {
        readonly containers: readonly {
          readonly image: string;
          readonly envFrom?: readonly { readonly configMapRef?: { readonly name: string } }[];
        }[];
      };
    };
  };
}

const rendered = (folder: string): readonly Rendered[] =>
  parseAllDocuments(
    execFileSync(kubectl ?? '', ['kustomize', join(project, 'deploy', 'kubernetes', folder)], {
      encoding: 'utf8',
    }),
  ).map((document) => document.toJS() as Rendered);

(kubectl === undefined ? describe.skip : describe)('the output of kubectl for the kustomizations', () => {
  it.each(['.', 'migration'])('is valid against the schema of each kind, in one namespace: %s', (folder) => {
    const documents = rendered(folder);
    expect(documents.length).toBeGreaterThan(0);
    for (const one of documents) {
      const Kind = kinds[one.kind];
      expect(() => {
        new Kind(one as never).validate();
      }).not.toThrow();
      expect(one.metadata.namespace).toBe('causeway');
    }
  });

  it('gives the bridges the settings of causeway.env under a name that changes with them', () => {
    const documents = rendered('.');
    const settings = documents.find(({ kind }) => kind === 'ConfigMap')?.metadata.name;
    const bridge = documents.find(({ kind }) => kind === 'StatefulSet')?.spec?.template?.spec.containers[0];
    expect(settings).toMatch(/^causeway-\w{10}$/);
    expect(bridge?.envFrom?.map(({ configMapRef }) => configMapRef?.name)).toEqual([settings]);
  });
});
