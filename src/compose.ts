export { cliParts } from './wiring/cli.ts';
