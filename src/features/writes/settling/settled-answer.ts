import { LEGACY_CONTENT_TYPE, apiMethod, openReply } from '../../../mapping/dialect.ts';
import type { Method } from '../../../mapping/compile/model.ts';
import { CLOSE_RESPONSE, writeElement } from '../../../lib/xml/document.ts';
import type { XmlElement } from '../../../lib/xml/element.ts';
import { escapeAttribute, escapeText } from '../../../lib/xml/text.ts';
import type { Source } from '../../../lib/failure.ts';
import type { WriteAnswer } from '../model.ts';

/** The answer that the write's own caller would have got, if it contains no record. */
export function plainAnswer(
  { reply }: Pick<Method, 'reply'>,
  segments: readonly string[],
  { made, source }: { readonly made: string | undefined; readonly source: Source },
): WriteAnswer {
  const number = reply.form === 'id' && made !== undefined ? `<ID>${escapeText(made)}</ID>` : '';
  return answer(`${openReply(segments)}${number}${CLOSE_RESPONSE}`, source);
}

/** The same with the record from a list. */
export const recordAnswer = (record: XmlElement, segments: readonly string[], source: Source): WriteAnswer =>
  answer(`${openReply(segments)}${writeElement(record)}${CLOSE_RESPONSE}`, source);

/** The same from the answer to a read of the record, which differs only in the name of the method. */
export function readAnswer(
  {
    text,
    source,
    contentType,
  }: { readonly text: string; readonly source: Source; readonly contentType: string },
  segments: readonly string[],
): WriteAnswer {
  const name = apiMethod(segments);
  const body =
    name === undefined
      ? text
      : text.replace(
          /(<Response\s+api-method=")[^"]*"/,
          (_all, start: string) => `${start}${escapeAttribute(name)}"`,
        );
  return { ...answer(body, source), contentType };
}

const answer = (body: string, source: Source): WriteAnswer => ({
  status: 200,
  source,
  contentType: LEGACY_CONTENT_TYPE,
  body,
});
