import { exampleOf, removes } from './calls.ts';
import type { Route, Scene } from './scene.ts';
import type { Entered, Trace } from './trace.ts';

/** The functions that one call enters. */
export interface Path {
  readonly method: string;
  readonly route: Route;
  readonly functions: readonly Entered[];
}

const WARM_UP = 5;
const REPEATS = 8;
/** In minutes, with a margin. */
const TOKEN_LASTS = 31;
/** In place of a method: the functions that a call enters in addition when its access token has expired. */
export const REFRESH = 'refresh';

/**
 * Records one warm call. Concurrent work of the bridge (timers, jobs) is separated by repetition: a function belongs to
 * the call if each of several equal calls enters it. Throws if the route does not serve the method.
 */
export async function recordPath(
  { scene, trace }: { readonly scene: Scene; readonly trace: Trace },
  method: string,
  route: Route,
): Promise<Path> {
  if (method === REFRESH) return { method, route: 'v3', functions: await refreshPath(scene, trace) };
  const example = exampleOf(method);
  if (example === undefined || !(await scene.routeTo(method, route)))
    throw new Error(`${method} is not served from ${route}`);
  const send = (): Promise<string> => scene.call(route, example.verb, example.path, example.body);
  if (removes(method)) return { method, route, functions: await trace.record(send) };
  for (let count = 0; count < WARM_UP; count += 1) await send();
  return { method, route, functions: common(await repeated(() => trace.record(send))) };
}

export const filesOf = ({ functions }: Path): readonly string[] => [
  ...new Set(functions.map(({ file }) => file)),
];

export const labelOf = ({ file, name, line }: Entered): string => `${file}:${line} ${name}`;

async function refreshPath(scene: Scene, trace: Trace): Promise<readonly Entered[]> {
  await scene.routeTo('client.get', 'v3');
  // The fast path serves no call that needs a refresh, and no address that ends in a slash.
  const send = (): Promise<string> => scene.call('v3', 'GET', 'client.api/get/1000000/');
  for (let count = 0; count < WARM_UP; count += 1) await send();
  // After such a pause, the limiter has to free permits for this call too.
  scene.passMinutes(2);
  // A usual call reads from the database only now and then, depending on the machine: its driver is never counted.
  const reading = await trace.record(() => scene.routeTo('client.get', 'v3'));
  const usual = new Set([...reading, ...(await repeated(() => trace.record(send))).flat()]);
  const renewing = await repeated(() => {
    scene.passMinutes(TOKEN_LASTS);
    return trace.record(send);
  });
  return common(renewing).filter((one) => !usual.has(one));
}

async function repeated<T>(work: () => Promise<T>): Promise<readonly T[]> {
  const results: T[] = [];
  for (let count = 0; count < REPEATS; count += 1) results.push(await work());
  return results;
}

function common(recordings: readonly (readonly Entered[])[]): readonly Entered[] {
  const [first = [], ...others] = recordings;
  return first.filter((one) => others.every((other) => other.includes(one)));
}
