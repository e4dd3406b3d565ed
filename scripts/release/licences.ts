import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RuntimePackage } from './runtime-packages.ts';

/** `LICENSE`, `LICENCE.md`, `LICENSE-MIT`, `COPYING`, `NOTICE`. */
const isText = (name: string): boolean => /^(licen[cs]e|copying|notice)([.-]|$)/i.test(name);

/**
 * The licences of everything in the artefacts, as their owners require. `project`: where the packages are installed;
 * `node`: Node's own, with those of its components.
 */
export function licences(packages: readonly RuntimePackage[], project: string, node: string): string {
  const parts = packages.map(({ place, name, version, license }) =>
    section(`${name} ${version} (${license})`, textsOf(join(project, place), license)),
  );
  return [section('Node.js, in the executables and the image', node), ...parts].join('\n');
}

const section = (title: string, text: string): string =>
  `${'='.repeat(100)}\n${title}\n${'='.repeat(100)}\n\n${text.trim()}\n`;

function textsOf(folder: string, license: string): string {
  const texts = readdirSync(folder)
    .filter(isText)
    .map((name) => readFileSync(join(folder, name), 'utf8').trim());
  if (texts.length > 0) return texts.join('\n\n');
  const { author } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')) as Described;
  const owner = typeof author === 'string' ? author : author?.name;
  return `The package brings no text. Its package.json names the licence ${license}${owner === undefined ? '' : ` and ${owner} as its author`}.`;
}

interface Described {
  readonly author?: string | { readonly name?: string };
}
