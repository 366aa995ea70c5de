// Asks with a client that others wrote, and prints what it makes of the parts
// of the answer, a JSON value on each line: the data after each part, or an
// error. Relay leaves the reading of parts to its network layer, which meros is
// the usual one of; it prints the parts themselves.
//
//   node defer.mjs apollo|urql|urql-asking|meros|graphql-ws|graphql-sse URL TOKEN QUERY
import { ApolloClient, HttpLink, InMemoryCache, gql } from '@apollo/client/core/index.js';
import { Client, fetchExchange } from '@urql/core';
import { createClient as createSSE } from 'graphql-sse';
import { createClient as createWS } from 'graphql-ws';
import { meros } from 'meros/browser';
import WebSocket from 'ws';

const [kind, url, token, query] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const say = (value) => process.stdout.write(JSON.stringify(value) + '\n');
const sink = { next: ({ extensions, ...part }) => say(part), error: (error) => say({ error: String(error) }), complete: () => {} };

switch (kind) {
  case 'apollo': {
    const client = new ApolloClient({
      cache: new InMemoryCache({ addTypename: false }),
      link: new HttpLink({ uri: url, headers }),
    });
    client.watchQuery({ query: gql(query), errorPolicy: 'all' }).subscribe({
      next: ({ data, errors }) => data && say({ data, ...(errors && { errors: errors.map(({ message }) => message) }) }),
      error: (error) => say({ error: String(error) }),
    });
    break;
  }
  case 'urql': // which names no format in Accept, and gets all at once
  case 'urql-asking': {
    const accept = 'multipart/mixed;incrementalSpec=v0.2, application/graphql-response+json, application/json';
    const fetchOptions = { headers: kind === 'urql' ? headers : { ...headers, Accept: accept } };
    const client = new Client({ url, exchanges: [fetchExchange], fetchOptions, preferGetMethod: false });
    client.query(query, {}).subscribe(({ data, error }) => say(error ? { data, error: error.message } : { data }));
    break;
  }
  case 'meros': {
    const answer = await fetch(url, {
      method: 'POST',
      headers: { ...headers, 'Content-Type': 'application/json', Accept: 'application/json, multipart/mixed;deferSpec=20220824' },
      body: JSON.stringify({ query }),
    });
    for await (const { json, body } of await meros(answer)) {
      const { extensions, ...part } = body;
      say(json ? part : { error: 'no JSON', body });
    }
    break;
  }
  case 'graphql-ws': {
    const client = createWS({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, connectionParams: headers });
    client.subscribe({ query }, { ...sink, complete: () => client.dispose() });
    break;
  }
  case 'graphql-sse':
    createSSE({ url, headers }).subscribe({ query }, sink);
}
