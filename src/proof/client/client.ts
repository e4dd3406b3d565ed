import type { GoldenFile } from '../rehearsal/order.ts';
import type { ClientLanguage, ClientPlan } from './client-model.ts';
import { phpClient } from './php/php.ts';
import { typescriptClient } from './typescript.ts';

const writers: Readonly<Record<ClientLanguage, (plan: ClientPlan) => readonly GoldenFile[]>> = {
  typescript: typescriptClient,
  php: phpClient,
};

/** Marks a folder as a client that `causeway client` may overwrite. */
export const CLIENT_MARK = 'causeway-client.json';

/** Generates the files of a client. `version`: of this program, for the mark. */
export function clientFiles(
  language: ClientLanguage,
  plan: ClientPlan,
  version: string,
): readonly GoldenFile[] {
  const methods = plan.methods.map(({ method }) => method.id);
  const mark = { writtenBy: `causeway client ${version}`, language, route: plan.route, methods };
  return [
    ...writers[language](plan),
    { path: CLIENT_MARK, content: `${JSON.stringify(mark, undefined, 2)}\n` },
  ];
}
