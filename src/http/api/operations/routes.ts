import { z } from 'zod';
import { evidenceKinds, type RouteEvidence } from '../../../mapping/evidence.ts';
import { EVERY_ACCOUNT, apiVersions, type ApiVersion } from '../../../mapping/routes/routes.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { canaryOf, canarySchema, count, orNull, routeOf, routeSchema } from '../shapes.ts';
import { missedLines } from '../../../features/admin/usage/usage-words.ts';

const day = z.iso.date().nullable();

const evidenceOf = ({ v3, v2, verified }: RouteEvidence) => ({
  ...{ v3, v2: orNull(v2) },
  verified: { v1: orNull(verified.v1), v3: orNull(verified.v3), v2: orNull(verified.v2) },
});

const routes = endpoint({
  id: 'listRoutes',
  verb: 'GET',
  path: '/routes',
  area: 'Routes',
  summary: 'Shows which API version serves each method, and what operators have set',
  scope: 'read',
  reply: {
    name: 'RouteList',
    schema: z.strictObject({
      hasV2: z.boolean().describe('false: V3 serves what is routed to V2'),
      methods: z.array(
        z.strictObject({
          id: z.string(),
          route: z.enum(apiVersions).describe('The default'),
          v2: z.enum(['A', 'B', 'C', 'none']).describe('How well V2 supports it'),
          why: z.string().nullable(),
          losses: z.array(z.string()),
          toV3: z.array(z.string()).describe('Calls that V3 answers although the route is V2, and why'),
          staysOnV3: z.boolean().describe('V3 answers all its calls, whatever the route'),
          evidence: z
            .strictObject({
              v3: z.enum(evidenceKinds),
              v2: z.enum(evidenceKinds).nullable(),
              verified: z
                .strictObject({ v1: day, v3: day, v2: day })
                .describe('The days on which causeway verify proved it; null: not yet'),
            })
            .describe('What its calls rest on; the weakest part counts'),
          isWrite: z.boolean(),
          assumed: z.array(z.string()).describe('What the specification leaves open'),
        }),
      ),
      overrides: z.array(routeSchema),
      canaries: z.array(canarySchema).describe('Routes tried on one account: the latest trial of each'),
    }),
  },
  handle: async ({ admin }) => ({
    hasV2: admin.routes.hasV2,
    methods: admin.routes.methods().map((method) => ({
      ...method,
      why: orNull(method.why),
      losses: [...method.losses],
      toV3: [...method.toV3],
      evidence: evidenceOf(method.evidence),
      assumed: [...method.assumed],
    })),
    overrides: (await admin.routes.list()).map(routeOf),
    canaries: (await admin.routes.trials()).map(canaryOf),
  }),
});

const change = {
  name: 'RouteChange',
  schema: z.strictObject({
    account: z.string().describe(`Id of an account, or ${EVERY_ACCOUNT}`),
    route: z.enum([...apiVersions, 'default']),
    acceptAssumed: z
      .boolean()
      .optional()
      .describe('Also route writes to V2 that rest on an assumption; otherwise they are refused'),
  }),
} as const;

type Change = z.infer<typeof change.schema>;
const accountOf = ({ account }: Change): string | undefined =>
  account === EVERY_ACCOUNT ? undefined : account;
const routeIn = ({ route }: Change): ApiVersion | undefined => (route === 'default' ? undefined : route);

const previewRoute = endpoint({
  id: 'previewRoute',
  verb: 'POST',
  path: '/routes/{method}/preview',
  area: 'Routes',
  summary: 'Shows what a change of route would do, and to how many accounts; changes nothing',
  scope: 'read',
  body: change,
  reply: {
    name: 'RoutePreview',
    schema: z.strictObject({
      method: z.string(),
      from: z.enum(apiVersions),
      to: z.enum(apiVersions),
      now: count.describe('Accounts that have moved: their calls take the new route within a second'),
      later: count.describe('Accounts that follow when they move'),
      own: count.describe('Accounts that keep a route of their own'),
      practice: count.describe('Accounts of the practice product, which has no V2'),
      losses: z.array(z.string()).describe('What V2 loses, where it is routed there'),
      toV3: z.array(z.string()).describe('Calls that V3 still answers, and why'),
      missed: z.array(z.string()).describe('What the accounts would miss, from what their programs use'),
    }),
  },
  async handle({ admin, path, body }) {
    const forecast = await admin.routes.preview(path.method ?? '', accountOf(body), routeIn(body));
    const { method, from, to, now, later, own, practice, following } = forecast;
    const missed = await admin.usage.missed([method.id], to, following);
    return {
      ...{ method: method.id, from, to, now, later, own, practice },
      losses: [...forecast.losses],
      toV3: [...forecast.toV3],
      missed: [...missedLines(missed, following.length)],
    };
  },
});

const setRoute = endpoint({
  id: 'setRoute',
  verb: 'PUT',
  path: '/routes/{method}',
  area: 'Routes',
  summary: 'Routes a method for one account or for all; every process applies it within a second',
  scope: 'operate',
  body: change,
  reply: {
    name: 'RouteChangeResult',
    schema: z.strictObject({
      losses: z.array(z.string()).describe('What V2 loses, where it is routed there'),
    }),
  },
  async handle({ admin, path, who, body }) {
    const { acceptAssumed } = body;
    const [method] = await admin.routes.set(
      [path.method ?? ''],
      accountOf(body),
      routeIn(body),
      who,
      acceptAssumed,
    );
    return { losses: body.route === 'v2' ? [...(method?.losses ?? [])] : [] };
  },
});

export const routeOperations: readonly Endpoint[] = [routes, previewRoute, setRoute];
