/**
 * Path and query of a request's target. Some old programs send the whole address, as to a proxy. A server
 * must accept it, and its authority means nothing here (RFC 9112, section 3.2.2). If the authority cannot be
 * parsed, the target stays as it is.
 */
export function withoutAuthority(target: string): string {
  const authority = /^https?:\/\/[^/?#]+/i.exec(target)?.[0];
  return authority !== undefined && URL.canParse(authority) ? target.slice(authority.length) : target;
}
