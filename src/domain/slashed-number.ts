/**
 * Numbers of jobs and quotes are free text and may hold slashes (`Q25008/2`, `24/001`): in an address that is one
 * segment with `%2F` in it. A server that decodes too early would read a longer path, so that only digits may follow a
 * slash: with them no other address exists, and nothing climbs.
 */
export const isSlashedNumber = (segment: string): boolean =>
  /^(?!\.{1,2}\/)[^/\\%\u0000-\u001f\u007f]+(?:\/\d{1,9}){1,3}$/.test(segment);
