import type { IncomingMessage } from 'node:http';

/**
 * Whether another site's page sent a request. Browsers state its origin; with those that do not, only the token in a
 * form protects.
 */
export const isForeign = ({ headers }: IncomingMessage): boolean =>
  !['same-origin', 'none', undefined].includes(headers['sec-fetch-site']);
