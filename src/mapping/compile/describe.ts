import type { MethodCard } from '../method-card.ts';
import { lossesOf, type Loss } from './loss.ts';
import type { CallPattern, Method } from './model.ts';
import type { KeptAs } from './records.ts';
import type { Template } from './generic/template.ts';
import type { V2Step } from './v2/v2-model.ts';

/** Describes one method for `causeway mappings show`, the console and docs/reference/methods/. */
export function describe(method: Method): Omit<MethodCard, 'losses' | 'toV3'> {
  const { id, summary, legacy, v3, v2, route, evidence } = method;
  return {
    method: id,
    summary,
    legacy: legacy.map(patternText).join('; '),
    v3: patternText(v3),
    v2: v2?.way === 'steps' ? v2.steps.filter(({ among }) => among === undefined).map(stepText) : [],
    why: v2?.way === 'none' ? v2.why : undefined,
    grade: v2?.way === 'steps' ? v2.grade : undefined,
    route,
    evidence,
  };
}

/** `GET|POST client.api/get/{client}`. */
export const patternText = ({ verbs, segments }: CallPattern): string =>
  `${verbs.join('|')} ${segments.map((segment) => ('literal' in segment ? segment.literal : `{${segment.kind}}`)).join('/')}`;

const templateText = (template: Template): string =>
  template.map((part) => (typeof part === 'string' ? part : `{${part.text}}`)).join('');

function stepText({ verb, segments, pages, each, when }: V2Step): string {
  const notes = [
    ...(pages ? ['page by page'] : []),
    ...(each === undefined ? [] : ['once for each']),
    ...(when === undefined ? [] : ['where it applies']),
  ];
  const call = `${verb} /v2/${segments.map(templateText).join('/')}`;
  return notes.length === 0 ? call : `${call} (${notes.join(', ')})`;
}

/** The loss report of a method, one sentence or element per line. */
export const losses = (method: Method): readonly string[] => lossesOf(method).flatMap(lossText);

/** Which of its calls V3 answers although the method is routed to V2, and why. */
export const callsToV3 = (method: Method): readonly string[] => lossesOf(method).flatMap(toV3Text);

function lossText(loss: Loss): readonly string[] {
  switch (loss.loss) {
    case 'sentence':
      return [loss.text];
    case 'default':
      return [`${loss.place} is ${loss.value} if the request does not set it`];
    case 'element':
      return loss.of === 'request'
        ? []
        : [`${loss.element} ${keptText(loss)}is not in the reply${whyText(loss)}`];
    case 'toV3':
      return [];
  }
}

function toV3Text(loss: Loss): readonly string[] {
  if (loss.loss === 'toV3') return [`${loss.when}: ${loss.text}`];
  return loss.loss === 'element' && loss.of === 'request' ? [`with ${loss.element}${whyText(loss)}`] : [];
}

const whyText = ({ why }: Loss & { readonly loss: 'element' }): string =>
  why === undefined ? '' : `: ${why}`;

const keptWords: Readonly<Record<KeptAs, string>> = {
  structure: "has V1's value from before the move; for a record created since, it ",
  personal:
    "has V1's value from before the move if CAUSEWAY_SNAPSHOT=all; otherwise, and for a record created since, it ",
};

const keptText = ({ kept }: Loss & { readonly loss: 'element' }): string =>
  kept === undefined ? '' : keptWords[kept];
