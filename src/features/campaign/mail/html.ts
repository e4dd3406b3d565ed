import { inHtml } from '../../../lib/text/html-text.ts';
import { isRightToLeft } from '../../texts/words.ts';
import type { Content, Fact } from './content.ts';

/** Where the e-mail loads the logo from: an https address, or `cid:…` for an attached picture. */
export type LogoSource = string | undefined;

// Mail programs drop styles that they do not support. Tables hold the column together in old ones, inline styles give
// the light look that all of them show, and the style element adds the dark look and the phone layout for those that
// support it.
const style = (brandColour: string): string => `
:root { color-scheme: light dark; supported-color-schemes: light dark; }
a { color: #1d2733; }
@media (max-width: 480px) {
  .outer { padding: 0 !important; }
  .card { border-radius: 0 !important; border-left: 0 !important; border-right: 0 !important; }
  .inner { padding: 24px 20px !important; }
  .button { display: block !important; }
}
@media (prefers-color-scheme: dark) {
  body, .ground { background: #14181d !important; }
  .card { background: #1d232a !important; border-color: #353e48 !important; border-top-color: ${brandColour} !important; }
  .text, .text a { color: #e6eaef !important; }
  .soft, .soft a { color: #a9b4bf !important; }
  .box { background: #262e37 !important; }
  .line { border-color: #353e48 !important; }
}
`;

const font = "font-family:-apple-system,'Segoe UI',Roboto,Helvetica,Arial,sans-serif";

/** The HTML alternative: one column that loads nothing except the logo. */
export function htmlOf(content: Content, logo: LogoSource): string {
  const { brand } = content;
  const direction = isRightToLeft(content.language) ? 'rtl' : 'ltr';
  const lang = inHtml(content.language);
  return `<!doctype html>
<html lang="${lang}" dir="${direction}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="supported-color-schemes" content="light dark">
<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">
<title>${inHtml(content.subject)}</title>
<style>${style(brand.colour)}</style>
</head>
<body class="ground" style="margin:0;padding:0;background:#f4f6f8;-webkit-text-size-adjust:100%">
${preheader(content.preheader)}
<main lang="${lang}" dir="${direction}">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="ground" style="background:#f4f6f8">
<tr><td align="center" class="outer" style="padding:32px 12px">
<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="card" style="max-width:560px;background:#ffffff;border:1px solid #d5dbe2;border-top:4px solid ${brand.colour};border-radius:8px">
<tr><td class="inner text" style="padding:32px;${font};font-size:16px;line-height:1.55;color:#1d2733;text-align:start;overflow-wrap:anywhere">
${masthead(content, logo)}
<h1 style="margin:0 0 16px;font-size:23px;line-height:1.3;font-weight:700">${inHtml(content.heading)}</h1>
<p style="margin:0 0 16px">${inHtml(content.greeting)}</p>
${content.body.map((text) => `<p style="margin:0 0 16px">${inHtml(text)}</p>`).join('\n')}
${button(content)}
${facts(content)}
${need(content)}${after(content)}
${announcement(content)}
<p style="margin:16px 0 0">${withAddress(content.questions, brand.support)}</p>
</td></tr>
<tr><td class="inner soft line" style="padding:20px 32px;border-top:1px solid #d5dbe2;${font};font-size:13px;line-height:1.5;color:#56616e;text-align:start;overflow-wrap:anywhere">
${fallback(content)}
<p style="margin:0">${inHtml(content.why)} <a href="${inHtml(content.unsubscribe.link)}" style="color:#56616e">${inHtml(content.unsubscribe.words)}</a></p>
</td></tr>
</table>
</td></tr>
</table>
</main>
</body>
</html>
`;
}

/** The text that mail lists show beside the subject; the padding after it keeps the greeting out. */
const preheader = (text: string): string =>
  `<div style="display:none;max-height:0;max-width:0;overflow:hidden;opacity:0;font-size:1px;line-height:1px" aria-hidden="true">${inHtml(text)}${'&#847;&zwnj;&nbsp;'.repeat(60)}</div>`;

function masthead({ brand }: Content, logo: LogoSource): string {
  const name = inHtml(brand.name);
  return logo === undefined
    ? `<p class="soft" style="margin:0 0 20px;font-size:15px;font-weight:700;color:#56616e">${name}</p>`
    : // Outlook knows the attribute only, and keeps the proportions.
      `<p style="margin:0 0 20px"><img src="${inHtml(logo)}" alt="${name}" height="40" style="display:block;height:auto;max-height:40px;width:auto;max-width:240px;border:0;font-weight:700"></p>`;
}

// Padding on both cell and link, so that the whole button is clickable even where links get no padding.
const button = ({ brand, action }: Content): string =>
  action === undefined
    ? ''
    : `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" style="margin:8px 0 28px"><tr><td align="center" bgcolor="${brand.colour}" style="background:${brand.colour};border-radius:8px">
<a class="button" href="${inHtml(action.link)}" style="display:block;padding:15px 24px;${font};font-size:17px;line-height:1.3;font-weight:700;color:${brand.onColour};text-decoration:none;border-radius:8px">${inHtml(action.button)}</a>
</td></tr></table>`;

const after = ({ after: said }: Content): string =>
  said === undefined ? '' : `<p style="margin:0 0 12px">${inHtml(said)}</p>`;

const announcement = ({ announcement: said }: Content): string =>
  said === undefined
    ? ''
    : `<p style="margin:16px 0 0">${inHtml(said.words)} <a href="${inHtml(said.link)}" style="color:inherit;word-break:break-all">${inHtml(said.link)}</a></p>`;

const need = ({ needTitle, need: paragraphs }: Content): string =>
  paragraphs.length === 0
    ? ''
    : `<h2 style="margin:0 0 6px;font-size:16px;line-height:1.4;font-weight:700">${inHtml(needTitle)}</h2>
${paragraphs.map((text) => `<p style="margin:0 0 12px">${inHtml(text)}</p>`).join('\n')}`;

const fallback = ({ action, fallback: words }: Content): string =>
  action === undefined
    ? ''
    : `<p style="margin:0 0 10px">${inHtml(words)}<br><a href="${inHtml(action.link)}" style="color:#56616e;word-break:break-all">${inHtml(action.link)}</a></p>`;

const valueOf = (value: Fact['value']): string => (typeof value === 'string' ? inHtml(value) : value.html);

const facts = (content: Content): string =>
  `<table role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0" class="box" style="margin:0 0 28px;background:#f4f6f8;border-radius:8px"><tr><td class="text" style="padding:14px 18px;${font};font-size:16px;line-height:1.45;color:#1d2733;text-align:start">
${content.facts
  .map(
    ({ label, value }) =>
      `<p style="margin:6px 0"><span class="soft" style="color:#56616e;font-size:14px">${inHtml(label)}</span><br><strong>${valueOf(value)}</strong></p>`,
  )
  .join('\n')}
</td></tr></table>`;

function withAddress(text: string, address: string | undefined): string {
  if (address === undefined) return inHtml(text);
  const shown = inHtml(address);
  return inHtml(text).replace(shown, () => `<a href="mailto:${shown}" style="color:inherit">${shown}</a>`);
}
