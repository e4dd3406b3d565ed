import express, { type Router } from 'express';
import { html, type Html } from '../../screens/html.ts';
import { sendPage } from '../../screens/page.ts';
import { openApi } from './openapi.ts';
import type { Operation } from '../operation/operation.ts';
import { operations } from '../operations.ts';

/** Serves `/v2/openapi.json` and, for people, `/v2/` and `/v2/docs`, to everybody and without a token. */
export function jsonDocs(publicUrl: string): Router {
  const router = express.Router();
  let document: string | undefined;
  router.get('/openapi.json', (_request, response) => {
    document ??= JSON.stringify(openApi(operations, publicUrl));
    response.type('application/json; charset=utf-8').set('Access-Control-Allow-Origin', '*').send(document);
  });
  router.get(['/', '/docs'], (_request, response) => {
    sendPage(response, 200, { title: 'API V2', layout: 'wide', main: pageOf(operations, publicUrl) });
  });
  return router;
}

const areasOf = (all: readonly Operation[]): readonly string[] => [...new Set(all.map(({ area }) => area))];

const anchor = (name: string): string => name.toLowerCase().replaceAll(/[^a-z]+/g, '-');

const pageOf = (all: readonly Operation[], publicUrl: string): Html => html`
  <h1>API V2</h1>
  <p>
    ${all.length} operations below <code>${publicUrl}/v2</code>. Every call takes
    <code>Authorization: Bearer &lt;access_token&gt;</code> and <code>account-id: &lt;organisation&gt;</code>;
    lists take <code>page</code> and <code>pagesize</code>. For machines:
    <a href="/v2/openapi.json">openapi.json</a>.
  </p>
  <nav>
    <ul>
      ${areasOf(all).map((name) => html`<li><a href="#${anchor(name)}">${name}</a></li>`)}
    </ul>
  </nav>
  ${areasOf(all).map((name) =>
    areaOf(
      name,
      all.filter(({ area }) => area === name),
    ),
  )}
`;

const areaOf = (name: string, all: readonly Operation[]): Html => html`
  <section id="${anchor(name)}">
    <h2>${name}</h2>
    <table>
      <thead>
        <tr>
          <th>Operation</th>
          <th>What it does</th>
          <th>Takes</th>
          <th>Answers</th>
        </tr>
      </thead>
      <tbody>
        ${all.map(rowOf)}
      </tbody>
    </table>
  </section>
`;

const rowOf = (operation: Operation): Html => html`
  <tr>
    <td>
      <code>${operation.method} /v2${operation.path}</code>${(operation.aliases ?? []).map(
        (alias) => html`<br /><small><code>/v2${alias}</code></small>`,
      )}
    </td>
    <td>${operation.summary}. ${operation.notes ?? ''}</td>
    <td>
      ${operation.query?.length ? html`<code>?${operation.query.join(' ')}</code>` : ''}
      ${operation.example !== undefined && html`<pre>${JSON.stringify(operation.example, null, 2)}</pre>`}
    </td>
    <td><code>${operation.response.name}${operation.answer === 'list' && '[]'}</code></td>
  </tr>
`;
