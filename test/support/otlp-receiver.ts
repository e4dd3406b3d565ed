/**
 * A receiver of OTLP over HTTP, in JSON, as strict as the protocol: what is not in opentelemetry-proto's
 * `ExportTraceServiceRequest` (trace/v1/trace.proto, common/v1/common.proto), or not in the form that its JSON encoding
 * demands, is refused with 400, as a collector does.
 */
import type { ServerResponse } from 'node:http';
import { z } from 'zod';
import { Receiver, type Arrived } from './receiver.ts';

const id = (digits: number): z.ZodString =>
  z.string().regex(new RegExp(`^(?!0{${digits}})[0-9a-f]{${digits}}$`));
const nanos = z.string().regex(/^[1-9]\d{17,18}$/);
const anyValue = z.union([
  z.strictObject({ stringValue: z.string() }),
  z.strictObject({ intValue: z.string().regex(/^-?\d+$/) }),
  z.strictObject({ doubleValue: z.number() }),
]);
const attributes = z
  .array(z.strictObject({ key: z.string().min(1), value: anyValue }))
  .refine((list) => new Set(list.map(({ key }) => key)).size === list.length, 'keys must be unique');
const span = z
  .strictObject({
    traceId: id(32),
    spanId: id(16),
    traceState: z.string().optional(),
    parentSpanId: id(16).optional(),
    name: z.string().min(1),
    kind: z.number().int().min(0).max(5),
    startTimeUnixNano: nanos,
    endTimeUnixNano: nanos,
    attributes,
    status: z.strictObject({ code: z.literal([0, 1, 2]).optional(), message: z.string().optional() }),
  })
  .refine(({ startTimeUnixNano: begun, endTimeUnixNano: ended }) => BigInt(begun) <= BigInt(ended));
const request = z.strictObject({
  resourceSpans: z.array(
    z.strictObject({
      resource: z.strictObject({ attributes }),
      scopeSpans: z.array(
        z.strictObject({
          scope: z.strictObject({ name: z.string(), version: z.string() }),
          spans: z.array(span),
        }),
      ),
    }),
  ),
});

export type ReceivedSpan = z.infer<typeof span>;

/** Takes spans as a collector does. */
export class OtlpReceiver {
  readonly spans: ReceivedSpan[] = [];
  readonly resources: unknown[] = [];
  /** Why requests were refused. */
  readonly faults: string[] = [];
  readonly requests: Arrived[] = [];
  /** Answered instead of taking anything. */
  status: number | undefined;
  /** Sent with `status`, in seconds. */
  retryAfter: string | undefined;
  /** Accepts requests, and never answers. */
  hangs = false;
  /** Answered to a request that is taken. */
  answer: object = {};
  readonly #receiver: Receiver;

  private constructor(receiver: Receiver) {
    this.#receiver = receiver;
    receiver.answer = (response, arrived) => {
      this.#take(response, arrived);
    };
  }

  static async open(): Promise<OtlpReceiver> {
    return new OtlpReceiver(await Receiver.open());
  }

  get url(): string {
    return this.#receiver.url;
  }

  /** Of one trace, by name. */
  named(name: string, traceId?: string): readonly ReceivedSpan[] {
    return this.spans.filter(
      (one) => one.name === name && (traceId === undefined || one.traceId === traceId),
    );
  }

  close(): Promise<void> {
    return this.#receiver.close();
  }

  #take(response: ServerResponse, arrived: Arrived): void {
    this.requests.push(arrived);
    if (this.hangs) return;
    if (this.status !== undefined) {
      const headers = this.retryAfter === undefined ? {} : { 'retry-after': this.retryAfter };
      response.writeHead(this.status, headers).end();
      return;
    }
    const { url, headers, body } = arrived;
    const read = request.safeParse(JSON.parse(body));
    const isRight = url === '/v1/traces' && headers['content-type'] === 'application/json';
    if (!isRight || !read.success) {
      this.faults.push(read.error?.message ?? url);
      response.writeHead(400).end();
      return;
    }
    for (const { resource, scopeSpans } of read.data.resourceSpans) {
      this.resources.push(resource);
      this.spans.push(...scopeSpans.flatMap(({ spans }) => spans));
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(this.answer));
  }
}

/** The value of an attribute, as text. */
export function attributeOf({ attributes: all }: ReceivedSpan, key: string): string | undefined {
  const value = all.find((one) => one.key === key)?.value;
  return value === undefined ? undefined : String(Object.values(value)[0]);
}
