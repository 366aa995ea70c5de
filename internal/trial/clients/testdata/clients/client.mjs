// Subscribes with a client that others wrote, and prints what it hears, a JSON
// value on each line: {"next":…}, {"error":…}, {"complete":true}, {"closed":code}.
//
//   node client.mjs graphql-ws|subscriptions-transport-ws|graphql-sse URL TOKEN QUERY
import { createClient as createSSE } from 'graphql-sse';
import { createClient as createWS } from 'graphql-ws';
import { SubscriptionClient } from 'subscriptions-transport-ws';
import WebSocket from 'ws';

const [kind, url, token, query] = process.argv.slice(2);
const say = (value) => process.stdout.write(JSON.stringify(value) + '\n');
const sink = {
  next: (value) => say({ next: value }),
  error: (error) => say({ error: Array.isArray(error) ? error : (error.message ?? error.reason ?? String(error)), code: error.code }),
  complete: () => say({ complete: true }),
};
const ws = url.replace('http', 'ws');

switch (kind) {
  case 'graphql-ws': {
    const client = createWS({
      url: ws,
      webSocketImpl: WebSocket,
      lazy: false,
      onNonLazyError: () => {},
      retryAttempts: 0,
      connectionParams: token ? { Authorization: `Bearer ${token}` } : undefined,
      on: {
        closed: (event) => say({ closed: event.code }),
        // The answer to a ping says that what was sent before it has been heard.
        connected: (socket) => setImmediate(() => socket.send(JSON.stringify({ type: 'ping' }))),
        pong: (received) => received && say({ connected: true }),
      },
    });
    client.subscribe({ query }, sink);
    break;
  }
  case 'subscriptions-transport-ws': {
    const client = new SubscriptionClient(ws, { reconnect: false, connectionParams: token ? { token } : {} }, WebSocket);
    client.onConnected(() => say({ connected: true })); // and the subscription a moment later
    client.onDisconnected(() => say({ closed: true }));
    client.request({ query }).subscribe(sink);
    break;
  }
  case 'graphql-sse': {
    const client = createSSE({
      url,
      retryAttempts: Infinity,
      retry: () => new Promise((resolve) => setTimeout(resolve, 50)),
      headers: token ? { Authorization: `Bearer ${token}` } : {},
      on: { connected: () => say({ connected: true }) },
    });
    client.subscribe({ query }, sink);
    break;
  }
}
