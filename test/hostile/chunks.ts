import type { RawReply } from '../support/raw.ts';

/** The body of a raw reply, put together where it came in chunks. */
export function bodyIn({ head, body }: RawReply): string {
  if (!/^transfer-encoding: chunked$/im.test(head)) return body;
  let rest = Buffer.from(body, 'utf8');
  let whole = '';
  for (;;) {
    const end = rest.indexOf('\r\n');
    const size = Number.parseInt(rest.subarray(0, end).toString('latin1'), 16);
    if (end < 0 || !Number.isFinite(size) || size === 0) return whole;
    whole += rest.subarray(end + 2, end + 2 + size).toString('utf8');
    rest = rest.subarray(end + 2 + size + 2);
  }
}
