import { expect, it } from '@jest/globals';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const project = join(import.meta.dirname, '..', '..');
const read = (name: string): string => readFileSync(join(project, name), 'utf8');

it('the page on firewall rules contains every address below /_causeway/', () => {
  const app = read('src/http/server/app.ts');
  const segments = [...app.matchAll(/(?:route\('\w+', |router\.use\(|\[)'(\/[a-z]+)/g)].map(
    ([, path]) => path,
  );
  expect(segments).toContain('/connection');
  expect(segments).toContain('/console');
  const page = read('docs/secure/firewall.md');
  const missing = [...new Set(segments)].filter((path) => !page.includes(`\`/_causeway${String(path)}`));
  expect(missing).toEqual([]);
});
