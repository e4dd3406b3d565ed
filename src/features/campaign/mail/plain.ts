import type { Content } from './content.ts';

/** The text alternative; the reader's program wraps its lines. */
export function plainText(content: Content): string {
  const facts = content.facts.map(({ label, value }) => `${label}: ${value}`);
  return [
    content.greeting,
    ...content.body,
    ...(content.action === undefined ? [] : [`${content.action.button}:\n${content.action.link}`]),
    facts.join('\n'),
    ...(content.action === undefined ? [] : [`${content.needTitle}\n${content.need.join('\n\n')}`]),
    content.questions,
    `-- \n${content.brand.name}\n${content.why}\n${content.unsubscribe.words}: ${content.unsubscribe.link}`,
  ]
    .join('\n\n')
    .concat('\n');
}
