import type { NextFunction, Request, Response } from 'express';
import helmet from 'helmet';

const ONE_YEAR_SECONDS = 31_536_000;

/**
 * The headers of every answer under `/_causeway` for browsers and the API, set before its handler runs: no storing,
 * framing, sniffing or loading. A handler whose page needs more sets its own header, which takes precedence.
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
    // Only browsers that use https must keep using it; the bridge does not decide for other hosts.
    strictTransportSecurity: isHttps && { maxAge: ONE_YEAR_SECONDS, includeSubDomains: false },
  });
  return (request, response, next) => {
    response.setHeader('Cache-Control', 'no-store');
    protect(request, response, next);
  };
}
