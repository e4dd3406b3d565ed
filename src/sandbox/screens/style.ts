/** The stylesheet of all pages. */
export const stylesheet = `:root {
  color-scheme: light dark;
  --ground: light-dark(#f3f5f7, #12171c);
  --card: light-dark(#ffffff, #1b2229);
  --ink: light-dark(#17212b, #e6ebf0);
  --soft: light-dark(#55636f, #9fb0bd);
  --line: light-dark(#d6dde3, #323d47);
  --accent: light-dark(#0b5d66, #4cc3cf);
  --on-accent: light-dark(#ffffff, #06222a);
  --warn: light-dark(#8a3b12, #f2b28b);
  --warn-ground: light-dark(#fdf1e9, #33231a);
  --focus: light-dark(#0b5d66, #7fe3ee);
}
* { box-sizing: border-box; }
html { font: 100%/1.55 system-ui, -apple-system, "Segoe UI", Roboto, "Noto Sans", sans-serif; }
body { margin: 0; background: var(--ground); color: var(--ink); }
header, main { margin-inline: auto; padding-inline: 1.25rem; }
.narrow header, .narrow main { max-width: 34rem; }
.wide header, .wide main { max-width: 74rem; }
header { display: flex; flex-wrap: wrap; gap: .25rem 1rem; align-items: baseline; justify-content: space-between; padding-block: 1.25rem .75rem; }
header p { margin: 0; }
.brand { font-weight: 650; letter-spacing: .01em; }
.mark { display: inline-block; width: .85em; height: .85em; margin-right: .5em; border-radius: .2em; background: var(--accent); vertical-align: -.05em; }
.note, .soft { color: var(--soft); font-size: .9rem; }
main { padding-bottom: 3rem; }
.skip { position: absolute; left: -999rem; }
.skip:focus { left: 1rem; top: .5rem; background: var(--card); padding: .5rem 1rem; z-index: 1; }
.card { background: var(--card); border: 1px solid var(--line); border-radius: .75rem; padding: 1.5rem; margin-block: 0 1.25rem; }
h1 { font-size: 1.45rem; line-height: 1.25; margin: 0 0 .5rem; text-wrap: balance; }
h2 { font-size: 1.1rem; margin: 1.75rem 0 .5rem; }
.card > h2:first-child { margin-top: 0; }
p { margin: .5rem 0; }
ul.plain { list-style: none; padding: 0; margin: .75rem 0; display: grid; gap: .5rem; }
fieldset { border: 0; padding: 0; margin: 1.25rem 0 0; min-width: 0; }
legend { font-weight: 600; padding: 0; margin-bottom: .5rem; }
.choice { display: flex; gap: .75rem; align-items: flex-start; border: 1px solid var(--line); border-radius: .5rem; padding: .65rem .85rem; cursor: pointer; }
.choice:has(input:checked) { border-color: var(--accent); box-shadow: inset 0 0 0 1px var(--accent); }
.choice:has(input:disabled) { cursor: default; border-style: dashed; color: var(--soft); }
.choice input { width: 1.15rem; height: 1.15rem; margin: .2rem 0 0; accent-color: var(--accent); flex: none; }
.choice span, .person span { display: block; }
button, .button { font: inherit; font-weight: 600; border-radius: .5rem; padding: .6rem 1.1rem; border: 1px solid var(--accent); background: var(--accent); color: var(--on-accent); cursor: pointer; text-decoration: none; display: inline-block; }
button.quiet, .button.quiet { background: transparent; color: var(--accent); }
button:hover, .button:hover { filter: brightness(1.08); }
form.search label { display: block; margin-bottom: .3rem; }
form.search .row { display: flex; gap: .5rem; }
form.search .row input { flex: 1; min-width: 0; }
form.search .row button { flex: none; }
button.person { width: 100%; text-align: left; background: var(--card); color: var(--ink); border-color: var(--line); font-weight: 400; }
button.person strong { display: block; }
button.person:hover { border-color: var(--accent); }
:focus-visible { outline: 3px solid var(--focus); outline-offset: 2px; }
.actions { display: flex; flex-wrap: wrap; gap: .75rem; margin-top: 1.5rem; }
.alert { background: var(--warn-ground); color: var(--warn); border-left: .25rem solid var(--warn); border-radius: .25rem; padding: .75rem 1rem; margin: 1rem 0; }
.scopes { padding-left: 1.25rem; margin: .5rem 0; }
.scroll { overflow-x: auto; background: linear-gradient(to right, var(--card) 30%, transparent) left / 3rem 100% no-repeat local, linear-gradient(to left, var(--card) 30%, transparent) right / 3rem 100% no-repeat local, linear-gradient(to right, var(--line), transparent) left / 1rem 100% no-repeat scroll, linear-gradient(to left, var(--line), transparent) right / 1rem 100% no-repeat scroll; }
.scroll code { overflow-wrap: break-word; }
table { border-collapse: collapse; width: 100%; font-size: .93rem; }
th, td { text-align: left; padding: .5rem .75rem .5rem 0; border-bottom: 1px solid var(--line); vertical-align: top; }
th { font-weight: 600; color: var(--soft); white-space: nowrap; }
code, .code { font: .88em ui-monospace, SFMono-Regular, Menlo, Consolas, monospace; overflow-wrap: anywhere; }
a { color: var(--accent); }
.grid { display: grid; gap: .75rem 1.25rem; grid-template-columns: repeat(auto-fill, minmax(15rem, 1fr)); align-items: end; }
.field label { display: block; font-size: .9rem; font-weight: 600; margin-bottom: .25rem; }
select, input:is([type="text"], [type="search"], [type="number"], [type="date"]) { font: inherit; width: 100%; padding: .45rem .6rem; border: 1px solid var(--line); border-radius: .4rem; background: var(--ground); color: var(--ink); }
form.inline { display: inline-flex; flex-wrap: wrap; gap: .5rem; align-items: end; }
form.inline input { width: 9rem; }
.tag { display: inline-block; border: 1px solid var(--line); border-radius: 1rem; padding: 0 .6rem; font-size: .85rem; white-space: nowrap; }
@media (prefers-reduced-motion: no-preference) { button, .button, .choice { transition: border-color .12s, filter .12s; } }
`;

export const icon =
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 16 16"><rect width="16" height="16" rx="4" fill="#0b5d66"/><path d="M3 11h10M4 8h8M5 5h6" stroke="#fff" stroke-width="1.6"/></svg>';
