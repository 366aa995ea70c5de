// Asks with Apollo Client 4, and prints what it makes of the answer, a JSON value
// on each line: the data after each part, each event, or an error.
//
//   node client.mjs Defer20220824Handler|GraphQL17Alpha9Handler|subscription|errors URL TOKEN QUERY
import { ApolloClient, CombinedGraphQLErrors, HttpLink, InMemoryCache, gql } from '@apollo/client';
import { Defer20220824Handler, GraphQL17Alpha9Handler } from '@apollo/client/incremental';
import { GraphQLWsLink } from '@apollo/client/link/subscriptions';
import { createClient } from 'graphql-ws';
import WebSocket from 'ws';

const [kind, url, token, query] = process.argv.slice(2);
const headers = { Authorization: `Bearer ${token}` };
const say = (value) => process.stdout.write(JSON.stringify(value) + '\n');
const plain = (value) => JSON.parse(JSON.stringify(value), (key, member) => (key === '__typename' ? undefined : member));
const handlers = { Defer20220824Handler, GraphQL17Alpha9Handler };

const client = new ApolloClient({
  cache: new InMemoryCache(),
  incrementalHandler: new (handlers[kind] ?? Defer20220824Handler)(),
  link:
    kind === 'subscription'
      ? new GraphQLWsLink(createClient({ url: url.replace('http', 'ws'), webSocketImpl: WebSocket, connectionParams: { authToken: token } }))
      : new HttpLink({ uri: url, headers }),
});

if (kind === 'subscription') {
  client.subscribe({ query: gql(query) }).subscribe({
    next: ({ data, error }) => say(error ? { error: String(error) } : plain({ data })),
    error: (error) => say({ error: String(error) }),
    complete: () => say({ complete: true }),
  });
} else if (kind === 'errors') {
  try {
    say(plain({ data: (await client.query({ query: gql(query) })).data }));
  } catch (error) {
    say({ graphql: CombinedGraphQLErrors.is(error), code: error.errors?.[0].extensions.code, message: error.message });
  }
} else {
  client.watchQuery({ query: gql(query), errorPolicy: 'all' }).subscribe({
    next: ({ data, dataState, error, loading }) =>
      data && say(plain({ data, dataState, loading, ...(error && { error: error.message }) })),
    error: (error) => say({ error: String(error) }),
  });
}
