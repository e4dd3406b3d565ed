import type { Content } from './content.ts';

/** The text alternative; the reader's program wraps its lines. */
export function plainText(content: Content): string {
  const facts = content.facts.map(
    ({ label, value }) => `${label}: ${typeof value === 'string' ? value : value.text}`,
  );
  return [
    content.greeting,
    ...content.body,
    ...(content.action === undefined ? [] : [`${content.action.button}:\n${content.action.link}`]),
    facts.join('\n'),
    ...(content.need.length === 0 ? [] : [`${content.needTitle}\n${content.need.join('\n\n')}`]),
    ...(content.after === undefined ? [] : [content.after]),
    ...(content.announcement === undefined
      ? []
      : [`${content.announcement.words}\n${content.announcement.link}`]),
    content.questions,
    `-- \n${content.brand.name}\n${content.why}\n${content.unsubscribe.words}: ${content.unsubscribe.link}`,
  ]
    .join('\n\n')
    .concat('\n');
}
