import type { Lane } from './routes.ts';

declare module '../../db/tables.ts' {
  interface Tables {
    route_overrides: RouteOverrideRow;
  }
}

export interface RouteOverrideRow {
  method: string;
  account_id: string;
  route: Lane;
  at: number;
  actor: string;
}
