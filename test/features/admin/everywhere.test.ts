import { describe, expect, it } from '@jest/globals';
import type { Command } from 'commander';
import type { Router } from 'express';
import type { CliParts } from '../../../src/cli/parts.ts';
import { program } from '../../../src/cli/program.ts';
import {
  everywhere,
  ofBrowsers,
  ofPrograms,
  previews,
} from '../../../src/features/admin/actions/everywhere.ts';
import { operations } from '../../../src/http/api/operations.ts';
import { consoleRouter, type ConsoleParts } from '../../../src/http/console/console.ts';

/** Nothing is asked of them until somebody comes. */
const nobody: object = new Proxy({}, { get: () => nobody });
const brand = { name: '', logo: undefined, colour: '#000000', onColour: '#ffffff', support: undefined };

/** `POST /groups`, as the console's router answers it. */
function served({ stack }: Router): readonly string[] {
  return stack.flatMap(({ route }) => {
    if (route === undefined) return [];
    const methods = Object.keys((route as unknown as { methods: object }).methods);
    return methods.map((method) => `${method.toUpperCase()} ${route.path}`);
  });
}

const console_ = served(consoleRouter({ ...nobody, admin: nobody, brand } as unknown as ConsoleParts));
const api = operations.map(({ verb, path }) => `${verb} ${path}`);
const root = program({
  version: '',
  terminal: { out: () => undefined, err: () => undefined },
} as unknown as CliParts);

/** What is wrong with `waves add --start` as a command of this program; undefined: nothing. */
function faultOf(wanted: string): string | undefined {
  let command: Command = root;
  for (const word of wanted.split(' ')) {
    const isOption = word.startsWith('--');
    const inner = command.commands.find((one) => one.name() === word);
    if (isOption && !command.options.some(({ long }) => long === word)) return `${wanted}: no ${word}`;
    if (!isOption && inner === undefined) return `${wanted}: no command ${word}`;
    command = inner ?? command;
  }
  return undefined;
}

const formsIn = (routes: readonly string[]): readonly string[] =>
  routes.filter((route) => route.startsWith('POST ')).map((route) => route.slice('POST '.length));

describe('every action of the console', () => {
  it('is in the table, and the table has no other', () => {
    const rows = [...everywhere.flatMap(({ console }) => console), ...ofBrowsers];
    expect([...formsIn(console_)].sort()).toEqual([...rows].sort());
    for (const { console } of previews) expect(console_).toContain(`GET ${console}`);
  });

  it('can be done by the API, and every change by the API is in the table', () => {
    const rows = [...everywhere.flatMap((row) => row.api), ...ofPrograms.map((row) => row.api)];
    expect(api.filter((one) => !one.startsWith('GET ')).sort()).toEqual([...new Set<string>(rows)].sort());
    for (const row of previews) expect(api).toContain(row.api);
  });

  it('can be done by a command', () => {
    const commands = [
      ...everywhere.flatMap((row) => row.commands),
      ...[...ofPrograms, ...previews].map(({ command }) => command),
    ];
    expect(commands.flatMap((one) => faultOf(one) ?? [])).toEqual([]);
    expect(faultOf('waves add --never')).toBe('waves add --never: no --never');
    expect(faultOf('waves never')).toBe('waves never: no command never');
  });
});
