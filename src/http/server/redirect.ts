import type { Response } from 'express';

/** To be fetched by GET, whatever the request was. */
export function redirect(response: Response, location: string, cookies: readonly string[] = []): void {
  response.writeHead(303, {
    Location: location,
    ...(cookies.length === 0 ? {} : { 'Set-Cookie': [...cookies] }),
    'Content-Length': 0,
  });
  response.end();
}
