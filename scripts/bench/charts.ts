/**
 * `node scripts/bench/charts.ts FILE`: draws the sections with ratios of a report of `npm run bench -- --json FILE`,
 * one picture each, into docs/pictures. Every picture names machine and commit and is legible on light and dark paper.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { digits } from './figures.ts';
import type { Report, Row } from './row.ts';

const WIDTH = 790;
const LEFT = 320;
const RIGHT = 150;
const LINE = 28;
const TOP = 58;

const titles: Readonly<Record<string, string>> = {
  small: 'A small reply: processor time of the proxy',
  list: 'A long list: processor time of the proxy',
  workers: 'Workers: processor time of all processes of the bridge',
  postgres: 'PostgreSQL: processor time of the bridge',
  redis: 'PostgreSQL and Redis: processor time of the bridge',
  'translate-one': 'One client from V2: processor time',
  'translate-list': 'A list from V2: processor time',
};

const STYLE = `
  text { font: 13px system-ui, sans-serif; fill: #1f2933; }
  .title { font-weight: 600; font-size: 15px; }
  .note { fill: #5f6b7a; font-size: 12px; }
  .peer { fill: #9aa5b1; }
  .own { fill: #2f6fb3; }
  .base { stroke: #5f6b7a; stroke-dasharray: 4 3; }
  @media (prefers-color-scheme: dark) {
    text { fill: #e4e7eb; }
    .note { fill: #9aa5b1; }
    .peer { fill: #616e7c; }
    .own { fill: #5fa8f5; }
    .base { stroke: #9aa5b1; }
  }
`;

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');

/** A picture of one section. */
export function chart(section: string, rows: readonly Row[], { machine, commit }: Report): string {
  const drawn = rows.filter((row) => row.ratio !== null && row.cpuMicros !== null);
  const most = Math.max(1, ...drawn.map(({ ratio }) => ratio ?? 0));
  const scale = (WIDTH - LEFT - RIGHT) / most;
  const height = TOP + drawn.length * LINE + 40;
  const bars = drawn.map((row, at) => bar(row, TOP + at * LINE, scale));
  const base = LEFT + scale;
  const peer = drawn[0]?.peer ?? '';
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${height}" viewBox="0 0 ${WIDTH} ${height}" role="img">
<title>${escaped(titles[section] ?? section)}, as a ratio to ${escaped(peer)}</title>
<style>${STYLE}</style>
<text class="title" x="12" y="24">${escaped(titles[section] ?? section)}</text>
<text class="note" x="12" y="42">ratio to ${escaped(peer)} in the same rounds (dashed), and microseconds; shorter is better</text>
${bars.join('\n')}
<line class="base" x1="${base}" x2="${base}" y1="${TOP - 6}" y2="${height - 34}"/>
<text class="note" x="12" y="${height - 12}">${escaped(`${machine}; commit ${commit}`)}</text>
</svg>
`;
}

function bar({ subject, ratio, cpuMicros }: Row, y: number, scale: number): string {
  const width = Math.max(1, (ratio ?? 0) * scale);
  const kind = /^(?:bridge|two workers|PostgreSQL)/.test(subject) ? 'own' : 'peer';
  const label = `${digits(ratio ?? 0)} · ${digits(cpuMicros ?? 0)} µs`;
  return `<text x="${LEFT - 10}" y="${y + 15}" text-anchor="end">${escaped(subject)}</text>
<rect class="${kind}" x="${LEFT}" y="${y + 3}" width="${width.toFixed(1)}" height="16" rx="2"/>
<text x="${(LEFT + width + 8).toFixed(1)}" y="${y + 15}">${label}</text>`;
}

const [file] = process.argv.slice(2);
if (import.meta.main) {
  if (file === undefined) {
    console.error('node scripts/bench/charts.ts FILE: a report of npm run bench -- --json FILE');
    process.exit(2);
  }
  const report = JSON.parse(readFileSync(file, 'utf8')) as Report;
  const pictures = join(import.meta.dirname, '..', '..', 'docs', 'pictures');
  for (const section of new Set(report.rows.map((row) => row.section))) {
    const rows = report.rows.filter((row) => row.section === section);
    if (rows.every(({ ratio, cpuMicros }) => ratio === null || cpuMicros === null)) continue;
    const path = join(pictures, `performance-${section}.svg`);
    writeFileSync(path, chart(section, rows, report));
    console.log(`${path} written`);
  }
}
