/** Returns the decoded segments of a path; one that cannot be decoded stays as it is. */
export const decodedSegments = (path: string): readonly string[] =>
  path.split('/').map((segment) => {
    try {
      return decodeURIComponent(segment);
    } catch {
      return segment;
    }
  });

/** Returns the segments without the slashes at both ends: a trailing slash is accepted everywhere. */
export const segmentsOf = (path: string): readonly string[] => decodedSegments(path.replace(/^\/|\/$/g, ''));

/** HEAD is a GET whose answer has no body (RFC 9110, section 9.1: every server has both). */
export const verbOf = (method: string): string => (method === 'HEAD' ? 'GET' : method);
