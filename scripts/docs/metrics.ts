import { Metrics } from '../../src/app/metrics/metrics.ts';
import { CrewMetrics } from '../../src/app/workers/crew-metrics.ts';
import type { Generator } from './generator.ts';

const cell = (text: string): string => text.replaceAll('|', '\\|').replaceAll('<', '&lt;');

/** Every metric that a bridge registers, with the help text that Prometheus gets. */
export const metricsDocument: Generator = {
  path: 'docs/reference/metrics.md',
  write: async () => {
    const metrics = new Metrics();
    // Metrics that exist only with the settings for them.
    metrics.watchesSharing(() => ({ shared: true, reaches: true, instances: 1 }));
    metrics.countsSpans();
    metrics.watchesMailbox(
      () => Promise.resolve(undefined),
      () => 0,
    );
    const crew = new CrewMetrics(
      () => Promise.resolve(new Map()),
      () => 0,
    );
    const text = `${await metrics.text()}${await crew.text()}`;
    const kinds = new Map(
      Array.from(text.matchAll(/^# TYPE (\S+) (\S+)$/gm), ([, name, kind]) => [name, kind]),
    );
    const rows = Array.from(text.matchAll(/^# HELP (\S+) (.+)$/gm), ([, name = '', help = '']) => ({
      name,
      help,
    }))
      .filter(({ name }) => name.startsWith('causeway_'))
      .toSorted((one, other) => one.name.localeCompare(other.name))
      .map(({ name, help }) => `| \`${name}\` | ${kinds.get(name) ?? ''} | ${cell(help)} |`);
    return `${[
      '# Metrics',
      '<!-- Written by `npm run docs` from src/app/metrics/metrics.ts. -->',
      `Prometheus text at \`http://127.0.0.1:9464/metrics\` (\`CAUSEWAY_METRICS_HOST\`, \`CAUSEWAY_METRICS_PORT\`). No label names an account, a key or an
address. [alerts.yaml](../operate/alerts.yaml) has rules, [grafana-dashboard.json](../operate/grafana-dashboard.json) panels.
\`causeway_workers\` and \`causeway_worker_restarts_total\` exist if \`CAUSEWAY_WORKERS\` is more than 1. Memory and processor time of the
process are not among them: take those of the container or unit.`,
      ['| metric | kind | meaning |', '| --- | --- | --- |', ...rows].join('\n'),
    ].join('\n\n')}\n`;
  },
};
