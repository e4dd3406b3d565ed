/**
 * Node's HTTP module, without the cost of an `import` at the bridge's start. That reads every one of its exports, and
 * for `WebSocket` Node loads its own copy of undici: 40 ms and 13 MB of every start, for nothing. This way only the
 * names in use are read.
 */
export const http = process.getBuiltinModule('node:http');

/** Loaded on first use: TLS takes 7 MB. */
export const https = (): ReturnType<typeof process.getBuiltinModule<'node:https'>> =>
  process.getBuiltinModule('node:https');
