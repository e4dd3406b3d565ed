import { describe, expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse } from 'yaml';
import type { Census } from '../../src/features/status/census.ts';
import { CrewMetrics } from '../../src/app/workers/crew-metrics.ts';
import { Metrics } from '../../src/app/metrics/metrics.ts';

const docs = join(import.meta.dirname, '..', '..', 'docs', 'operate');
const read = (name: string): string => readFileSync(join(docs, name), 'utf8');

interface Panel {
  readonly type: string;
  readonly title: string;
  readonly targets?: readonly { readonly expr: string }[];
}

const dashboard = JSON.parse(read('grafana-dashboard.json')) as { readonly panels: readonly Panel[] };
const alerts = parse(read('alerts.yaml')) as {
  readonly groups: readonly {
    readonly rules: readonly { readonly alert: string; readonly expr: string }[];
  }[];
};

const expressions: readonly (readonly [string, string])[] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }): readonly [string, string] => [`panel ${title}`, expr]),
  ),
  ...alerts.groups.flatMap(({ rules }) =>
    rules.map(({ alert, expr }): readonly [string, string] => [`alert ${alert}`, expr]),
  ),
];

const census: Census = {
  accounts: {
    legacy: 3,
    'awaiting-operator': 0,
    consented: 0,
    migrated: 5,
    lost: 1,
    exported: 0,
    disconnected: 0,
    closed: 0,
  },
  invitations: { issued: 2, opened: 1, accepted: 5, declined: 0, expired: 0, withdrawn: 0 },
  messages: {
    queued: 1,
    sending: 0,
    sent: 9,
    failed: 0,
    refused: 0,
    unknown: 0,
    abandoned: 0,
    withdrawn: 0,
  },
  isMailPaused: true,
  grants: { held: 5, unresolved: 0, lost: 1 },
  oldestGrantAt: 1_000_000,
  deliveries: { waiting: 0, delivered: 4, 'given-up': 0 },
  drift: 0,
  flagged: 0,
  unlearned: 7,
  writes: { open: 2, unknown: 3, undecidable: 1, unknownSince: 1_000_000 },
};

async function scraped(): Promise<string> {
  const metrics = new Metrics();
  metrics.takesCensus(
    async () => census,
    () => 1_060_000,
  );
  metrics.watchesBreakers(() => ({ v3: true }));
  metrics.watchesApplications(() => [
    {
      application: 'default',
      refreshes: { renewed: 1, refused: 0, unanswered: 0 },
      isOpen: true,
      waiting: 2,
      keys: 3,
    },
  ]);
  metrics.watchesRoots(() => [
    {
      name: 'v3',
      accountsOpen: 1,
      connections: { used: 2, waiting: 3, refused: 4 },
      retriesRefused: 5,
    },
  ]);
  metrics.watchesSweeper(() => ({ spilled: 1, isBehind: true }));
  metrics.watchesHealth(() => ({ serves: true, degraded: { 'disk-full': 'full' } }));
  metrics.watchesSharing(() => ({ shared: true, reaches: true, instances: 2 }));
  metrics.call({
    method: 'client.list',
    source: 'v3',
    status: 200,
    millis: 5,
    upstreamMillis: 4,
    dropped: 0,
    rounded: 0,
    defaulted: 0,
    absent: 0,
    replaced: 0,
  });
  metrics.watchesMailbox(
    async () => 0,
    () => 1_060_000,
  );
  metrics.consent('connected');
  metrics.rateLimitWait(1);
  const crew = new CrewMetrics(
    async () => new Map(),
    () => 2,
  );
  return `${await metrics.text()}${await crew.text()}`;
}

describe('the metrics that dashboard and alerts query', () => {
  it('are listed at all, each with an expression', () => {
    expect(expressions.length).toBeGreaterThan(20);
  });

  it.each(expressions)(
    'include %s, with its labels and their values (expression %#)',
    async (_, expression) => {
      const text = await scraped();
      const names = expression.match(/causeway_\w+/g) ?? [];
      expect(names.length).toBeGreaterThan(0);
      for (const name of names) expect(text).toMatch(new RegExp(`^${name}(\\{| )`, 'm'));
      for (const [, name = '', label = '', value = ''] of expression.matchAll(
        /(causeway_\w+)\{(\w+)="([^"]+)"/g,
      ))
        if (label !== 'status') expect(text).toMatch(new RegExp(`^${name}\\{[^}]*${label}="${value}"`, 'm'));
      for (const [, labels = ''] of expression.matchAll(/by \(([^)]+)\)/g))
        for (const label of labels.split(', '))
          expect(names.some((name) => new RegExp(`^${name}\\{[^}]*\\b${label}="`, 'm').test(text))).toBe(
            true,
          );
    },
  );
});

describe('the census in the metrics', () => {
  it('counts by stage and state, with no account in any label', async () => {
    const text = await scraped();
    expect(text).toContain('causeway_accounts{stage="migrated"} 5');
    expect(text).toContain('causeway_invitations{state="accepted"} 5');
    expect(text).toContain('causeway_outbox_messages{state="sent"} 9');
    expect(text).toContain('causeway_grants{state="lost"} 1');
    expect(text).toContain('causeway_deliveries{state="delivered"} 4');
    expect(text).toContain('causeway_unlearned_identifiers 7');
    expect(text).toContain('causeway_oldest_grant_seconds 60');
    expect(text).toContain('causeway_budget_waiting{application="default"} 2');
    expect(text).toContain('causeway_account_breakers_open{root="v3"} 1');
    expect(text).toContain('causeway_connections{root="v3"} 2');
    expect(text).toContain('causeway_connections_waiting{root="v3"} 3');
    expect(text).toContain('causeway_connections_refused{root="v3"} 4');
    expect(text).toContain('causeway_retries_refused{root="v3"} 5');
    const labels = new Set(Array.from(text.matchAll(/[{,](\w+)="/g), ([, label]) => label));
    expect([...labels].sort()).toEqual([
      'alarm',
      'application',
      'breaker',
      'lane',
      'le',
      'method',
      'outcome',
      'reason',
      'root',
      'stage',
      'state',
      'status',
      'verdict',
    ]);
  });

  it('keeps its figures, and says so, while the database is down', async () => {
    const metrics = new Metrics();
    let answers = true;
    metrics.takesCensus(
      async () => {
        if (!answers) throw new Error('gone');
        return census;
      },
      () => 0,
    );
    expect(await metrics.text()).toContain('causeway_census_failed_total 0');
    answers = false;
    const text = await metrics.text();
    expect(text).toContain('causeway_accounts{stage="migrated"} 5');
    expect(text).toContain('causeway_census_failed_total 1');
  });

  it('does not hold up the other figures while a lock keeps the database from answering', async () => {
    const metrics = new Metrics();
    const lock = Promise.withResolvers<Census>();
    let asked = 0;
    metrics.takesCensus(
      () => {
        asked += 1;
        return lock.promise;
      },
      () => 0,
    );
    metrics.watchesHealth(() => ({ serves: true, degraded: {} }));
    const [text] = await Promise.all([metrics.text(), metrics.text()]);
    expect(text).toContain('causeway_ready 1');
    expect(text).toMatch(/^causeway_census_failed_total [12]$/m);
    expect(asked).toBe(1);
    lock.resolve(census);
    expect(await metrics.text()).toContain('causeway_accounts{stage="migrated"} 5');
  });
});
