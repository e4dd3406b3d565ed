/**
 * Node's HTTP module, for what a bridge loads at its start. An `import` of it reads every one of its exports, and with
 * `WebSocket` Node loads its own copy of undici: 40 ms and 13 MB of every start, for nothing. This reads what is named.
 */
export const http = process.getBuiltinModule('node:http');

/** Loaded with the first use: with TLS it takes 7 MB. */
export const https = (): ReturnType<typeof process.getBuiltinModule<'node:https'>> =>
  process.getBuiltinModule('node:https');
