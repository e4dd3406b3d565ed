import { Deeds } from '../../src/app/tools/deeds.ts';
import { verifyMapping } from '../../src/app/tools/verify.ts';
import type { Services } from '../../src/app/wiring/services.ts';
import type { VerifyResult } from '../../src/proof/verify/verify.ts';
import { giveConsent } from '../../src/replay/consent.ts';
import type { Upstream, UpstreamAnswer, UpstreamRequest, V1Endpoint } from '../../src/upstream/model.ts';
import { studioSeed } from '../contract/seed.ts';
import { freePort, RunningBridge } from './bridge.ts';
import { eventually } from './clock.ts';
import { RunningSandbox } from './sandbox.ts';

const { id, name, accountKey, apiKeys, users } = studioSeed;
/** Many times the calls of all tests of a suite: what the tests before used of a minute is not taken for a lower limit. */
const PER_MINUTE = 60_000;

/** The service in a test's own hand: it answers itself, or passes a request on, changed or not. */
export type Changed = (
  request: UpstreamRequest,
  pass: (request: UpstreamRequest) => Promise<UpstreamAnswer>,
) => Promise<UpstreamAnswer>;

/** A sandbox with one organisation, and a bridge that is connected with it, whose calls a run of verify can change. */
export class VerifyStage {
  readonly #sandbox: RunningSandbox;
  readonly #bridge: RunningBridge;

  private constructor(sandbox: RunningSandbox, bridge: RunningBridge) {
    this.#sandbox = sandbox;
    this.#bridge = bridge;
  }

  static async open(): Promise<VerifyStage> {
    const port = await freePort();
    const limits = { perMinute: PER_MINUTE };
    const redirectUris = [`http://127.0.0.1:${port}/_causeway/callback`];
    const sandbox = await RunningSandbox.start({ protocol: { limits }, redirectUris });
    await sandbox.seed([{ id, name, accountKey, apiKeys, users, generate: { clients: 3, seed: 1 } }]);
    const env = {
      ...{ CAUSEWAY_CUTOVER: 'manual', CAUSEWAY_CONSENT_PROOF: 'name' },
      ...{ CAUSEWAY_V2_BASE_URL: `${sandbox.url}/v2`, CAUSEWAY_DISPOSABLE_ORGANISATIONS: id },
    };
    const bridge = await RunningBridge.start({ port, sandbox: sandbox.url, profile: { limits }, env });
    await bridge.add({ name, accountKey, apiKey: apiKeys[0] ?? '', product: 'standard' });
    const { path } = await bridge.services.accounts.invite(name);
    await giveConsent({ link: `${bridge.url}${path}`, person: users[0]?.name ?? '', organisation: name });
    await eventually('it has consented', async () =>
      (await bridge.services.accounts.show(name))?.account.life.stage === 'consented' ? true : undefined,
    );
    return new VerifyStage(sandbox, bridge);
  }

  /** One run, with V3 and V2 as a test changes them. */
  run({
    writes = false,
    progress = () => undefined,
    ...changed
  }: {
    readonly v3?: Changed;
    readonly v2?: Changed;
    /** Answers a call of V1 instead of it; undefined: V1 answers. */
    readonly v1?: (path: string) => UpstreamAnswer | undefined;
    readonly writes?: boolean;
    /** Hears what the terminal shows. */
    readonly progress?: (words: string) => void;
  }): Promise<VerifyResult> {
    const services = this.#changed(changed);
    return verifyMapping(services, new Deeds(services), {
      ...{ organisation: name, writes, perMinute: PER_MINUTE, version: 'test' },
      progress,
    });
  }

  #changed({ v3, v2, v1 = () => undefined }: Parameters<VerifyStage['run']>[0]): Services {
    const { services } = this.#bridge;
    const { oauth } = services;
    if (oauth?.v2Endpoint === undefined) throw new Error('V3 and V2 are not configured');
    const endpoint = v3 === undefined ? oauth.endpoint : changedUpstream(oauth.endpoint, v3);
    const v2Endpoint = v2 === undefined ? oauth.v2Endpoint : changedUpstream(oauth.v2Endpoint, v2);
    return { ...services, v1: changedV1(services.v1, v1), oauth: { ...oauth, endpoint, v2Endpoint } };
  }

  async close(): Promise<void> {
    await this.#bridge.stop();
    await this.#sandbox.close();
  }
}

function changedUpstream<T extends Upstream>(upstream: T, changed: Changed): T {
  const send: Upstream['send'] = (to, request, patience) =>
    changed(request, (one) => upstream.send(to, one, patience));
  return new Proxy(upstream, {
    get: (target, key): unknown => (key === 'send' ? send : Reflect.get(target, key, target)),
  });
}

function changedV1(
  v1: Services['v1'],
  answers: (path: string) => UpstreamAnswer | undefined,
): Services['v1'] {
  if (v1 === undefined) return undefined;
  const pass: V1Endpoint['pass'] = async (request) => answers(request.target.reveal()) ?? v1.pass(request);
  return new Proxy(v1, {
    get: (target, key): unknown => (key === 'pass' ? pass : Reflect.get(target, key, target)),
  });
}

/** The request as a read. */
export const withoutBody = ({ segments, query, signal }: UpstreamRequest): UpstreamRequest => ({
  ...{ verb: 'GET', segments, query, signal },
});

/** An answer in JSON, which V3 gives for errors only. */
export const answerOf = (status: number, content: unknown): UpstreamAnswer =>
  answer(status, 'application/json', JSON.stringify(content));

/** An answer of V1 or V3. */
export const xmlAnswer = (text: string, status = 200): UpstreamAnswer => answer(status, 'text/xml', text);

function answer(status: number, contentType: string, text: string): UpstreamAnswer {
  const whole = Buffer.from(text);
  const body = async function* (): AsyncGenerator<Buffer> {
    yield whole;
  };
  return { status, contentType, headers: {}, whole, body: body(), millis: 1 };
}
