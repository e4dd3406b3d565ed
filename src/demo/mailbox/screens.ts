/**
 * The pages of the demo's mailbox: the list of caught e-mails, and one e-mail as HTML, plain text, source or
 * headers.
 *
 * Every page is a pure function of the messages; `html` escapes what is put into it. An e-mail's own HTML is
 * shown in a sandboxed frame without scripts or forms.
 */
import { html, type Html } from '../../sandbox/screens/html.ts';
import { headOf } from '../../sandbox/screens/page.ts';
import type { Inbox } from './inbox.ts';
import { previewOf, type Message, type Party } from './message.ts';

/** The views of an e-mail. */
export const views = ['html', 'text', 'source', 'headers'] as const;
/** The view that is shown. */
export type View = (typeof views)[number];

const viewNames: Readonly<Record<View, string>> = {
  html: 'Mail',
  text: 'Plain text',
  source: 'Source',
  headers: 'Headers',
};

const day = new Intl.DateTimeFormat('en-GB', { timeZone: 'UTC', day: 'numeric', month: 'short' });
const dayAndClock = (millis: number): string =>
  `${day.format(millis)}, ${new Date(millis).toISOString().slice(11, 16)}`;
const moment = (millis: number): string =>
  `${new Date(millis).toISOString().slice(0, 19).replace('T', ' ')} UTC`;

const nameOf = ({ name, address }: Party): string => (name === '' ? address : name);
const inFull = ({ name, address }: Party): string => (name === '' ? address : `${name} <${address}>`);

/** The messages on a page, newest first; `left` is the number of older ones that are not kept. */
type Mails = Pick<Inbox, 'messages' | 'left'>;

/** The page without an open e-mail. */
export const inboxScreen = ({ messages, left }: Mails): Html =>
  frame({
    title: 'Mailbox',
    messages,
    left,
    open: undefined,
    main:
      messages.length === 0
        ? html`<div class="empty">
            <h1>No mail yet</h1>
            <p class="soft">
              Whatever the bridge sends ends up here and nowhere else. Mail to bounce@… is refused
              permanently, mail to later@… temporarily.
            </p>
          </div>`
        : html`<div class="empty">
            <h1>${messages.length === 1 ? 'One mail' : `${messages.length} mails`}</h1>
            <p class="soft">Choose one to read it.</p>
          </div>`,
  });

/** The page for an e-mail that does not exist or no longer exists. */
export const missingScreen = ({ messages, left }: Mails): Html =>
  frame({
    title: 'No such mail',
    messages,
    left,
    open: undefined,
    main: html`<div class="empty">
      <h1>No such mail</h1>
      <p class="soft">
        The mailbox forgets its mail when the demo ends, and the oldest mails when there are many.
      </p>
      <p><a href="/">All mail</a></p>
    </div>`,
  });

/** The page of one e-mail; without HTML it shows the text. */
export const messageScreen = ({ messages, left }: Mails, message: Message, wanted: View): Html => {
  const there = views.filter((view) => view !== 'html' || message.html !== undefined);
  const view = there.includes(wanted) ? wanted : 'text';
  return frame({
    title: message.subject === '' ? '(no subject)' : message.subject,
    messages,
    left,
    open: message,
    main: html`<a class="back" href="/">‹ All mail</a>
      <div class="head">
        <h1>${message.subject === '' ? '(no subject)' : message.subject}</h1>
        <dl>
          <dt>From</dt>
          <dd>${inFull(message.from)}</dd>
          <dt>To</dt>
          <dd>${message.to.map(inFull).join(', ')}</dd>
          <dt>Received</dt>
          <dd>
            <time datetime="${new Date(message.receivedAt).toISOString()}"
              >${moment(message.receivedAt)}</time
            >
          </dd>
        </dl>
      </div>
      <nav class="tabs" aria-label="Views">${there.map((one) => tab(message, one, view))}</nav>
      <div class="paper">${paper(message, view)}</div>`,
  });
};

const tab = ({ id }: Message, view: View, current: View): Html =>
  html`<a href="/messages/${id}${view === 'html' ? '' : `?view=${view}`}" ${view === current && current_}
    >${viewNames[view]}</a
  >`;

const current_ = html`aria-current="page"`;

function paper(message: Message, view: View): Html {
  switch (view) {
    case 'html':
      // No scripts or forms; links open in another window. `allow-same-origin` lets the page measure the
      // frame.
      return html`<iframe
        title="The mail as displayed"
        src="/messages/${message.id}/html"
        sandbox="allow-same-origin allow-popups allow-popups-to-escape-sandbox"
      ></iframe>`;
    case 'text':
      return html`<pre class="text" tabindex="0" aria-label="Plain text">${linked(message.text ?? '')}</pre>`;
    case 'source':
      return html`<pre tabindex="0" aria-label="Source">${message.source}</pre>`;
    case 'headers':
      return html`<table>
        <tbody>
          ${message.headers.map(
            ({ name, value }) =>
              html`<tr>
                <th scope="row">${name}</th>
                <td>${value}</td>
              </tr>`,
          )}
        </tbody>
      </table>`;
  }
}

/** Makes addresses in plain text clickable, as mail programs do. */
function linked(text: string): readonly Html[] {
  return text
    .split(/(https?:\/\/[^\s<>"]+)/)
    .map((part, index) =>
      index % 2 === 0
        ? html`${part}`
        : html`<a href="${part}" target="_blank" rel="noopener noreferrer">${part}</a>`,
    );
}

interface Screen extends Mails {
  readonly title: string;
  readonly open: Message | undefined;
  readonly main: Html;
}

function frame({ title, messages, left, open, main }: Screen): Html {
  const state = `${open === undefined ? 'choosing' : 'reading'}${messages.length === 0 ? '' : ' full'}`;
  return html`<!doctype html>
    <html lang="en">
      <head>
        ${headOf(title, '/')}
        <script src="/script.js" defer></script>
      </head>
      <body class="${state}" data-open="${open?.id ?? ''}">
        <a class="skip" href="#main">Skip to the mail</a>
        <header>
          <p class="name">
            <a href="/"><span class="mark" aria-hidden="true"></span>Mailbox</a>
          </p>
          <p class="soft">Mail caught by the demo. Nothing here leaves this computer.</p>
        </header>
        <div class="panes">
          <nav class="list" aria-label="All mail" data-newest="${messages[0]?.id ?? ''}">
            ${
              messages.length > 0 &&
              html`<ol>
                ${messages.map((message) => entry(message, message === open))}
              </ol>`
            }
            ${left > 0 && html`<p class="left soft">${leftWords(left)}</p>`}
          </nav>
          <main id="main">${main}</main>
        </div>
      </body>
    </html> `;
}

const leftWords = (left: number): string =>
  left === 1
    ? 'One older mail of the campaign is not kept here.'
    : `The ${left} older mails of the campaign are not kept here.`;

const entry = (message: Message, open: boolean): Html =>
  html`<li>
    <a href="/messages/${message.id}" ${open && current_}>
      <span class="row"
        ><span class="to">${message.to.map(nameOf).join(', ')}</span
        ><time datetime="${new Date(message.receivedAt).toISOString()}"
          >${dayAndClock(message.receivedAt)}</time
        ></span
      >
      <span class="subject">${message.subject === '' ? '(no subject)' : message.subject}</span>
      <span class="preview">${previewOf(message)}</span>
    </a>
  </li>`;
