import { z } from 'zod';
import { EVERY_ACCOUNT, lanes } from '../../../domain/routes.ts';
import { endpoint, type Endpoint } from '../endpoint.ts';
import { orNull, routeOf, routeSchema } from '../shapes.ts';

const routes = endpoint({
  id: 'listRoutes',
  verb: 'GET',
  path: '/routes',
  area: 'Routes',
  summary: 'Which form of the service each method is served from, and what operators have set',
  scope: 'read',
  reply: {
    name: 'RouteList',
    schema: z.strictObject({
      hasV2: z.boolean().describe('false: V3 serves what is routed to V2'),
      methods: z.array(
        z.strictObject({
          id: z.string(),
          route: z.enum(lanes).describe('The default'),
          v2: z.enum(['A', 'B', 'C', 'none']).describe('How well V2 carries it'),
          why: z.string().nullable(),
          losses: z.array(z.string()),
        }),
      ),
      overrides: z.array(routeSchema),
    }),
  },
  handle: async ({ desk }) => ({
    hasV2: desk.routes.hasV2,
    methods: desk.routes
      .methods()
      .map((method) => ({ ...method, why: orNull(method.why), losses: [...method.losses] })),
    overrides: (await desk.routes.list()).map(routeOf),
  }),
});

const setRoute = endpoint({
  id: 'setRoute',
  verb: 'PUT',
  path: '/routes/{method}',
  area: 'Routes',
  summary: 'Routes a method for one account or for all; every process follows within a second',
  scope: 'operate',
  body: {
    name: 'RouteChange',
    schema: z.strictObject({
      account: z.string().describe(`Id of an account, or ${EVERY_ACCOUNT}`),
      route: z.enum([...lanes, 'default']),
    }),
  },
  reply: {
    name: 'RouteChangeResult',
    schema: z.strictObject({
      losses: z.array(z.string()).describe('What V2 loses, where it is routed there'),
    }),
  },
  async handle({ desk, path, who, body: { account, route } }) {
    const { losses } = await desk.routes.set(
      path.method ?? '',
      account === EVERY_ACCOUNT ? undefined : account,
      route === 'default' ? undefined : route,
      who,
    );
    return { losses: route === 'v2' ? [...losses] : [] };
  },
});

export const routeOperations: readonly Endpoint[] = [routes, setRoute];
