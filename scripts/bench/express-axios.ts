import type { AddressInfo } from 'node:net';
import axios from 'axios';
import express from 'express';

// A peer: Express and axios as commonly written, without log and metrics. Argument: the service's origin.

const app = express();
app.use(async (request, response) => {
  const { status, headers, data } = await axios.request<Buffer>({
    method: request.method,
    url: `${process.argv[2] ?? ''}${request.originalUrl}`,
    responseType: 'arraybuffer',
    validateStatus: () => true,
  });
  response.status(status).type(String(headers['content-type'])).send(data);
});
const server = app.listen(0, '127.0.0.1', () => {
  console.log((server.address() as AddressInfo).port);
});
