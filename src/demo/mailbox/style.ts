/** The stylesheet of the mailbox. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: light-dark(#eef1f4, #12171c);
  --card: light-dark(#ffffff, #1b2229);
  --ink: light-dark(#17212b, #e6ebf0);
  --soft: light-dark(#55636f, #a3b3bf);
  --line: light-dark(#d6dde3, #323d47);
  --accent: light-dark(#0b5d66, #4cc3cf);
  --chosen: light-dark(#e2f0f1, #22343a);
  --focus: light-dark(#0b5d66, #7fe3ee);
}
* { box-sizing: border-box; }
html { font: 100%/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; background: var(--ground); color: var(--ink); min-height: 100vh; display: flex; flex-direction: column; }
a { color: var(--accent); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: -3px; border-radius: .3rem; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; padding: .9rem 1.25rem; background: var(--card); border-bottom: 1px solid var(--line); }
header p { margin: 0; }
.name a { color: inherit; text-decoration: none; font-weight: 650; }
.mark { display: inline-block; width: 1.15em; height: .8em; margin-right: .55em; border-radius: .15em; background: var(--accent); vertical-align: -.02em; }
.soft { color: var(--soft); font-size: .9rem; }
.panes { flex: 1; display: grid; grid-template-columns: minmax(0, 1fr); }
nav.list { background: var(--card); border-bottom: 1px solid var(--line); }
nav.list ol { list-style: none; margin: 0; padding: 0; }
nav.list li + li { border-top: 1px solid var(--line); }
nav.list li a { display: block; padding: .8rem 1.25rem; text-decoration: none; color: inherit; border-left: 4px solid transparent; }
nav.list li a:hover { background: var(--chosen); }
nav.list li a[aria-current] { background: var(--chosen); border-left-color: var(--accent); }
nav.list .left { margin: 0; padding: .8rem 1.25rem; border-top: 1px solid var(--line); }
.row { display: flex; justify-content: space-between; gap: .75rem; align-items: baseline; }
.row time { color: var(--soft); font-size: .85rem; white-space: nowrap; }
.to { font-weight: 600; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; min-width: 0; }
.subject, .preview { display: block; overflow: hidden; text-overflow: ellipsis; white-space: nowrap; }
.preview { color: var(--soft); font-size: .9rem; }
main { min-width: 0; display: flex; flex-direction: column; }
.empty { margin: auto; padding: 3rem 1.5rem; text-align: center; max-width: 34rem; }
.empty h1 { font-size: 1.3rem; margin: 0 0 .5rem; }
.back { display: inline-block; padding: .9rem 1.25rem 0; }
.head { padding: 1rem 1.25rem; }
.head h1 { font-size: 1.35rem; line-height: 1.3; margin: 0 0 .75rem; overflow-wrap: anywhere; text-wrap: balance; }
.head dl { display: grid; grid-template-columns: auto minmax(0, 1fr); gap: .15rem .9rem; margin: 0; font-size: .93rem; }
.head dt { color: var(--soft); }
.head dd { margin: 0; overflow-wrap: anywhere; }
.tabs { display: flex; flex-wrap: wrap; gap: .25rem; padding: 0 1rem; border-bottom: 1px solid var(--line); }
.tabs a { padding: .55rem .9rem; text-decoration: none; color: var(--soft); border-bottom: 3px solid transparent; margin-bottom: -1px; }
.tabs a[aria-current] { color: var(--ink); border-bottom-color: var(--accent); font-weight: 600; }
.paper { flex: 1; background: var(--card); min-height: 24rem; display: flex; flex-direction: column; }
iframe { flex: none; width: 100%; min-height: 40rem; border: 0; display: block; color-scheme: light dark; }
pre { margin: 0; padding: 1.25rem; white-space: pre-wrap; overflow-wrap: anywhere; font: .88rem/1.55 ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; }
pre.text { font: inherit; max-width: 46rem; }
table { border-collapse: collapse; width: 100%; font-size: .9rem; }
th, td { text-align: left; vertical-align: top; padding: .5rem 1.25rem; border-bottom: 1px solid var(--line); overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 600; width: 15rem; }
body.start main { width: min(46rem, 100% - 2rem); margin: 1.5rem auto; }
body.start h2 { font-size: 1.05rem; margin: 1.75rem 0 .5rem; }
body.start form.clock { display: flex; flex-wrap: wrap; gap: .6rem; }
body.start button { font: inherit; padding: .55rem 1rem; min-height: 2.75rem; border-radius: .4rem; border: 1px solid var(--accent); background: var(--card); color: var(--accent); cursor: pointer; }
body.start button:hover { background: var(--chosen); }
body.start .passed { background: var(--chosen); border-radius: .4rem; padding: .6rem .9rem; font-weight: 600; }
body.start pre { background: var(--card); border: 1px solid var(--line); border-radius: .5rem; padding: .8rem 1rem; }
.places { list-style: none; margin: 0; padding: 0; background: var(--card); border: 1px solid var(--line); border-radius: .5rem; }
.places li { display: flex; flex-wrap: wrap; gap: 0 1rem; padding: .7rem 1rem; }
.places li + li { border-top: 1px solid var(--line); }
.places a { flex: 0 0 9rem; font-weight: 600; }
.places span { flex: 1 1 18rem; }
@media (min-width: 60rem) {
  .panes { grid-template-columns: 23rem minmax(0, 1fr); }
  nav.list { border-bottom: 0; border-right: 1px solid var(--line); }
  .back { display: none; }
}
@media (max-width: 59.99rem) {
  .reading nav.list { display: none; }
  .choosing main { order: -1; }
  .choosing.full main { display: none; }
  th { width: 8rem; padding-right: .5rem; }
  .tabs { flex-wrap: nowrap; gap: 0; padding: 0 .5rem; }
  .tabs a { padding-inline: .7rem; white-space: nowrap; font-size: .95rem; }
}
`;

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect y="2" width="16" height="12" rx="2.5" fill="#0b5d66"/><path d="m2 5 6 4.2L14 5" fill="none" stroke="#fff" stroke-width="1.5"/></svg>';

/** Fits the frame to its message and shows new e-mail; the pages work without it. */
export const script = `'use strict';
for (const frame of document.querySelectorAll('iframe')) {
  const fit = () => {
    const root = frame.contentDocument?.documentElement;
    if (!root) return;
    frame.style.height = '0px';
    frame.style.height = root.scrollHeight + 'px';
  };
  frame.addEventListener('load', fit);
  addEventListener('resize', fit);
  if (frame.contentDocument?.readyState === 'complete') fit();
}
const list = document.querySelector('nav.list');
if (list) setInterval(async () => {
  if (document.hidden) return;
  const answer = await fetch(location.href).catch(() => undefined);
  if (!answer?.ok) return;
  const next = new DOMParser().parseFromString(await answer.text(), 'text/html');
  const fresh = next.querySelector('nav.list');
  if (!fresh || fresh.dataset.newest === list.dataset.newest) return;
  list.innerHTML = fresh.innerHTML;
  list.dataset.newest = fresh.dataset.newest;
  document.body.className = next.body.className;
  if (document.body.dataset.open === '') document.querySelector('main').innerHTML = next.querySelector('main').innerHTML;
}, 2000);
`;
