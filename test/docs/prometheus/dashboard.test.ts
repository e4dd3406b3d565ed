import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { parse, stringify } from 'yaml';
import { freePort, RunningBridge } from '../../support/bridge.ts';
import { RunningSandbox } from '../../support/sandbox.ts';
import { alertFile, hasPrometheus, promtool, RunningPrometheus } from './prometheus.ts';

interface Dashboard {
  readonly panels: readonly {
    readonly title: string;
    readonly targets?: readonly { readonly expr: string }[];
  }[];
  readonly annotations: { readonly list: readonly { readonly name: string; readonly expr: string }[] };
  readonly templating: {
    readonly list: readonly { readonly name: string; readonly type: string; readonly query: string }[];
  };
}

const dashboard = JSON.parse(
  readFileSync(join(dirname(alertFile), 'grafana-dashboard.json'), 'utf8'),
) as Dashboard;
const variables = dashboard.templating.list.filter(({ type }) => type === 'query');

/** Prometheus is asked for the series of which Grafana takes a label's values. */
const seriesOf = (query: string): string => /^label_values\((.+), \w+\)$/.exec(query)?.[1] ?? '';

const queries: readonly (readonly [string, string])[] = [
  ...dashboard.panels.flatMap(({ title, targets = [] }) =>
    targets.map(({ expr }) => [`panel ${title}`, expr] as const),
  ),
  ...dashboard.annotations.list.map(({ name, expr }) => [`annotation ${name}`, expr] as const),
  ...variables.map(({ name, query }) => [`variable ${name}`, seriesOf(query)] as const),
];

/** As Grafana fills them in where everything is chosen. */
const filledIn = (query: string): string =>
  variables
    .reduce((text, { name }) => text.replaceAll(`$${name}`, '.*'), query)
    .replaceAll('$__rate_interval', '1m');

describe('the dashboard', () => {
  it('uses every variable that it defines, and defines every one that it uses', () => {
    const used = queries.flatMap(([, query]) => query.match(/\$(?!_)\w+/g) ?? []);
    expect([...new Set(used)].toSorted()).toEqual(variables.map(({ name }) => `$${name}`).toSorted());
    expect(dashboard.annotations.list.length).toBeGreaterThan(0);
    expect(queries.filter(([, query]) => query === '')).toEqual([]);
  });
});

(hasPrometheus ? it : it.skip)(
  'the accounts moved and left on the dashboard are those that the status report counts',
  async () => {
    const stages = {
      legacy: 10,
      consented: 5,
      lost: 5,
      disconnected: 20,
      migrated: 60,
      closed: 7,
      exported: 3,
    };
    const queryOf = (title: string): string =>
      filledIn(dashboard.panels.find((panel) => panel.title === title)?.targets?.[0]?.expr ?? '');
    const input = Object.entries(stages).map(([stage, accounts]) => ({
      series: `causeway_accounts{stage="${stage}",job="causeway",instance="a"}`,
      values: `${accounts}x5`,
    }));
    // A disconnected account is lost in the report, so it is left: its customer has to consent again.
    const expected = Object.entries({ Moved: 0.6, Left: 40 }).map(([title, value]) => ({
      ...{ expr: queryOf(title), eval_time: '4m', exp_samples: [{ labels: '{}', value }] },
    }));
    const folder = mkdtempSync(join(tmpdir(), 'causeway-dashboard-'));
    try {
      const tests = [{ interval: '1m', input_series: input, promql_expr_test: expected }];
      writeFileSync(join(folder, 'tests.yaml'), stringify({ evaluation_interval: '1m', tests }));
      expect(await promtool('test', 'rules', join(folder, 'tests.yaml'))).toMatchObject({ code: 0 });
    } finally {
      rmSync(folder, { recursive: true });
    }
  },
);

(hasPrometheus ? describe : describe.skip)(
  'the dashboard in Prometheus, with the metrics of a bridge,',
  () => {
    let sandbox: RunningSandbox;
    let bridge: RunningBridge;
    let prometheus: RunningPrometheus;
    let metrics = '';

    beforeAll(async () => {
      const port = await freePort();
      sandbox = await RunningSandbox.start({ redirectUris: [`http://127.0.0.1:${port}/_causeway/callback`] });
      const account = {
        name: 'Harbour Lane Studio',
        accountKey: 'A000000000000000000000000000C001',
        users: [{ name: 'Ana Owner', email: 'ana@studio.example' }],
        clients: [{ number: 1, name: 'Client' }],
      };
      await sandbox.seed([account]);
      bridge = await RunningBridge.start({ port, sandbox: sandbox.url });
      await bridge.add({ ...account, apiKey: '0'.repeat(32), product: 'standard' });
      await bridge.migrate(account.name, 'Ana Owner');
      const query = `apiKey=${'0'.repeat(32)}&accountKey=${account.accountKey}`;
      expect((await fetch(`${bridge.url}/client.api/list?${query}`)).status).toBe(200);
      metrics = await (await fetch(bridge.metrics)).text();
      prometheus = await RunningPrometheus.start(new URL(bridge.metrics).host);
      await prometheus.has('causeway_calls_total');
    });

    afterAll(async () => {
      await prometheus.stop();
      await bridge.stop();
      await sandbox.close();
    });

    it.each(queries)('gets a result for its %s (query %#)', async (_, query) => {
      expect(await prometheus.query(filledIn(query))).toMatchObject({ status: 'success' });
      for (const [name] of query.matchAll(/causeway_\w+/g))
        expect(metrics).toContain(`# TYPE ${name.replace(/_bucket$/, '')} `);
    });

    it('shows what has happened', async () => {
      const found = async (what: string): Promise<number> => {
        const [, query = ''] = queries.find(([name]) => name === what) ?? [];
        return (await prometheus.query(filledIn(query))).data?.result.length ?? 0;
      };
      for (const what of ['panel Moved', 'panel Accounts by stage', 'variable instance', 'variable method'])
        expect(await found(what)).toBeGreaterThan(0);
    });

    it('would report a query that Prometheus cannot parse', async () => {
      expect(await prometheus.query('sum(')).toMatchObject({ status: 'error' });
    });

    it('has no alert that cannot be evaluated', async () => {
      const { groups } = parse(readFileSync(alertFile, 'utf8')) as {
        readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
      };
      for (const { expr } of groups.flatMap(({ rules }) => rules))
        expect(await prometheus.query(expr)).toMatchObject({ status: 'success' });
    });
  },
);
