import type { Response } from 'express';

/** The client fetches the location with GET, whatever the request was (303). */
export function redirect(response: Response, location: string, cookies: readonly string[] = []): void {
  response.writeHead(303, {
    Location: location,
    ...(cookies.length === 0 ? {} : { 'Set-Cookie': [...cookies] }),
    'Content-Length': 0,
  });
  response.end();
}
