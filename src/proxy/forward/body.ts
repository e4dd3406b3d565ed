import { filled } from '../../features/writes/documents/long-content.ts';
import { buildDocumentInSteps } from '../../lib/xml/document.ts';
import type { XmlElement } from '../../lib/xml/element.ts';
import type { UpstreamRequest } from '../../upstream/model.ts';
import type { LegacyCall } from '../call/call.ts';

/** The body for V3, with the content of a long document back in its place. */
export async function bodyOf(
  document: XmlElement,
  call: LegacyCall,
): Promise<NonNullable<UpstreamRequest['body']>> {
  const bytes = await buildDocumentInSteps(document);
  const content = call.document?.content;
  return content === undefined ? bytes : filled(bytes, content, 'sent');
}
