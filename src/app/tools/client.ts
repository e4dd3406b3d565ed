/** Writes the client with which the programs of an account replace the bridge, one method after the other. */
import { access, rename, rm } from 'node:fs/promises';
import { dirname, join, resolve } from 'node:path';
import type { Account } from '../../features/accounts/account.ts';
import type { AdminUsage, AccountUsage } from '../../features/admin/usage/usage.ts';
import { Refusal } from '../../lib/log/terminal.ts';
import type { Method } from '../../mapping/compile/model.ts';
import { clientFiles, CLIENT_MARK } from '../../proof/client/client.ts';
import type { ClientMethod } from '../../proof/client/client-model.ts';
import { methodOfFile } from '../../proof/rehearsal/golden-format.ts';
import type { Progress } from '../../lib/progress.ts';
import type { Services } from '../wiring/services.ts';
import type { Deeds } from './deeds.ts';
import type { WantedClient, WrittenClient } from './model.ts';
import { cannot, checkWritable, namesIn, writeFolder } from './new-folder.ts';
import { goldenCalls } from './recording.ts';

/** What the tool needs. */
interface ClientParts {
  readonly services: Services;
  readonly deeds: Deeds;
  readonly usage: Pick<AdminUsage, 'show'>;
}

/**
 * Throws `Refusal`, with nothing written. Audited if written for an account, because its recorded calls leave the
 * bridge.
 */
export async function writeClient(
  parts: ClientParts,
  wanted: WantedClient,
  progress: Progress,
): Promise<WrittenClient> {
  const { account } = wanted;
  checkRoute(wanted);
  await checkFolder(wanted);
  if (account === undefined) return written(parts, wanted, allMethods(parts.services), undefined);
  const shown = await parts.usage.show(account);
  const used = usedMethods(shown, parts.services.mapping.methods);
  if (used.methods.length === 0)
    throw new Refusal(
      `no counted call of ${account.name} is one that a client could make (causeway usage shows what was counted); --all-methods generates one for all methods`,
    );
  return parts.deeds.do('client.write', account, async () => {
    const golden = await goldenCalls(parts.services, account, progress);
    const client = await written(parts, wanted, used, golden);
    return [client, `done: ${client.methods} methods, ${client.cases} recorded calls`];
  });
}

/** Throws `Refusal` for a client that is to use V2 but cannot. */
function checkRoute({ account, language, route }: WantedClient): void {
  if (route !== 'v2') return;
  if (language === 'php')
    throw new Refusal('a PHP client calls V3 only: leave out --route v2, or generate one in TypeScript');
  if (account?.product === 'practice')
    throw new Refusal(`${account.name} belongs to the practice product, which has no V2`);
}

/** The methods of a client, and further ones that its account uses. */
interface Used {
  readonly methods: readonly ClientMethod[];
  readonly unknown: readonly string[];
}

type Golden = Awaited<ReturnType<typeof goldenCalls>>;

async function written(
  { services }: ClientParts,
  { language, route, folder, version }: WantedClient,
  { methods, unknown }: Used,
  golden: Golden,
): Promise<WrittenClient> {
  const { mapping, settings, clock } = services;
  const ids = new Set(methods.map(({ method }) => method.id));
  const cases = golden?.files.filter(({ path }) => ids.has(methodOfFile(path))) ?? [];
  const begins = golden?.begins ?? clock.now();
  const plan = { methods, mapping, profile: settings.profile, route, cases, begins };
  await replaceFolder(
    folder,
    new Map(clientFiles(language, plan, version).map(({ path, content }) => [path, content])),
  );
  return { methods: methods.length, unknown, cases: cases.length, leftOut: golden?.leftOut ?? [] };
}

const allMethods = ({ mapping }: Services): Used => ({
  methods: mapping.methods.map((method) => ({ method, calls: undefined, missed: [] })),
  unknown: [],
});

/** In the order of the mapping. */
function usedMethods({ account, programs, readiness }: AccountUsage, known: readonly Method[]): Used {
  const calls = new Map<string, number>();
  for (const one of programs.flatMap(({ methods }) => methods))
    calls.set(one.method, (calls.get(one.method) ?? 0) + one.calls);
  const missed = Map.groupBy(
    (readiness?.v2.reasons ?? []).filter(({ isMissed }) => isMissed),
    ({ method }) => method,
  );
  const methods = known
    .filter(({ id }) => calls.has(id))
    .map((method) => ({
      method: offered(method, account),
      calls: calls.get(method.id),
      missed: (missed.get(method.id) ?? []).map(({ words }) => words),
    }));
  const ids = new Set(known.map(({ id }) => id));
  return { methods, unknown: [...calls.keys()].filter((id) => !ids.has(id)).toSorted() };
}

/** The practice product has no V2. */
const offered = (method: Method, { product }: Account): Method =>
  product === 'practice'
    ? { ...method, v2: { way: 'none', why: 'The practice product has no V2.' } }
    : method;

/** Throws `Refusal` for a folder that is not empty (a client may be replaced if asked to) or cannot be written. */
async function checkFolder({ folder, overwrite }: WantedClient): Promise<void> {
  const names = await namesIn(folder);
  if (names.length > 0 && !names.includes(CLIENT_MARK))
    throw new Refusal(`${folder} is not empty and holds no client; name a new or empty folder`);
  if (names.length > 0 && !overwrite)
    throw new Refusal(
      `${folder} holds a client already; --overwrite replaces it, including any changes made to it`,
    );
  await checkWritable(dirname(resolve(folder)), folder);
}

/**
 * The folder always holds either the old or the new client completely; a process that dies in between leaves both
 * beside it.
 */
async function replaceFolder(folder: string, files: ReadonlyMap<string, string>): Promise<void> {
  const place = resolve(folder);
  const [fresh, old] = [`${place}.new`, `${place}.old`];
  try {
    await rm(fresh, { recursive: true, force: true });
    await writeFolder(fresh, files);
    const hasOld = await holdsClient(place);
    // Left by a process that died: its replacement has been in place since.
    if (hasOld && (await holdsClient(old))) await rm(old, { recursive: true });
    if (hasOld) await rename(place, old);
    await rename(fresh, place);
    if (hasOld) await rm(old, { recursive: true });
  } catch (error) {
    throw cannot(folder, error);
  }
}

const holdsClient = (folder: string): Promise<boolean> =>
  access(join(folder, CLIENT_MARK)).then(
    () => true,
    () => false,
  );
