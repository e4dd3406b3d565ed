import express, { type Express, type Request, type Response } from 'express';
import type { Html } from '../../sandbox/screens/html.ts';
import { moveOf } from '../clock/moves.ts';
import type { Inbox } from './inbox.ts';
import { linksOf, previewOf, type Message } from './message.ts';
import { inboxScreen, messageScreen, missingScreen, views, type View } from './screens.ts';
import { sendPassing } from './passing.ts';
import { passedOf, startScreen, type DemoLinks, type DemoTime } from './start.ts';
import { icon, script, stylesheet } from './style.ts';

const headers = {
  'Cache-Control': 'no-store',
  'Referrer-Policy': 'no-referrer',
  'X-Content-Type-Options': 'nosniff',
} as const;

const pagePolicy =
  "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; frame-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/** Allows forms, because the start page may have the buttons of the clock. */
const startPolicy = pagePolicy.replace("form-action 'none'", "form-action 'self'");

/** For untrusted markup: no scripts, no forms, nothing from other origins; only the mailbox may frame it. */
const messagePolicy =
  "sandbox allow-same-origin allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:; font-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'self'";

const isLocal = (host: string): boolean => /^(localhost|127(\.\d{1,3}){3}|\[::1\])$/.test(host);

/**
 * The pages of the mailbox, also as JSON. `links`: the mailbox of a demo shows its start page at `/start`. `time`: that
 * page has buttons that move the demo's clock.
 */
export function mailboxApp(inbox: Inbox, links?: DemoLinks, time?: DemoTime): Express {
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  // The mailbox contains consent links, so a request with a foreign host name gets nothing (DNS rebinding).
  app.use((request, response, next) => {
    response.set(headers);
    if (isLocal(request.hostname)) next();
    else response.status(403).type('text/plain').send('This mailbox is for this computer only.\n');
  });
  pages(app, inbox);
  if (links !== undefined)
    app.get('/start', async ({ query }, response) => {
      const shown = { ...links, isTokenOver: await isTokenOver(links) };
      send(
        response,
        200,
        startScreen(shown, time && { now: time.now(), passed: passedOf(query) }),
        startPolicy,
      );
    });
  if (time !== undefined) clock(app, inbox, time);
  json(app, inbox);
  return app;
}

/** Whether the token has been revoked or has expired; a bridge that does not answer cannot tell. */
async function isTokenOver({ bridge, token }: DemoLinks): Promise<boolean> {
  try {
    const headers = { authorization: `Bearer ${token}` };
    const answer = await fetch(`${bridge}/_causeway/api/events?limit=1`, { headers });
    return answer.status === 401;
  } catch {
    return false;
  }
}

function pages(app: Express, inbox: Inbox): void {
  const asset = (path: string, type: string, content: string): void => {
    app.get(path, (_request, response) => {
      response.set('Cache-Control', 'max-age=3600').type(type).send(content);
    });
  };
  asset('/style.css', 'text/css', stylesheet);
  asset('/script.js', 'text/javascript', script);
  asset('/icon.svg', 'image/svg+xml', icon);
  app.get('/', (_request, response) => {
    send(response, 200, inboxScreen(inbox));
  });
  app.get('/messages/:id', ({ params, query }, response) => {
    const message = inbox.find(params.id);
    if (message === undefined) send(response, 404, missingScreen(inbox));
    else send(response, 200, messageScreen(inbox, message, viewOf(query.view)));
  });
  app.get('/messages/:id/html', ({ params }, response) => {
    const message = inbox.find(params.id);
    if (message?.html === undefined) response.status(404).type('text/plain').send('no such mail\n');
    else
      response.set('Content-Security-Policy', messagePolicy).type('text/html').send(withTarget(message.html));
  });
}

const viewOf = (wanted: unknown): View => views.find((view) => view === wanted) ?? 'html';

/** Opens the links of an e-mail in a new page, as a mail program does: their targets refuse frames. */
const withTarget = (message: string): string =>
  message.replace(/<head\b[^>]*>|^(?!.*<head\b)/is, (head) => `${head}<base target="_blank">`);

/** The buttons of the start page: forms, so that they work without JavaScript. */
function clock(app: Express, inbox: Inbox, time: DemoTime): void {
  app.post('/clock', express.urlencoded({ extended: false }), async (request, response) => {
    const move = moveOf((request.body as Readonly<Record<string, unknown>> | undefined)?.move);
    if (isFromElsewhere(request)) response.status(403).type('text/plain').send('Not from another page.\n');
    else if (move === undefined) response.status(400).type('text/plain').send('There is no such button.\n');
    else await sendPassing(response.set('Content-Security-Policy', startPolicy), move, { inbox, time });
  });
}

/** Programs send neither header; a page of another site cannot avoid sending one of them. */
const isFromElsewhere = ({ headers: { origin, 'sec-fetch-site': site } }: Request): boolean =>
  site === undefined ? origin !== undefined : site !== 'same-origin';

function send(response: Response, status: number, page: Html, policy = pagePolicy): void {
  response.status(status).set('Content-Security-Policy', policy).type('text/html').send(page.text);
}

function json(app: Express, inbox: Inbox): void {
  app.get('/api/messages', (_request, response) => {
    response.json({ data: inbox.messages.map(summary) });
  });
  app.get('/api/messages/:id', ({ params }, response) => {
    const message = inbox.find(params.id);
    if (message === undefined) response.status(404).json({ error: 'there is no such message' });
    else response.json({ data: { ...message, receivedAt: iso(message), links: linksOf(message) } });
  });
  app.delete('/api/messages', ({ headers: { origin } }, response) => {
    // Programs send no origin; a page of another site cannot avoid it.
    if (origin !== undefined) {
      response.status(403).json({ error: 'not from a page' });
      return;
    }
    inbox.empty();
    response.status(204).end();
  });
  app.use((_request, response) => {
    response.status(404).json({ error: 'there is nothing here' });
  });
}

const summary = (message: Message) => ({
  id: message.id,
  receivedAt: iso(message),
  from: message.from,
  to: message.to,
  subject: message.subject,
  preview: previewOf(message),
  bytes: message.source.length,
});

const iso = ({ receivedAt }: Message): string => new Date(receivedAt).toISOString();
