const dots = [
  '..',
  '.',
  '%2e%2e',
  '.%2e',
  '%2E.',
  '%252e%252e',
  '..;',
  '..%00',
  '%c0%ae%c0%ae',
  '%u002e%u002e',
  '․․',
  '..%0d%0a',
];
const slashes = ['/', '%2f', '%2F', '\\', '%5c', '%255c', '//', '/./', ';/', '%c0%af', '%00/', '%09/'];
const frames: readonly ((up: string) => string)[] = [
  (up) => `/client.api/get/${up}connect`,
  (up) => `/client.api/${up}${up}_sandbox`,
  (up) => `/${up}client.api/list`,
  (up) => `/client.api/get/1000000${up}`,
];

/** What `URL` and file systems have been talked into: dots and slashes in every disguise, in every place of a path. */
export function traversals(): readonly string[] {
  const crossed = dots.flatMap((dot) =>
    slashes.flatMap((slash) => frames.map((frame) => frame(`${slash}${dot}${slash}${dot}${slash}`))),
  );
  const names = [
    'client.api%2flist',
    'client.api%00/list',
    'client%2eapi/list',
    'client.api./list',
    'client.api;x/list',
    '@127.0.0.1/list',
    'client.api@127.0.0.1:1/list',
    '.api/list',
    '..api/list',
    '_sandbox/reset',
    '_sandbox.api/reset',
    'connect.api/../token',
    '%5f%73andbox/reset',
    'CLIENT.API%2f..%2f..%2fconnect/token',
    'client.api/list%3fx=1',
    'client.api/list%23',
    'client.api/get/%0d%0aHost:%20evil',
    'client.api/get/1000000%0a',
    'client.api/__proto__',
    '__proto__.api/list',
    'constructor.api/list',
    'client.api/get/http:%2f%2f127.0.0.1:1%2f',
    'client.api/get/1000000%2fcontacts',
    'client.api/get/1000000%2fA',
    'job.api/get/J000101%2fcustomfield',
    'job.api/get/J000101%2ftasks',
    'job.api/get/J000101%2f..%2f..%2fconnect',
    'job.api/get/J000101%2f..;%2fconnect',
    'job.api/get/J000101%2f%E2%80%A4%E2%80%A4%2fconnect',
    'job.api/get/J000101%EF%BC%8F..%2fconnect',
    'job.api/get/J000101/..;/connect',
    'job.api/get/J000101/%2e%2e/connect',
    'job.api/get/J000101%2f%252e%252e',
    'client.api/%6cist',
    'client.api/list/',
    'client.api//list',
    '/client.api/list',
    'v1/client.api/list',
    '3.0/client.api/list',
  ].map((path) => `/${path}`);
  const queries = [
    'query=../../x',
    'query=%2e%2e%2f',
    'query=x%23y',
    'query=x%26accountKey%3DB',
    'query=x%3Fy',
    'query=%00',
    'query=x%0d%0aX-Evil:1',
    'detailed=true;/../x',
    '../=1',
    '%2e%2e/=1',
  ].map((query) => `/client.api/search?${query}`);
  return [...crossed, ...names, ...queries];
}

/** Request targets that are no path of ours, with their verb and host; `KEYS` stands for a good key pair. */
export const absoluteTargets: readonly (readonly [verb: string, target: string, host: string])[] = [
  ['GET', 'http:/client.api/list?KEYS', '127.0.0.1'],
  ['GET', 'http://evil.example\\@127.0.0.1/client.api/list?KEYS', 'evil.example'],
  ['GET', 'file:///etc/hostname?KEYS', '127.0.0.1'],
  ['GET', '//evil.example/client.api/list?KEYS', '127.0.0.1'],
  ['GET', 'http://127.0.0.1:1//evil.example/client.api/list?KEYS', '127.0.0.1'],
  ['GET', '/\\evil.example/client.api/list?KEYS', '127.0.0.1'],
  ['GET', '@evil.example/client.api/list?KEYS', '127.0.0.1'],
  ['GET', '/client.api/list#?KEYS', '127.0.0.1'],
  ['OPTIONS', '*', '127.0.0.1'],
  ['CONNECT', '127.0.0.1:1', '127.0.0.1'],
  ['TRACE', '/client.api/list?KEYS', '127.0.0.1'],
  ['PROPFIND', '/client.api/list?KEYS', '127.0.0.1'],
  ['PATCH', '/client.api/list?KEYS', '127.0.0.1'],
];
