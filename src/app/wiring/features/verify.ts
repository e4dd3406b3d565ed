import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { Account } from '../../../features/accounts/account.ts';
import { MappingFiles, PROFILE } from '../../../proof/verify/report/mapping-files.ts';
import { Refusal } from '../../../lib/log/terminal.ts';
import { loadMapping } from '../../../mapping/compile/compile.ts';
import { MappingFaults } from '../../../mapping/compile/fault.ts';
import { Pacer } from '../../../proof/verify/pacer.ts';
import { Recorder } from '../../../proof/verify/recorder.ts';
import { VerifyRun, type VerifyParts } from '../../../proof/verify/verify.ts';
import type { Tried } from '../../../proof/verify/calling.ts';
import { destinationOf } from '../../../upstream/model.ts';
import type { Binding } from '../../../upstream/organisation.ts';
import { loadProfile } from '../../settings/profiles.ts';
import type { Services } from '../services.ts';
import { keysOf } from './writes.ts';

/** The request for a run. */
export interface VerifyRequest extends Pick<VerifyParts, 'writes' | 'progress' | 'signal'> {
  readonly account: Account;
  readonly binding: Binding;
  /** Calls of V3 and V2 per minute; undefined: half of the limit. */
  readonly perMinute: number | undefined;
  readonly version: string;
}

/** The request of the command. */
export interface WantedVerification extends Pick<
  VerifyRequest,
  'writes' | 'perMinute' | 'version' | 'progress' | 'signal'
> {
  /** The organisation's name, or its id for reads only. */
  readonly organisation: string;
}

/** The result of a run, for the terminal. */
export interface WrittenVerification {
  /** With the report's path, if it could be written. */
  readonly summary: string;
  readonly json: string;
  /** Why the run fails; undefined: nothing differs, and the report is written. */
  readonly words: string | undefined;
}

/** One run against the service. Throws `Refusal` if V3 is not configured. */
export async function verifyOf(services: Services, request: VerifyRequest): Promise<VerifyRun> {
  const { oauth, v1, settings, mapping, clock } = services;
  const { account, binding, writes, version, progress } = request;
  if (oauth === undefined)
    throw new Refusal('V3 is not configured: this bridge only passes calls through to V1');
  const keys = v1 === undefined ? undefined : await keysOf(services, account);
  const half = Math.floor(settings.profile.limits.perMinute / 2);
  const perMinute = request.perMinute ?? Math.max(1, half);
  const pacer = new Pacer(clock, perMinute, (millis) =>
    // Rejects if the run is stopped meanwhile: a turn can take a minute.
    delay(millis, undefined, { signal: request.signal }),
  );
  const { v2Endpoint } = oauth;
  const hasV2 = v2Endpoint !== undefined && account.product === 'standard';
  const parts: VerifyParts = {
    to: destinationOf(account, binding),
    clock,
    v1:
      v1 === undefined || keys === undefined || account.life.stage === 'migrated'
        ? undefined
        : { endpoint: v1, keys, pacer },
    v3: new Recorder({ upstream: oauth.endpoint, surface: 'v3', pacer }),
    v2: hasV2 ? new Recorder({ upstream: v2Endpoint, surface: 'v2', pacer }) : undefined,
    tried: { mapping, profile: settings.profile },
    files: () => MappingFiles.read(settings.mappings, settings.profilePath),
    compiled,
    facts: { version, organisation: binding.organisation, account: account.name },
    ...{ writes, perMinute, progress, signal: request.signal },
  };
  return new VerifyRun(parts);
}

/** Compiled in a temporary folder, which is removed afterwards. */
function compiled(texts: ReadonlyMap<string, string>): Tried | undefined {
  const folder = mkdtempSync(join(tmpdir(), 'causeway-verify-'));
  try {
    for (const [file, text] of texts) writeFileSync(join(folder, file === PROFILE ? 'profile' : file), text);
    const profile = loadProfile(join(folder, 'profile'), (path) => readFileSync(path, 'utf8'));
    if (!('v3' in profile)) return undefined;
    return { profile, mapping: loadMapping(folder, profile.v3.identifiers) };
  } catch (error) {
    if (!(error instanceof MappingFaults)) throw error;
    return undefined;
  } finally {
    rmSync(folder, { recursive: true });
  }
}
