import { badRequest } from '../refusal.ts';

export interface UploadedFile {
  readonly name: string;
  readonly contentType: string | undefined;
  readonly content: Buffer;
}

export interface Form {
  readonly fields: Readonly<Record<string, string>>;
  readonly file: UploadedFile | undefined;
}

const BOUNDARY = /^multipart\/form-data\b.*;\s*boundary=(?:"([^"]{1,70})"|([^\s;"]{1,70}))/i;

export function boundaryOf(contentType: string | undefined): string | undefined {
  const match = BOUNDARY.exec(contentType ?? '');
  return match?.[1] ?? match?.[2];
}

/** RFC 7578: fields and the one part with a file name. Throws `JsonRefusal` 400 for a form that is cut. */
export function readForm(body: Buffer, boundary: string): Form {
  const fields: Record<string, string> = {};
  let file: UploadedFile | undefined;
  for (const part of partsOf(body, boundary)) {
    const { name, fileName, contentType } = headersOf(part.headers);
    if (name === undefined) throw badRequest('A part of the form has no name.');
    if (fileName === undefined) fields[name] = part.content.toString('utf8');
    else file = { name: fileName, contentType, content: part.content };
  }
  return { fields, file };
}

interface Part {
  readonly headers: string;
  readonly content: Buffer;
}

function partsOf(body: Buffer, boundary: string): readonly Part[] {
  // The first delimiter may stand at the very beginning, without the line break before it.
  const text = Buffer.concat([Buffer.from('\r\n'), body]);
  const delimiter = Buffer.from(`\r\n--${boundary}`);
  const parts: Part[] = [];
  let at = text.indexOf(delimiter);
  for (;;) {
    if (at === -1) throw badRequest('The form is cut off.');
    const after = at + delimiter.length;
    if (text.subarray(after, after + 2).toString('latin1') === '--') return parts;
    const begin = text.indexOf('\r\n', after) + 2;
    const next = text.indexOf(delimiter, begin - 2);
    const blank = text.indexOf('\r\n\r\n', begin - 2);
    if (next === -1 || blank === -1 || blank > next) throw badRequest('The form is cut off.');
    parts.push({
      headers: text.subarray(begin, Math.max(begin, blank)).toString('utf8'),
      content: Buffer.from(text.subarray(blank + 4, Math.max(blank + 4, next))),
    });
    at = next;
  }
}

interface PartHeaders {
  readonly name: string | undefined;
  readonly fileName: string | undefined;
  readonly contentType: string | undefined;
}

function headersOf(text: string): PartHeaders {
  const lines = text.split('\r\n');
  const value = (header: string): string | undefined =>
    lines
      .find((line) => line.toLowerCase().startsWith(`${header}:`))
      ?.slice(header.length + 1)
      .trim();
  const disposition = value('content-disposition') ?? '';
  return {
    name: parameterOf(disposition, 'name'),
    fileName: extendedName(disposition) ?? parameterOf(disposition, 'filename'),
    contentType: value('content-type'),
  };
}

/** Browsers write a quotation mark as `%22`, others with a backslash. */
function parameterOf(disposition: string, name: string): string | undefined {
  const quoted = new RegExp(`;\\s*${name}="((?:[^"\\\\]|\\\\.)*)"`, 'i').exec(disposition)?.[1];
  if (quoted !== undefined) return quoted.replaceAll(/\\(["\\])/g, '$1').replaceAll('%22', '"');
  return new RegExp(`;\\s*${name}=([^\\s;"]+)`, 'i').exec(disposition)?.[1];
}

function extendedName(disposition: string): string | undefined {
  const encoded = /;\s*filename\*=utf-8''([^\s;]+)/i.exec(disposition)?.[1];
  if (encoded === undefined) return undefined;
  try {
    return decodeURIComponent(encoded);
  } catch {
    throw badRequest('The file name of the form cannot be read.');
  }
}
