// Keeps an open page up to date. Reloading the page has the same effect.

const status = document.getElementById('live');
const from = document.body.dataset.liveFrom;
const account = document.body.dataset.account;
const PAUSE = 2_000;
const ANYWAY = 60_000;
const AGAIN = 15_000;
const CLICKS = 5_000;

let stream;
let seen = from === undefined ? '' : (new URL(from, location.href).searchParams.get('since') ?? '0');
let waiting;
let lastAt = 0;
let over = false;

const say = (words, state) => {
  if (status === null) return;
  status.hidden = false;
  status.dataset.state = state;
  if (status.textContent !== words) status.textContent = words;
};

/** The mark by which an element is found again on the new page. */
const markOf = (element) =>
  element.id || [element.tagName, element.getAttribute('href'), element.name, element.value].join(' ');

const ticksIn = (region) =>
  new Set([...region.querySelectorAll('input[type=checkbox]:checked')].map(({ value }) => value));

function replace(fresh) {
  for (const region of document.querySelectorAll('[data-live]')) {
    const next = fresh.getElementById(region.id);
    if (next === null || next.innerHTML === region.innerHTML || isAwaited(region)) continue;
    const ticks = ticksIn(region);
    const focused = region.contains(document.activeElement) ? markOf(document.activeElement) : undefined;
    region.replaceWith(document.adoptNode(next));
    for (const box of next.querySelectorAll('input[type=checkbox][name=account]'))
      box.checked = ticks.has(box.value);
    if (focused !== undefined)
      [...next.querySelectorAll('a, button, input, summary')]
        .find((element) => markOf(element) === focused)
        ?.focus({ preventScroll: true });
  }
  prepare();
}

async function refresh() {
  waiting = undefined;
  lastAt = Date.now();
  try {
    const answer = await fetch(location.href, {
      headers: { 'X-Causeway-Live': '1' },
      redirect: 'error',
      cache: 'no-store',
    });
    if (answer.status === 401) return ended();
    if (answer.status === 404) return ended('No longer there: reload the page');
    if (!answer.ok) return;
    replace(new DOMParser().parseFromString(await answer.text(), 'text/html'));
  } catch {
    // The stream shows whether the bridge is up.
  } finally {
    followSoon();
  }
}

/** Polls soon, while something is in progress that sends no event. */
function followSoon() {
  if (!over && !document.hidden && document.querySelector('[data-soon]') !== null) schedule(PAUSE);
}

function schedule(least) {
  waiting ??= setTimeout(refresh, Math.max(least, lastAt + PAUSE - Date.now(), 0));
}

/** Browsers reconnect only after a broken line. A request for the page then shows whether the session has ended. */
function refused() {
  close();
  schedule(0);
  setTimeout(open, AGAIN);
}

function ended(words = 'Signed out: reload the page') {
  over = true;
  close();
  clearInterval(anyway);
  say(words, 'off');
}

function open() {
  if (from === undefined || over || stream !== undefined || document.hidden) return;
  const address = new URL(from, location.href);
  address.searchParams.set('since', seen);
  stream = new EventSource(address);
  stream.addEventListener('open', () => say('Live', 'on'));
  stream.addEventListener('error', () => {
    say('Connecting…', 'off');
    if (stream?.readyState === EventSource.CLOSED) refused();
  });
  stream.addEventListener('ended', () => ended());
  stream.addEventListener('change', ({ data, lastEventId }) => {
    seen = lastEventId;
    const { accounts } = JSON.parse(data);
    if (account === undefined || accounts === null || accounts.includes(account)) schedule(0);
  });
}

/** A hidden page holds no connection: browsers allow only a few to one address. */
function close() {
  stream?.close();
  stream = undefined;
}

document.addEventListener('visibilitychange', () => {
  if (document.hidden) return close();
  open();
  followSoon();
});

// Call counts change without any event.
const anyway = setInterval(() => {
  if (stream !== undefined && !document.hidden && Date.now() - lastAt > ANYWAY) schedule(0);
}, ANYWAY / 4);

function prepare() {
  const every = document.getElementById('every');
  if (every !== null) every.hidden = false;
  count();
}

function count() {
  const chosen = document.getElementById('chosen');
  if (chosen === null) return;
  const boxes = [...document.querySelectorAll('input[name=account][type=checkbox]')];
  const ticked = boxes.filter(({ checked }) => checked).length;
  chosen.hidden = false;
  chosen.textContent = ticked === 0 ? 'None selected' : `${ticked} selected`;
  const every = document.getElementById('every');
  if (every !== null) {
    every.checked = ticked > 0 && ticked === boxes.length;
    every.indeterminate = ticked > 0 && ticked < boxes.length;
  }
}

document.addEventListener('change', ({ target }) => {
  if (target.id === 'every')
    for (const box of document.querySelectorAll('input[name=account][type=checkbox]'))
      box.checked = target.checked;
  count();
});

// The browser shows the answer of the second of two clicks, so a key that the first one's shows once would be lost,
// however long the first answer takes. A form whose answer is a file leaves its page open, so it can be sent again after
// a while.
const sent = new Set();
document.addEventListener('submit', (event) => {
  const { target: form } = event;
  if (form.getAttribute('method') !== 'post') return;
  if (sent.has(form)) return event.preventDefault();
  sent.add(form);
  if (form.hasAttribute('data-file')) setTimeout(() => sent.delete(form), CLICKS);
});

/** The new form would not be known as sent. */
const isAwaited = (region) => [...sent].some((form) => region.contains(form));

// A request that was stopped leaves the page open as well. A link within the page also reports the request as failed,
// although its answer still comes.
let failure;
window.navigation?.addEventListener('navigateerror', () => {
  failure = setTimeout(() => sent.clear());
});
window.navigation?.addEventListener('navigate', ({ destination }) => {
  if (destination.sameDocument) clearTimeout(failure);
});

document.addEventListener('keydown', (event) => {
  const search = document.getElementById('search');
  const typing = event.target instanceof Element && event.target.closest('input, textarea, select') !== null;
  if (event.key !== '/' || search === null || typing || event.ctrlKey || event.metaKey || event.altKey)
    return;
  event.preventDefault();
  search.focus();
});

addEventListener('pageshow', ({ persisted }) => {
  // Without it the page has only just loaded, and a form may have been sent before.
  if (persisted) sent.clear();
  prepare();
  open();
  followSoon();
});
addEventListener('pagehide', close);
