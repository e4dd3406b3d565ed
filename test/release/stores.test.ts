import { describe, expect, it } from '@jest/globals';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { planMigration } from '../../src/app/migration.ts';
import { compareVersions } from '../../scripts/release/version.ts';
import { openStore } from '../../src/app/store.ts';
import { migrations } from '../../src/db/migrations/index.ts';
import { describeOnBoth } from '../db/engines.ts';
import { sqlOf } from '../support/sql.ts';
import { foundIn, keptDump, keptFacts, keptFile, keptVersions } from './kept-store.ts';

const { version } = JSON.parse(
  readFileSync(join(import.meta.dirname, '..', '..', 'package.json'), 'utf8'),
) as { readonly version: string };

const [oldest = version] = keptVersions().toSorted(compareVersions);

it('every schema step since the first release says which releases work with its result', () => {
  const schema = keptDump(oldest).match(/^INSERT INTO public\.schema_version /gm)?.length ?? 0;
  expect(schema).toBeGreaterThan(0);
  const silent = migrations.slice(schema).filter((step) => step.oldest === undefined);
  expect(silent.map(({ name }) => name)).toEqual([]);
});

it('the database of this version is kept for the tests of later ones', () => {
  expect(keptVersions()).toContain(version);
});

describe.each(keptVersions())('a database of version %s', (kept) => {
  describeOnBoth(
    'on the database of the time',
    (bench) => {
      it('is migrated to this release with all its data, and its tokens open', async () => {
        if (bench.engine === 'SQLite') writeFileSync(bench.url().slice('sqlite:'.length), keptFile(kept));
        else await sqlOf(bench.url(), keptDump(kept));
        const { version: schema, steps } = await planMigration(bench.url());
        expect(schema + steps.length).toBe(migrations.length);
        // The dump names its schema itself, and leaves the connection without a search path.
        const store = await openStore(bench.url());
        try {
          expect(await foundIn(store)).toEqual(keptFacts(kept));
        } finally {
          await store.close();
        }
        expect(await planMigration(bench.url())).toEqual({ version: migrations.length, steps: [] });
      });
    },
    'nothing',
  );
});
