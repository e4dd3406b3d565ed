import { decoded } from '../../lib/text/address-text.ts';

const LONGEST = 150;
const FALLBACK = 'document';

/** Types that are harmless in a browser or program, even one that ignores the attachment header. */
const harmless: ReadonlySet<string> = new Set([
  'application/pdf',
  'application/zip',
  'application/msword',
  'application/rtf',
  'application/vnd.ms-excel',
  'application/vnd.ms-outlook',
  'application/vnd.ms-powerpoint',
  'application/vnd.oasis.opendocument.spreadsheet',
  'application/vnd.oasis.opendocument.text',
  'application/vnd.openxmlformats-officedocument.presentationml.presentation',
  'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet',
  'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
  'image/bmp',
  'image/gif',
  'image/jpeg',
  'image/png',
  'image/tiff',
  'image/webp',
  'message/rfc822',
  'text/csv',
  'text/plain',
]);

/** Returns the bare type if it is harmless. */
export function harmlessType(given: string): string {
  const type = (given.split(';')[0] ?? '').trim().toLowerCase();
  if (!harmless.has(type)) return 'application/octet-stream';
  const charset = /;\s*charset=([\w-]{1,40})\s*$/i.exec(given)?.[1];
  return type.startsWith('text/') && charset !== undefined ? `${type}; charset=${charset}` : type;
}

/** The disposition, always an attachment. The name is the service's, or the end of the address. */
export function dispositionOf(given: string | undefined, url: string): string {
  const name = safe(nameIn(given ?? '') ?? lastSegment(url) ?? '') || FALLBACK;
  const plain = name.replaceAll(/[^\x20-\x7e]|["\\%]/g, '_');
  const extended = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${plain}"; filename*=UTF-8''${extended}`;
}

function nameIn(disposition: string): string | undefined {
  const extended = /filename\*\s*=\s*utf-8''([^;\s]+)/i.exec(disposition)?.[1];
  if (extended !== undefined) return decoded(extended);
  return (
    /filename\s*=\s*"((?:[^"\\]|\\.)*)"/i.exec(disposition)?.[1] ??
    /filename\s*=\s*([^;\s"]+)/i.exec(disposition)?.[1]
  );
}

function lastSegment(url: string): string | undefined {
  return decoded(URL.parse(url)?.pathname.split('/').at(-1) ?? '');
}

/** A name is data, never a path: no separators, control or direction characters, no leading dot. */
function safe(name: string): string {
  const line = name
    .toWellFormed()
    .replaceAll(/[/\\:]/g, '_')
    .replaceAll(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, '')
    .replace(/^[.\s]+/, '')
    .trim();
  return Array.from(line).slice(-LONGEST).join('');
}
