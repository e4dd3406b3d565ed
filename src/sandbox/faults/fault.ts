import { z } from 'zod';
import { alterSchema, isOnRequests, type Alteration, type RequestAlteration } from './alter.ts';

export const surfaces = ['v1', 'v3', 'v2', 'token'] as const;
export type FaultSurface = (typeof surfaces)[number];

/**
 * - `latency`: carried out `ms` later, whether the client waits for it or not.
 * - `status`: answered with `status` instead of being carried out; with `when: after` it is carried out first.
 * - `reset-before`: the connection dies, nothing is carried out.
 * - `reset-after`: carried out, the answer is lost.
 * - `cut`: carried out, the connection dies half way through the body of the answer.
 * - `late`: the connection dies at once, and `ms` later the request is carried out.
 * - `revoke`: the service revokes the token family of the call on its own initiative, access tokens included,
 *   and then carries out the call.
 * - `alter`: carried out, and the answer is changed by `rule`; several alterations of one call are applied
 *   together. Rules on requests (`path`, `parameter`) apply to the surface for as long as the fault is
 *   planned.
 *
 * `ms` counts on the sandbox's clock, so moving the clock shortens or lengthens the wait.
 */
export const faultSchema = z
  .strictObject({
    id: z
      .string()
      .regex(/^[\w.-]{1,64}$/)
      .optional(),
    on: z.strictObject({
      surface: z.enum(surfaces),
      /** `client.list`; on the token surface `exchange` or `refresh`. */
      operation: z.string().min(1).optional(),
      /** Organisation id. */
      accountId: z.string().min(1).optional(),
    }),
    do: z.enum(['latency', 'status', 'reset-before', 'reset-after', 'cut', 'late', 'revoke', 'alter']),
    /** Several are applied one after the other. */
    rule: z.union([alterSchema, z.array(alterSchema).min(1).max(40)]).optional(),
    ms: z.number().nonnegative().max(86_400_000).optional(),
    status: z.int().min(200).max(599).optional(),
    /** Seconds, sent as `Retry-After`. */
    retryAfter: z.int().nonnegative().optional(),
    body: z.enum(['html', 'json']).optional(),
    when: z.enum(['before', 'after']).optional(),
    times: z.int().positive().default(1),
    probability: z.number().positive().max(1).default(1),
  })
  .check((context) => {
    const fault = context.value;
    const need = (field: 'ms' | 'status' | 'rule'): void => {
      if (fault[field] !== undefined) return;
      context.issues.push({
        code: 'custom',
        input: fault,
        path: [field],
        message: `is required for ${fault.do}`,
      });
    };
    if (fault.do === 'latency' || fault.do === 'late') need('ms');
    if (fault.do === 'status') need('status');
    if (fault.do === 'alter') need('rule');
  });

export type Fault = z.infer<typeof faultSchema>;

export interface PlannedFault extends Omit<Fault, 'id'> {
  readonly id: string;
  /** How often it may still strike. */
  left: number;
  /** How often it has struck. */
  struck: number;
}

/** The properties of a request that a fault can match. */
export interface FaultTarget {
  readonly surface: FaultSurface;
  readonly operation: string | undefined;
  /** A token call may concern several organisations. */
  readonly accountIds: readonly string[];
}

/** The planned faults, in order; the first that matches strikes. */
export class FaultPlan {
  readonly #random: () => number;
  #faults: PlannedFault[] = [];
  #next = 1;

  /** `random` returns numbers in [0, 1). */
  constructor(random: () => number) {
    this.#random = random;
  }

  /** Replaces a fault that has the same id. */
  add(fault: Fault): PlannedFault {
    const id = fault.id ?? `fault-${String(this.#next++)}`;
    const planned: PlannedFault = { ...fault, id, left: fault.times, struck: 0 };
    this.#faults = [...this.#faults.filter((one) => one.id !== id), planned];
    return planned;
  }

  list(): readonly PlannedFault[] {
    return this.#faults;
  }

  /** Returns false if no fault has this id. */
  remove(id: string): boolean {
    const before = this.#faults.length;
    this.#faults = this.#faults.filter((fault) => fault.id !== id);
    return this.#faults.length < before;
  }

  clear(): void {
    this.#faults = [];
  }

  /** Returns the fault that strikes this request, or all matching alterations, and counts the strike. */
  strike(target: FaultTarget): readonly PlannedFault[] {
    const struck: PlannedFault[] = [];
    for (const fault of this.#faults) {
      if (!concerns(fault, target) || (struck.length > 0 && fault.do !== 'alter')) continue;
      if (fault.probability < 1 && this.#random() >= fault.probability) continue;
      fault.left -= 1;
      fault.struck += 1;
      struck.push(fault);
      if (fault.do !== 'alter') return struck;
    }
    return struck;
  }

  /** The rules that currently change which requests the surface recognises. */
  requestRules(surface: FaultSurface): readonly RequestAlteration[] {
    return this.#faults
      .filter((fault) => fault.do === 'alter' && fault.on.surface === surface)
      .flatMap((fault) => rulesOf(fault).filter(isOnRequests));
  }
}

/** The rules of an `alter` fault, in order. */
export const rulesOf = ({ rule }: Pick<Fault, 'rule'>): readonly Alteration[] =>
  rule === undefined ? [] : [rule].flat();

function concerns(fault: PlannedFault, target: FaultTarget): boolean {
  const { on } = fault;
  if (fault.left === 0 || (fault.do === 'alter' && rulesOf(fault).every(isOnRequests))) return false;
  if (on.surface !== target.surface) return false;
  if (on.operation !== undefined && on.operation !== target.operation) return false;
  return on.accountId === undefined || target.accountIds.includes(on.accountId);
}
