import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * The headers of every answer under `/_causeway` for browsers and the API, set before its handler runs: nothing is
 * stored, framed, sniffed or loaded. A handler whose page needs more says so by a header of its own, which wins.
 */
export function safeHeaders(
  isHttps: boolean,
): (request: Request, response: Response, next: NextFunction) => void {
  const protect = helmet({
    contentSecurityPolicy: {
      useDefaults: false,
      directives: {
        defaultSrc: ["'none'"],
        frameAncestors: ["'none'"],
        baseUri: ["'none'"],
        formAction: ["'none'"],
      },
    },
    frameguard: { action: 'deny' },
    referrerPolicy: { policy: 'no-referrer' },
    // Only people who reach the bridge by https are to come no other way again; other hosts are not ours to decide for.
    strictTransportSecurity: isHttps && { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
  });
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    protect(request, response, next);
  };
}
