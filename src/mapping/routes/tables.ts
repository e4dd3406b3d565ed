import type { ApiVersion } from './routes.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    route_overrides: RouteOverrideRow;
  }
}

export interface RouteOverrideRow {
  method: string;
  account_id: string;
  route: ApiVersion;
  at: number;
  actor: string;
}
